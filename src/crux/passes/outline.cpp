// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/outline.h"

#include <algorithm>
#include <map>
#include <set>

#include "crux/ir/code_names.h"

namespace belay::crux::passes {
namespace {

using code::Block;
using code::Function;
using code::NamesIn;
using code::Stage;
using code::Stmt;
using code::StmtKind;

std::string StageName(Stage stage) {
  switch (stage) {
    case Stage::kCopyIn:
      return "CopyIn";
    case Stage::kCompute:
      return "Compute";
    case Stage::kCopyOut:
      return "CopyOut";
    case Stage::kNone:
      break;
  }
  return "";
}

class Outliner {
 public:
  explicit Outliner(code::Kernel& kernel) : kernel_(kernel) {
    fields_.insert(kernel.fields.begin(), kernel.fields.end());
    for (const char* name : {"block_idx", "block_num"}) fields_.insert(name);
  }

  void Run() {
    Function process = std::move(kernel_.functions.back());
    kernel_.functions.pop_back();
    CollectTensors(process.body);
    Visit(process.body);
    for (Function& function : made_) {
      kernel_.functions.push_back(std::move(function));
    }
    kernel_.functions.push_back(std::move(process));
    for (Function& function : kernel_.functions) DeclareViews(function);
  }

 private:
  // How every LocalTensor comes to be.
  void CollectTensors(const Block& block) {
    for (const auto& stmt : block) {
      if (stmt->kind == StmtKind::kAlloc || stmt->kind == StmtKind::kDeQue ||
          stmt->kind == StmtKind::kGet || stmt->kind == StmtKind::kCast) {
        sources_.emplace(stmt->name, stmt);
      }
      CollectTensors(stmt->body);
      CollectTensors(stmt->otherwise);
    }
  }

  // Whether the block moves tiles itself: only then are functions made of it.
  static bool IsPipelined(const Block& block) {
    return std::any_of(block.begin(), block.end(), [](const auto& stmt) {
      return stmt->stage == Stage::kCopyIn || stmt->stage == Stage::kCopyOut;
    });
  }

  void Visit(Block& block) {
    for (const auto& stmt : block) {
      Visit(stmt->body);
      Visit(stmt->otherwise);
    }
    if (!IsPipelined(block)) return;
    RaiseEnQues(block);
    Block result;
    for (size_t i = 0; i < block.size();) {
      size_t end = i + 1;
      while (end < block.size() && block[end]->stage == block[i]->stage) ++end;
      const Stage stage = block[i]->stage;
      if (stage == Stage::kCompute) {
        const size_t rest = SinkCounters(block, i, end);
        if (rest > i) end = rest;
      }
      if (stage != Stage::kNone && IsWorthIt(block, i, end) &&
          TryOutline(block, i, end)) {
        result.push_back(std::move(call_));
      } else {
        std::move(block.begin() + i, block.begin() + end,
                  std::back_inserter(result));
      }
      i = end;
    }
    block = std::move(result);
  }

  // More than one statement, not only what gives tensors back.
  static bool IsWorthIt(const Block& block, size_t first, size_t end) {
    const auto begin = block.begin() + static_cast<ptrdiff_t>(first);
    return end - first >= 2 &&
           !std::all_of(
               begin, block.begin() + static_cast<ptrdiff_t>(end),
               [](const auto& stmt) { return stmt->kind == StmtKind::kFree; });
  }

  static bool CopiesOut(const Stmt& stmt) {
    return stmt.stage == Stage::kCopyOut &&
           (stmt.kind == StmtKind::kDeQue || stmt.kind == StmtKind::kCall ||
            stmt.kind == StmtKind::kFree);
  }

  // What is computed is handed on before anything is copied out, so that all
  // of it is in one stretch.
  static void RaiseEnQues(Block& block) {
    constexpr int kMostEvents = 6;  // that wait for copies at a time
    int handed_on = 0;
    for (size_t i = 0; i < block.size(); ++i) {
      if (block[i]->kind != StmtKind::kEnQue ||
          block[i]->stage != Stage::kCompute || ++handed_on > kMostEvents) {
        continue;
      }
      for (size_t k = i; k > 0 && CopiesOut(*block[k - 1]) &&
                         block[k - 1]->from != block[k]->from;
           --k) {
        std::swap(block[k - 1], block[k]);
      }
    }
  }

