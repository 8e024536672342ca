// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/outline.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/error.h"
#include "crux/ir/code_names.h"
#include "crux/ir/name_numbers.h"
#include "crux/ir/visit_names.h"

namespace belay::crux::passes {
namespace {

using code::Block;
using code::Function;
using code::NameRole;
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
    for (const std::string& name : kernel.fields) Of(name).field = true;
    for (const char* name : {"block_idx", "block_num"}) Of(name).field = true;
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
    for (Function& function : kernel_.functions) SettleViews(function);
  }

 private:
  // What is known of a name.
  struct Known {
    bool field = false;
    std::shared_ptr<Stmt> source;  // how a LocalTensor comes to be
    // In the block at hand: the last statement that uses it; -1: none.
    int last_integer = -1;
    int last_tensor = -1;
    // The last stretch that defines it, or has it.
    int integer_in = 0;
    int tensor_in = 0;
    int parameter_of = 0;
  };
  // A name in a statement.
  struct Use {
    NameRole role;
    uint32_t name;
  };

  uint32_t NumberOf(std::string_view name, uint64_t hash) {
    const uint32_t number = numbers_.Of(name, hash);
    if (number == known_.size()) known_.emplace_back();
    return number;
  }
  uint32_t NumberOf(std::string_view name) {
    return NumberOf(name, ir::NameSet::HashOf(name));
  }
  Known& Of(std::string_view name) { return known_[NumberOf(name)]; }

  // Adds to uses_.
  template <typename Code>
  void AddUses(const Code& code) {
    code::NameVisitor([this](NameRole role, const std::string& name,
                             uint64_t hash) {
      uses_.push_back({role, NumberOf(name, hash)});
    }).All(code);
  }

  // Notes what block[first …] uses.
  void NoteUses(const Block& block, size_t first) {
    ForgetUses();
    uses_begin_.assign(block.size() + 1, 0);
    for (size_t i = first; i < block.size(); ++i) {
      uses_begin_[i] = uses_.size();
      AddUses(*block[i]);
      for (size_t k = uses_begin_[i]; k < uses_.size(); ++k) {
        Known& known = known_[uses_[k].name];
        const int at = static_cast<int>(i);
        if (uses_[k].role == NameRole::kInteger) known.last_integer = at;
        if (uses_[k].role == NameRole::kTensor) known.last_tensor = at;
      }
    }
    uses_begin_[block.size()] = uses_.size();
  }

  void ForgetUses() {
    for (const Use& use : uses_) {
      known_[use.name].last_integer = -1;
      known_[use.name].last_tensor = -1;
    }
    uses_.clear();
  }

