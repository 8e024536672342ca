// SPDX-License-Identifier: Apache-2.0
#include "crux/select/running_sums.h"

#include <algorithm>
#include <vector>

namespace belay::crux::select {
namespace {

using ir::Stmt;
using ir::StmtKind;

bool IsZero(const ir::Operand& operand) {
  const auto* number = std::get_if<ir::Number>(&operand);
  if (number == nullptr) return false;
  return number->kind == ir::Number::Kind::kReal  ? number->real == 0
         : number->kind == ir::Number::Kind::kInt ? number->integer.Is(0)
                                                  : false;
}

class Finder {
 public:
  Finder(const ir::Kernel& kernel, const Occurrences& at, const Lives& lives)
      : kernel_(kernel), at_(at), lives_(lives) {}

  RunningSums Run() {
    for (const ir::Tile& tile : kernel_.tiles) {
      if (IsNumber(tile.id) && !lives_.IsAlias(tile.id)) Look(tile.id);
    }
    return std::move(sums_);
  }

 private:
  bool IsNumber(int tile) const {
    return kernel_.tiles[tile].dtype == DType::kFloat &&
           lives_.LayoutOf(tile).last < 0;
  }

  // The reduction of a row to what `addition` adds to `total`, made in the same
  // block for nothing else; null: it does something else.
  const Stmt* ReductionFor(const Occurrence& addition, int total) const {
    const Stmt& stmt = *addition.stmt;
    if (stmt.kind != StmtKind::kCompute || stmt.op != Op::kAdd) return nullptr;
    const int* first = std::get_if<int>(&stmt.operands[0]);
    const int* part = std::get_if<int>(&stmt.operands[1]);
    if (first == nullptr || part == nullptr || *first != total ||
        lives_.IsAlias(*part)) {
      return nullptr;
    }
    const auto seen = at_.Of(*part);
    if (seen.size() != 2 || !seen[0].assigns ||
        seen[0].block != addition.block) {
      return nullptr;
    }
    const Stmt& made = *seen[0].stmt;
    if (made.kind != StmtKind::kCompute || made.op != Op::kSum) return nullptr;
    const int source = std::get<int>(made.operands[0]);
    const Layout& layout = lives_.LayoutOf(source);
    const bool row = layout.last >= 0 && layout.is_flat() &&
                     kernel_.tiles[source].dtype == DType::kFloat;
    return row && IsNumber(*part) ? &made : nullptr;
  }

  // The turns of all loops around a statement of `block`, up to `outermost`,
  // added up: it grows by one from turn to turn of any of them.
  ir::Int TurnIn(const ir::Block* block, const Stmt* outermost) const {
    ir::Int turn = 0;
    for (const Stmt* around = nullptr; around != outermost;) {
      const BlockPlace& place = at_.PlaceOf(block);
      around = place.stmt;
      block = place.parent;
      if (around->kind != StmtKind::kLoop) continue;
      const ir::Loop& loop = *around->loop;
      turn = turn + FloorDiv(ir::Int::Name(loop.name) - loop.low, loop.step);
    }
    return turn;
  }

  void Look(int total) {
    const auto seen = at_.Of(total);
    if (seen.empty() || !seen[0].assigns) return;
    const Stmt* begin = seen[0].stmt;
    if (begin->kind != StmtKind::kCompute || begin->op != Op::kFull ||
        !IsZero(begin->operands[0])) {
      return;
    }
    const ir::Block* block = seen[0].block;
    const Stmt* loop = nullptr;
    struct Found {
      const Stmt* addition = nullptr;
      ir::Int turn;
    };
    std::map<const Stmt*, Found> found;  // by reductions
    for (const Occurrence& one : seen.subspan(1)) {
      if (at_.Common(block, one.block) != block) return;
      const Stmt* held = at_.Within(block, one.stmt, one.block);
      if (loop == nullptr && held->kind == StmtKind::kLoop &&
          held->loop->cores) {
        loop = held;
      }
      if (held != loop) {
        if (one.assigns || loop == nullptr) return;
        continue;
      }
      const Stmt* reduction = ReductionFor(one, total);
      if (reduction == nullptr) return;
      found[reduction] = {one.stmt, TurnIn(one.block, loop)};
    }
    if (loop == nullptr) return;
    sums_.begins[begin] = total;
    sums_.ends.emplace(loop, total);
    for (const auto& [reduction, sum] : found) {
      sums_.additions.insert(sum.addition);
      sums_.reductions[reduction] = {total, sum.turn};
    }
  }

  const ir::Kernel& kernel_;
  const Occurrences& at_;
  const Lives& lives_;
  RunningSums sums_;
};

}  // namespace

RunningSums FindRunningSums(const ir::Kernel& kernel, const Occurrences& at,
                            const Lives& lives) {
  return Finder(kernel, at, lives).Run();
}

}  // namespace belay::crux::select