  // Moves what block[first, end) counts for the next turn behind the rest of
  // it; gives the end of the rest.
  static size_t SinkCounters(Block& block, size_t first, size_t end) {
    const auto begin = block.begin() + static_cast<ptrdiff_t>(first);
    if (std::none_of(
            begin, block.begin() + static_cast<ptrdiff_t>(end),
            [](const auto& stmt) { return stmt->kind == StmtKind::kSet; })) {
      return end;
    }
    NamesIn defined;
    for (size_t i = first; i < end; ++i) AddNames(*block[i], defined);
    for (size_t i = end; i-- > first;) {
      if (block[i]->kind != StmtKind::kSet ||
          defined.defined_integers.contains(block[i]->name)) {
        continue;
      }
      NamesIn behind;
      for (size_t k = i + 1; k < end; ++k) AddNames(*block[k], behind);
      if (behind.integers.contains(block[i]->name) ||
          behind.set_integers.contains(block[i]->name)) {
        continue;
      }
      std::rotate(block.begin() + static_cast<ptrdiff_t>(i),
                  block.begin() + static_cast<ptrdiff_t>(i) + 1,
                  block.begin() + static_cast<ptrdiff_t>(end));
      --end;
    }
    return end;
  }

  // Makes a function of block[first, end) and its call, unless names of it are
  // used behind it.
  bool TryOutline(const Block& block, size_t first, size_t end) {
    NamesIn inside;
    for (size_t i = first; i < end; ++i) AddNames(*block[i], inside);
    for (const std::string& name : inside.set_integers) {
      if (!inside.defined_integers.contains(name)) return false;
    }
    NamesIn behind;
    for (size_t i = end; i < block.size(); ++i) AddNames(*block[i], behind);
    for (const std::string& name : inside.defined_integers) {
      if (behind.integers.contains(name)) return false;
    }
    for (const std::string& name : inside.defined_tensors) {
      if (behind.tensors.contains(name) && !IsView(name)) return false;
    }
    Function function;
    function.name = FreshName(StageName(block[first]->stage));
    auto call = std::make_shared<Stmt>();
    call->kind = StmtKind::kInvoke;
    call->function = function.name;
    call->line = block[first]->line;
    for (const std::string& name : inside.integers) {
      if (fields_.contains(name) || inside.defined_integers.contains(name)) {
        continue;
      }
      function.parameters.push_back(name);
      call->arguments.push_back(ir::Int::Name(name));
    }
    std::set<std::string> had = inside.defined_tensors;
    for (const std::string& name : inside.tensors) {
      BringIn(name, had, function, *call);
    }
    function.body.insert(function.body.end(), block.begin() + first,
                         block.begin() + end);
    made_.push_back(std::move(function));
    call_ = std::move(call);
    return true;
  }

  // A part of a buffer: said again wherever it is needed.
  bool IsView(const std::string& name) const {
    const auto found = sources_.find(name);
    if (found == sources_.end()) return false;
    const Stmt& stmt = *found->second;
    if (stmt.kind == StmtKind::kGet) return true;
    return stmt.kind == StmtKind::kCast && IsView(stmt.from);
  }

  void BringIn(const std::string& name, std::set<std::string>& had,
               Function& function, Stmt& call) {
    if (!had.insert(name).second) return;
    const Stmt& source = *sources_.at(name);
    if (!IsView(name)) {
      function.tensors.push_back({name, source.dtype});
      call.tensors.push_back(name);
      return;
    }
    if (source.kind == StmtKind::kCast) {
      BringIn(source.from, had, function, call);
    }
    function.body.push_back(std::make_shared<Stmt>(source));
  }

  // Views whose declaration went into a function are said again in the others
  // that use them.
  void DeclareViews(Function& function) {
    NamesIn names;
    AddNames(function.body, names);
    std::set<std::string> had = std::move(names.defined_tensors);
    for (const code::TensorParameter& tensor : function.tensors) {
      had.insert(tensor.name);
    }
    Function views;
    Stmt call;
    for (const std::string& name : names.tensors) {
      if (IsView(name)) BringIn(name, had, views, call);
    }
    function.body.insert(function.body.begin(), views.body.begin(),
                         views.body.end());
  }

  std::string FreshName(const std::string& wish) {
    const int seen = ++names_[wish];
    return seen == 1 ? wish : wish + std::to_string(seen);
  }

  code::Kernel& kernel_;
  std::set<std::string> fields_;
  std::map<std::string, std::shared_ptr<Stmt>> sources_;
  std::map<std::string, int> names_;
  std::vector<Function> made_;
  std::shared_ptr<Stmt> call_;
};

// Declarations of tensors that nothing uses any more.
void DropUnused(code::Kernel& kernel) {
  for (Function& function : kernel.functions) {
    NamesIn names;
    AddNames(function.body, names);
    const auto drop = [&](auto&& self, Block& block) -> void {
      std::erase_if(block, [&](const auto& stmt) {
        return (stmt->kind == StmtKind::kGet ||
                stmt->kind == StmtKind::kCast) &&
               !names.tensors.contains(stmt->name);
      });
      for (const auto& stmt : block) {
        self(self, stmt->body);
        self(self, stmt->otherwise);
      }
    };
    drop(drop, function.body);
  }
}

}  // namespace

void Outline(code::Kernel& kernel) {
  Outliner(kernel).Run();
  DropUnused(kernel);
}

}  // namespace belay::crux::passes