  // How every LocalTensor comes to be.
  void CollectTensors(const Block& block) {
    for (const auto& stmt : block) {
      if (stmt->kind == StmtKind::kAlloc || stmt->kind == StmtKind::kDeQue ||
          stmt->kind == StmtKind::kGet || stmt->kind == StmtKind::kCast) {
        Known& known = Of(stmt->name);
        if (known.source == nullptr) known.source = stmt;
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
    NoteUses(block, 0);
    Block result;
    for (size_t i = 0; i < block.size();) {
      size_t end = i + 1;
      while (end < block.size() && block[end]->stage == block[i]->stage) ++end;
      const Stage stage = block[i]->stage;
      if (stage == Stage::kCompute || stage == Stage::kCopyIn) {
        const size_t rest = SinkCounters(block, i, end);
        if (rest != end) NoteUses(block, i);
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
    ++stretch_;
    const auto begin_use = uses_.begin() + ptrdiff_t(uses_begin_[first]);
    const auto end_use = uses_.begin() + ptrdiff_t(uses_begin_[end]);
    for (auto use = begin_use; use != end_use; ++use) {
      const Known& known = known_[use->name];
      if (use->role == NameRole::kDefinedInteger) {
        if (known.last_integer >= static_cast<int>(end)) return false;
        known_[use->name].integer_in = stretch_;
      } else if (use->role == NameRole::kDefinedTensor) {
        if (known.last_tensor >= static_cast<int>(end) && !IsView(use->name)) {
          return false;
        }
        known_[use->name].tensor_in = stretch_;
      }
    }
    for (auto use = begin_use; use != end_use; ++use) {
      if (use->role == NameRole::kSetInteger &&
          known_[use->name].integer_in != stretch_) {
        return false;
      }
    }
    Function function;
    function.name = FreshName(StageName(block[first]->stage));
    auto call = std::make_shared<Stmt>();
    call->kind = StmtKind::kInvoke;
    call->function = function.name;
    call->line = block[first]->line;
    std::vector<uint32_t> tensors;
    for (auto use = begin_use; use != end_use; ++use) {
      Known& known = known_[use->name];
      if (use->role == NameRole::kTensor) tensors.push_back(use->name);
      if (use->role != NameRole::kInteger || known.field ||
          known.integer_in == stretch_ || known.parameter_of == stretch_) {
        continue;
      }
      known.parameter_of = stretch_;
      function.parameters.emplace_back(numbers_.TextOf(use->name));
    }
    std::sort(function.parameters.begin(), function.parameters.end());
    for (const std::string& name : function.parameters) {
      call->arguments.push_back(ir::Int::Name(name));
    }
    SortByName(tensors);
    for (const uint32_t name : tensors) BringIn(name, function, *call);
    function.body.insert(function.body.end(), block.begin() + ptrdiff_t(first),
                         block.begin() + ptrdiff_t(end));
    made_.push_back(std::move(function));
    call_ = std::move(call);
    return true;
  }

  // Each once.
  void SortByName(std::vector<uint32_t>& names) const {
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::sort(names.begin(), names.end(), [&](uint32_t a, uint32_t b) {
      return numbers_.TextOf(a) < numbers_.TextOf(b);
    });
  }

  // A part of a buffer: said again wherever it is needed, unless that does not
  // know where it begins.
  bool IsView(uint32_t name) {
    const Stmt* stmt = known_[name].source.get();
    if (stmt == nullptr) return false;
    if (stmt->kind == StmtKind::kGet) return true;
    if (stmt->kind != StmtKind::kCast || !IsView(NumberOf(stmt->from))) {
      return false;
    }
    std::set<std::string> names;
    CollectNames(stmt->value, names);
    return std::all_of(names.begin(), names.end(), [&](const auto& integer) {
      return known_[NumberOf(integer)].field;
    });
  }

  // A tensor that the stretch at hand has not got yet.
  void BringIn(uint32_t name, Function& function, Stmt& call) {
    if (known_[name].tensor_in == stretch_) return;
    known_[name].tensor_in = stretch_;
    const std::shared_ptr<Stmt> source = known_[name].source;
    if (source == nullptr) {
      throw InternalError("[crux] code uses a tensor that nothing makes");
    }
    if (!IsView(name)) {
      function.tensors.push_back({source->name, source->dtype});
      call.tensors.push_back(source->name);
      return;
    }
    if (source->kind == StmtKind::kCast) {
      BringIn(NumberOf(source->from), function, call);
    }
    function.body.push_back(std::make_shared<Stmt>(*source));
  }

  // Views whose declaration went into a function are said again in the others
  // that use them. Declarations of tensors that nothing uses any more go.
  void SettleViews(Function& function) {
    ++stretch_;
    uses_.clear();
    AddUses(function.body);
    std::vector<uint32_t> tensors;
    for (const Use& use : uses_) {
      if (use.role == NameRole::kTensor) tensors.push_back(use.name);
      if (use.role == NameRole::kDefinedTensor) {
        known_[use.name].tensor_in = stretch_;
      }
    }
    for (const code::TensorParameter& tensor : function.tensors) {
      Of(tensor.name).tensor_in = stretch_;
    }
    SortByName(tensors);
    Function views;
    Stmt call;
    for (const uint32_t name : tensors) {
      if (IsView(name)) BringIn(name, views, call);
    }
    function.body.insert(function.body.begin(), views.body.begin(),
                         views.body.end());
    ++stretch_;
    for (const uint32_t name : tensors) known_[name].tensor_in = stretch_;
    for (const auto& view : views.body) {
      if (view->kind == StmtKind::kCast) Of(view->from).tensor_in = stretch_;
    }
    DropUnused(function.body);
  }

  // Those that are not in the stretch at hand.
  void DropUnused(Block& block) {
    std::erase_if(block, [&](const auto& stmt) {
      if ((stmt->kind != StmtKind::kGet && stmt->kind != StmtKind::kCast) ||
          Of(stmt->name).tensor_in == stretch_) {
        return false;
      }
      dropped_.push_back(stmt);
      return true;
    });
    for (const auto& stmt : block) {
      DropUnused(stmt->body);
      DropUnused(stmt->otherwise);
    }
  }

  std::string FreshName(const std::string& wish) {
    const int seen = ++names_[wish];
    return seen == 1 ? wish : wish + std::to_string(seen);
  }

  code::Kernel& kernel_;
  ir::NameNumbers numbers_;
  std::vector<Known> known_;        // by number
  std::vector<Use> uses_;           // of the block at hand
  std::vector<size_t> uses_begin_;  // of each of its statements
  int stretch_ = 0;                 // number of the one that is looked at
  Block dropped_;                   // whose names may be in numbers_
  std::map<std::string, int> names_;
  std::vector<Function> made_;
  std::shared_ptr<Stmt> call_;
};

}  // namespace

void Outline(code::Kernel& kernel) { Outliner(kernel).Run(); }

}  // namespace belay::crux::passes
