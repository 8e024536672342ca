// SPDX-License-Identifier: Apache-2.0
// Bugs of lowering and of the passes over tiles.

#include <algorithm>
#include <utility>

#include "crux/passes/walk.h"
#include "planted_bugs.h"

namespace belay::testing {
namespace {

namespace ir = crux::ir;
namespace passes = crux::passes;
using crux::Op;
using ir::Int;
using ir::Kernel;
using ir::Stmt;
using ir::StmtKind;

using Edit = std::function<bool(Kernel&, Stmt&)>;

// Edits every statement that `edit` finds something in.
std::function<bool(Kernel&)> Everywhere(Edit edit) {
  return [edit = std::move(edit)](Kernel& kernel) {
    bool any = false;
    passes::ForEachBlock(kernel.body, [&](ir::Block& block) {
      for (const auto& stmt : block) any |= edit(kernel, *stmt);
    });
    return any;
  };
}

Edit OnCompute(Op op, std::function<void(Stmt&)> edit) {
  return [op, edit = std::move(edit)](Kernel&, Stmt& stmt) {
    if (stmt.kind != StmtKind::kCompute || stmt.op != op) return false;
    edit(stmt);
    return true;
  };
}

Edit Becomes(Op from, Op to) {
  return OnCompute(from, [to](Stmt& stmt) { stmt.op = to; });
}

Edit SwapOperands(Op op, size_t a, size_t b) {
  return OnCompute(op, [a, b](Stmt& stmt) {
    std::swap(stmt.operands[a], stmt.operands[b]);
  });
}

bool IsScan(const Stmt& stmt) {
  return stmt.kind == StmtKind::kCompute &&
         InfoOf(stmt.op).family == crux::OpFamily::kScan &&
         stmt.op != Op::kLast;
}

bool InvertScan(Kernel&, Stmt& stmt) {
  if (!IsScan(stmt)) return false;
  stmt.reverse = !stmt.reverse;
  return true;
}

bool LoseExclusive(Kernel&, Stmt& stmt) {
  if (!IsScan(stmt) || !stmt.exclusive) return false;
  stmt.exclusive = false;
  return true;
}

bool ScanOtherAxis(Kernel& kernel, Stmt& stmt) {
  if (!IsScan(stmt) || stmt.axes.empty()) return false;
  const int* tile = std::get_if<int>(&stmt.operands[0]);
  if (tile == nullptr) return false;
  const auto rank =
      static_cast<int>(kernel.tiles[static_cast<size_t>(*tile)].dims.size());
  if (rank < 2) return false;
  stmt.axes[0] = (stmt.axes[0] + 1) % rank;
  return true;
}

bool FillWithOne(Kernel&, Stmt& stmt) {
  if (stmt.kind != StmtKind::kLoad || !stmt.fill) return false;
  const bool was_one =
      stmt.fill->kind == ir::Number::Kind::kReal && stmt.fill->real == 1;
  stmt.fill = passes::RealNumber(was_one ? 0 : 1);
  return true;
}

bool ShiftSlice(Kernel&, Stmt& stmt) {
  if (stmt.kind != StmtKind::kSlice) return false;
  for (ir::Index& index : stmt.slice) {
    if (index.start.Is(0)) continue;
    index.start = index.start - 1;
    return true;
  }
  return false;
}

bool LoseLastRow(Kernel& kernel, Stmt& stmt) {
  if (stmt.kind != StmtKind::kLoop || !stmt.loop->cores) return false;
  for (const ir::TileParameter& parameter : kernel.parameters) {
    if (parameter.role == ir::TileParameter::Role::kRows &&
        stmt.loop->step.kind() == ir::IntKind::kName &&
        stmt.loop->step.name() == parameter.name) {
      stmt.loop->high = stmt.loop->high - 1;
      return true;
    }
  }
  return false;
}

bool IsLoopInOrder(const Stmt& stmt) {
  return stmt.kind == StmtKind::kLoop && !stmt.loop->cores;
}

bool LoseFirstTurn(Kernel&, Stmt& stmt) {
  if (!IsLoopInOrder(stmt)) return false;
  stmt.loop->low = stmt.loop->low + stmt.loop->step;
  return true;
}

bool RunBackwards(Kernel&, Stmt& stmt) {
  if (!IsLoopInOrder(stmt)) return false;
  stmt.loop->reverse = !stmt.loop->reverse;
  return true;
}

bool IsCombining(const Stmt& stmt, const char* until) {
  return IsLoopInOrder(stmt) && stmt.loop->high.kind() == ir::IntKind::kName &&
         stmt.loop->high.name() == until;
}

bool LoseLastCore(Kernel&, Stmt& stmt) {
  if (!IsCombining(stmt, "block_num")) return false;
  stmt.loop->high = stmt.loop->high - 1;
  return true;
}

bool CountOwnCoreToo(Kernel&, Stmt& stmt) {
  if (!IsCombining(stmt, "block_idx")) return false;
  stmt.loop->high = stmt.loop->high + 1;
  return true;
}

bool WrongNeutral(Kernel& kernel, Stmt& stmt) {
  if (stmt.kind != StmtKind::kCompute || stmt.op != Op::kFull) return false;
  const std::string& made =
      kernel.tiles[static_cast<size_t>(stmt.results[0])].name;
  for (const ir::Across& across : kernel.across) {
    if (made.rfind(across.name, 0) != 0) continue;
    stmt.operands[0] = passes::IntNumber(1);
    return true;
  }
  return false;
}

bool WithoutMeetings(Kernel& kernel) {
  bool any = false;
  passes::ForEachBlock(kernel.body, [&](ir::Block& block) {
    any |= std::erase_if(block, [](const auto& stmt) {
             return stmt->kind == StmtKind::kSyncAll;
           }) > 0;
  });
  return any;
}

bool OnlyFirstMeeting(Kernel& kernel) {
  bool met = false;
  return std::erase_if(kernel.body, [&](const auto& stmt) {
           return stmt->kind == StmtKind::kSyncAll && std::exchange(met, true);
         }) > 0;
}

bool RoundUpInstead(Kernel& kernel, Stmt& stmt) {
  if (stmt.kind != StmtKind::kCompute || stmt.op != Op::kTo) return false;
  const int* from = std::get_if<int>(&stmt.operands[0]);
  const DType made = kernel.tiles[static_cast<size_t>(stmt.results[0])].dtype;
  if (from == nullptr || IsFloating(made) || made == DType::kBool ||
      !IsFloating(kernel.tiles[static_cast<size_t>(*from)].dtype)) {
    return false;
  }
  stmt.round =
      stmt.round == abi::Round::kCeil ? abi::Round::kFloor : abi::Round::kCeil;
  return true;
}

bool InvertFused(Kernel&, Stmt& stmt) {
  if (!stmt.compare) return false;
  switch (*stmt.compare) {
    case Op::kLess:
      stmt.compare = Op::kLessEqual;
      return true;
    case Op::kGreater:
      stmt.compare = Op::kLess;
      return true;
    case Op::kEqual:
      stmt.compare = Op::kNotEqual;
      return true;
    default:
      return false;
  }
}

// Loads in a loop see its first turn, as if they had been taken out of it.
bool StaleLoads(Kernel&, Stmt& stmt) {
  if (!IsLoopInOrder(stmt)) return false;
  bool any = false;
  const ir::Loop& loop = *stmt.loop;
  for (const auto& inner : loop.body) {
    if (inner->kind != StmtKind::kLoad) continue;
    for (ir::Index& index : inner->access.indices) {
      if (!Mentions(index.start, loop.name)) continue;
      index.start = Substitute(
          index.start, [&](const std::string& name) -> std::optional<Int> {
            if (name != loop.name) return std::nullopt;
            return loop.low;
          });
      any = true;
    }
  }
  return any;
}

bool StoreTooEarly(Kernel& kernel) {
  bool any = false;
  passes::ForEachBlock(kernel.body, [&](ir::Block& block) {
    for (size_t i = 1; i < block.size(); ++i) {
      const Stmt& made = *block[i - 1];
      const Stmt& store = *block[i];
      if (store.kind != StmtKind::kStore || made.results.size() != 1) continue;
      const int* stored = std::get_if<int>(&store.operands[0]);
      if (stored == nullptr || *stored != made.results[0]) continue;
      std::swap(block[i - 1], block[i]);
      any = true;
    }
  });
  return any;
}

bool StoreOneFurther(Kernel&, Stmt& stmt) {
  if (stmt.kind != StmtKind::kStore || stmt.access.indices.empty()) {
    return false;
  }
  ir::Index& index = stmt.access.indices.back();
  if (index.kind == ir::IndexKind::kTile) return false;
  index.start = index.start + 1;
  return true;
}

bool OtherReduction(Kernel&, Stmt& stmt) {
  if (stmt.kind != StmtKind::kCompute) return false;
  switch (stmt.op) {
    case Op::kMax:
      stmt.op = Op::kMin;
      return true;
    case Op::kArgmax:
      stmt.op = Op::kArgmin;
      return true;
    default:
      return false;
  }
}

bool OtherOrder(Kernel&, Stmt& stmt) {
  if (stmt.kind != StmtKind::kCompute) return false;
  if (InfoOf(stmt.op).family != crux::OpFamily::kOrder) return false;
  stmt.descending = !stmt.descending;
  stmt.largest = !stmt.largest;
  return stmt.op != Op::kTake && stmt.op != Op::kCompress &&
         stmt.op != Op::kDeinterleave;
}

bool LoseOneElement(Kernel& kernel, Stmt& stmt) {
  if (stmt.kind != StmtKind::kCompute ||
      InfoOf(stmt.op).family != crux::OpFamily::kReduce) {
    return false;
  }
  const int* tile = std::get_if<int>(&stmt.operands[0]);
  if (tile == nullptr || stmt.axes.empty()) return false;
  ir::Dim& dim = kernel.tiles[static_cast<size_t>(*tile)]
                     .dims[static_cast<size_t>(stmt.axes.back())];
  if (dim.is_one()) return false;
  dim.size = dim.size - 1;
  return true;
}

}  // namespace

std::vector<PlantedBug> BugsInTiles() {
  std::vector<PlantedBug> bugs;
  const auto add = [&](const char* name, const char* after,
                       std::function<bool(Kernel&)> edit) {
    bugs.push_back({name, after, std::move(edit), {}});
  };
  add("operands of - swapped", "lower",
      Everywhere(SwapOperands(Op::kSub, 0, 1)));
  add("values of where swapped", "lower",
      Everywhere(SwapOperands(Op::kWhere, 1, 2)));
  add("a loop loses its first turn", "lower", Everywhere(LoseFirstTurn));
  add("reverse= inverted", "lower", Everywhere(RunBackwards));
  add("a scan runs from the other end", "lower", Everywhere(InvertScan));
  add("exclusive= lost", "lower", Everywhere(LoseExclusive));
  add("a scan along another axis", "lower", Everywhere(ScanOtherAxis));
  add("max for min", "lower", Everywhere(OtherReduction));
  add("order inverted", "lower", Everywhere(OtherOrder));
  add("a store one element further", "lower", Everywhere(StoreOneFurther));
  add("a wrong fill", "windows", Everywhere(FillWithOne));
  add("a slice one element before", "windows", Everywhere(ShiftSlice));
  add("the last row of a batch is lost", "batch", Everywhere(LoseLastRow));
  add("a wrong neutral element", "across", Everywhere(WrongNeutral));
  add("the last core is not combined", "across", Everywhere(LoseLastCore));
  add("a prefix counts its own core", "across", Everywhere(CountOwnCoreToo));
  add("cores do not meet", "across", WithoutMeetings);
  add("cores meet once only", "meetings", OnlyFirstMeeting);
  add("conversions to integers round up", "legalise-floats",
      Everywhere(RoundUpInstead));
  add("a sign lost", "expand", Everywhere(Becomes(Op::kNegate, Op::kAbs)));
  add("maximum for minimum", "legalise-bools",
      Everywhere(Becomes(Op::kMinimum, Op::kMaximum)));
  add("a fused comparison inverted", "fuse-conditions",
      Everywhere(InvertFused));
  add("loads taken out of loops they depend on", "hoist",
      Everywhere(StaleLoads));
  add("a reduction misses the last element", "hoist",
      Everywhere(LoseOneElement));
  add("a store before its value", "schedule", StoreTooEarly);
  return bugs;
}

}  // namespace belay::testing
