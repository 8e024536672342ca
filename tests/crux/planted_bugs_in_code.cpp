// SPDX-License-Identifier: Apache-2.0
// Bugs of instruction selection, storage, events and the cut over cores.

#include <algorithm>

#include "planted_bugs.h"

namespace belay::testing {
namespace {

namespace code = crux::code;
using code::Kernel;
using code::Stmt;
using code::StmtKind;
using crux::ir::Int;
using crux::ir::IntKind;

using Edit = std::function<bool(Stmt&)>;
using Remove = std::function<bool(const Stmt&)>;

void ForEachBlock(code::Block& block,
                  const std::function<void(code::Block&)>& visit) {
  visit(block);
  for (const auto& stmt : block) {
    ForEachBlock(stmt->body, visit);
    ForEachBlock(stmt->otherwise, visit);
  }
}

std::function<bool(Kernel&)> Everywhere(Edit edit) {
  return [edit = std::move(edit)](Kernel& kernel) {
    bool any = false;
    for (code::Function& function : kernel.functions) {
      ForEachBlock(function.body, [&](code::Block& block) {
        for (const auto& stmt : block) any |= edit(*stmt);
      });
    }
    return any;
  };
}

std::function<bool(Kernel&)> Without(Remove remove) {
  return [remove = std::move(remove)](Kernel& kernel) {
    bool any = false;
    for (code::Function& function : kernel.functions) {
      ForEachBlock(function.body, [&](code::Block& block) {
        any |= std::erase_if(
                   block, [&](const auto& stmt) { return remove(*stmt); }) > 0;
      });
    }
    return any;
  };
}

Remove IsKind(StmtKind kind) {
  return [kind](const Stmt& stmt) { return stmt.kind == kind; };
}

Remove IsSync(std::string event) {
  return [event = std::move(event)](const Stmt& stmt) {
    return stmt.kind == StmtKind::kSync && stmt.text == event;
  };
}

Remove IsCall(std::string function) {
  return [function = std::move(function)](const Stmt& stmt) {
    return stmt.kind == StmtKind::kCall && stmt.function == function;
  };
}

// Pieces are taken to be whole: min(piece, end - start) becomes the piece.
bool WholeTail(Stmt& stmt) {
  if (stmt.kind != StmtKind::kLet || stmt.value.kind() != IntKind::kMin ||
      stmt.value.args()[1].kind() != IntKind::kSub) {
    return false;
  }
  stmt.value = stmt.value.args()[0];
  return true;
}

Edit LetBecomes(std::string name, std::function<Int(const Int&)> change) {
  return [name = std::move(name), change = std::move(change)](Stmt& stmt) {
    if (stmt.kind != StmtKind::kLet || stmt.name.rfind(name, 0) != 0) {
      return false;
    }
    stmt.value = change(stmt.value);
    return true;
  };
}

// Changes field `field` of the last struct of that type among the arguments.
Edit FieldBecomes(std::string type, size_t field,
                  std::function<Int(const Int&)> change) {
  return [=](Stmt& stmt) {
    if (stmt.kind != StmtKind::kCall) return false;
    for (code::Arg& arg : stmt.args) {
      auto* made = std::get_if<code::Struct>(&arg);
      if (made == nullptr || made->type != type) continue;
      const Int changed = change(made->fields[field]);
      if (Same(changed, made->fields[field])) return false;
      made->fields[field] = changed;
      return true;
    }
    return false;
  };
}

Edit WordBecomes(std::string from, std::string to) {
  return [=](Stmt& stmt) {
    if (stmt.kind != StmtKind::kCall) return false;
    for (code::Arg& arg : stmt.args) {
      auto* word = std::get_if<code::Word>(&arg);
      if (word == nullptr || word->text != from) continue;
      word->text = to;
      return true;
    }
    return false;
  };
}

// The count of a vector instruction: its last argument.
bool OneLaneLess(Stmt& stmt) {
  if (stmt.kind != StmtKind::kCall || stmt.args.size() < 3) return false;
  if (!std::holds_alternative<code::Local>(stmt.args.front())) return false;
  Int* count = std::get_if<Int>(&stmt.args.back());
  if (count == nullptr) return false;
  *count = *count - 1;
  return true;
}

bool ElementOneFurther(Stmt& stmt) {
  if (stmt.kind != StmtKind::kSetValue) return false;
  stmt.target.offset = stmt.target.offset + 1;
  return true;
}

bool HalfTheBytes(Kernel& kernel) {
  for (code::Queue& queue : kernel.queues) {
    queue.bytes = AlignUp(FloorDiv(queue.bytes, 2), 32);
  }
  return !kernel.queues.empty();
}

bool SharedWorkspace(Kernel& kernel) {
  bool any = false;
  for (code::Global& global : kernel.globals) {
    if (global.workspace.Is(0)) continue;
    global.workspace = 0;
    any = true;
  }
  return any;
}

Int OneMore(const Int& value) { return value + 1; }

// The first item of a core without what it has of the remainder before it.
Int WithoutRemainder(const Int& first) {
  if (first.kind() != IntKind::kAdd) return first;
  const Int& last = first.args()[1];
  if (last.kind() == IntKind::kMin) return first.args()[0];
  return WithoutRemainder(first.args()[0]) + last;
}

}  // namespace

std::vector<PlantedBug> BugsInCode() {
  std::vector<PlantedBug> bugs;
  const auto add = [&](const char* name, std::function<bool(Kernel&)> edit) {
    bugs.push_back({name, "select", {}, std::move(edit)});
  };
  add("tails are whole pieces", Everywhere(WholeTail));
  add("the remainder goes to no core",
      Everywhere([first = LetBecomes("first_item", WithoutRemainder),
                  end = LetBecomes("end_item", WithoutRemainder)](Stmt& stmt) {
        return first(stmt) || end(stmt);
      }));
  add("cores begin one iteration late",
      Everywhere(LetBecomes("first_item", OneMore)));
  add("iterations of two cores overlap",
      Everywhere(LetBecomes("end_item", OneMore)));
  add("no FreeTensor", Without(IsKind(StmtKind::kFree)));
  add("no EnQue", Without(IsKind(StmtKind::kEnQue)));
  add("the vector unit does not wait to fill", Without(IsSync("V_MTE2")));
  add("loads do not wait for stores", Without(IsSync("MTE3_MTE2")));
  add("no SetAtomicAdd", Without(IsCall("SetAtomicAdd")));
  add("no SetAtomicNone", Without(IsCall("SetAtomicNone")));
  add("list elements are not opened", Without(IsKind(StmtKind::kOpenElement)));
  add("copies lose a byte",
      Everywhere(FieldBecomes("DataCopyExtParams", 1,
                              [](const Int& bytes) { return bytes - 1; })));
  add("copies lose a row",
      Everywhere(FieldBecomes("DataCopyExtParams", 0, [](const Int& rows) {
        return rows.Is(1) ? rows : rows - 1;
      })));
  add("a wrong gap between rows",
      Everywhere(FieldBecomes("DataCopyExtParams", 2, [](const Int& gap) {
        return gap.Is(0) ? gap : gap + 32;
      })));
  add("a wrong repeat stride",
      Everywhere(FieldBecomes("BinaryRepeatParams", 5, OneMore)));
  add("a comparison takes equals",
      Everywhere(WordBecomes("CMPMODE::LT", "CMPMODE::LE")));
  add("a cast rounds down",
      Everywhere(WordBecomes("RoundMode::CAST_RINT", "RoundMode::CAST_FLOOR")));
  add("instructions miss the last lane", Everywhere(OneLaneLess));
  add("elements set one further", Everywhere(ElementOneFurther));
  add("queues of half the bytes", HalfTheBytes);
  add("workspace tensors overlap", SharedWorkspace);
  return bugs;
}

}  // namespace belay::testing
