// SPDX-License-Identifier: Apache-2.0
#include "crux/select/parts.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "crux/ir/bounds.h"
#include "crux/passes/walk.h"
#include "crux/select/vector.h"

namespace belay::crux::select {
namespace {

using ir::Stmt;
using ir::StmtKind;

// Rows of a turn that one instruction repeats over.
constexpr int64_t kMostRows = 255;

// Whether there are two axes: rows that run at a time, and the row.
bool AreRowsOfTurn(const ir::Kernel& kernel, const Layout& layout) {
  std::vector<ir::Dim> wide;
  for (const ir::Dim& dim : layout.dims) {
    if (!dim.is_one()) wide.push_back(dim);
  }
  return wide.size() == 2 && !layout.on_lanes &&
         CountsRows(kernel, wide[0].capacity) &&
         ir::Most(kernel, wide[0].capacity).value_or(kMostRows + 1) <=
             kMostRows;
}

// Elements of a row in whole repeats, halves of it as well, and halves in whole
// periods of banks.
ir::Int WholeRow(const Layout& layout) { return AlignUp(layout.pitch, 256); }

bool Follows(const ir::Block& block, const Stmt& first, const Stmt* second) {
  for (size_t i = 0; i + 1 < block.size(); ++i) {
    if (block[i].get() == &first) return block[i + 1].get() == second;
  }
  return false;
}

// What `sum` adds to or subtracts from, if its other operand is `widened`.
std::optional<int> AddedTo(const Stmt& sum, int widened) {
  if (sum.kind != StmtKind::kCompute || sum.operands.size() != 2 ||
      (sum.op != Op::kAdd && sum.op != Op::kSub)) {
    return std::nullopt;
  }
  const int* left = std::get_if<int>(&sum.operands[0]);
  const int* right = std::get_if<int>(&sum.operands[1]);
  if (left == nullptr || right == nullptr || *left == *right) {
    return std::nullopt;
  }
  if (*right == widened) return *left;
  if (*left == widened && sum.op == Op::kAdd) return *right;
  return std::nullopt;
}

// Of a tile of two axes.
ir::Int MostRows(const Layout& layout) {
  const auto wide =
      std::find_if(layout.dims.begin(), layout.dims.end(),
                   [](const ir::Dim& dim) { return !dim.is_one(); });
  return wide->capacity;
}

}  // namespace

const Stmt* ReductionOfParts(const ir::Kernel& kernel, const Occurrences& at,
                             const Lives& lives, int tile) {
  const Life& life = lives[tile];
  const Stmt& made = *life.assigned;
  const bool product = made.op == Op::kMul && made.operands.size() == 2;
  if (made.kind != StmtKind::kCompute || (!product && made.op != Op::kExp) ||
      life.first != &made || kernel.tiles[tile].dtype != DType::kFloat) {
    return nullptr;
  }
  const std::vector<Occurrence> reads = lives.ReadsOf(tile);
  if (reads.size() != 1 || reads[0].block != life.block ||
      !passes::IsReduction(*reads[0].stmt) || reads[0].stmt->op != Op::kSum) {
    return nullptr;
  }
  const Stmt* reduction = reads[0].stmt;
  const Layout& layout = lives.LayoutOf(tile);
  const bool rows = AreRowsOfTurn(kernel, layout) &&
                    reduction->axes == std::vector<int>{layout.last};
  const bool columns = layout.on_lanes && layout.dims.size() == 2 &&
                       reduction->axes == std::vector<int>{0};
  if (!Follows(*life.block, made, reduction) || (!rows && !columns)) {
    return nullptr;
  }
  const bool live_on = std::all_of(
      made.operands.begin(), made.operands.end(),
      [&](const ir::Operand& operand) {
        const int* source = std::get_if<int>(&operand);
        return source != nullptr && !lives.IsPart(*source) &&
               SamePlaces(lives.LayoutOf(*source), layout) &&
               lives[lives.RootOf(*source)].end > at.Last(reduction);
      });
  return live_on ? reduction : nullptr;
}

ir::Int RowsOfPart(const Layout& layout) {
  const ir::Int rows = FloorDiv(kElementsOfParts, layout.pitch);
  return ir::Int::Select(Less(rows, 8), Max(rows, 1), FloorDiv(rows, 8) * 8);
}

ir::Int RowsOfHalf(const Layout& layout) {
  const ir::Int rows = MostRows(layout);
  return ir::Int::Select(Less(rows, 16), Max(FloorDiv(rows, 2), 1),
                         FloorDiv(rows, 16) * 8);
}

ir::Int HalfOfEight(const ir::Int& pitch) {
  return AlignUp(FloorDiv(pitch, 2) + 16, 32) - 16;
}

ir::Int BytesOfHalf(const Layout& layout, const ir::Int& halves) {
  constexpr int64_t kBeside = 8 * 24 * sizeof(float);  // of eight such widths
  return AlignUp(layout.pitch * Max(MostRows(layout), halves) * 2 + kBeside,
                 kPeriodOfBanks);
}

ir::Int WidthOfHalves(const Layout& layout, const ir::Int& halves) {
  return FloorDiv(WholeRow(layout), 2) * halves;
}

int ResultBehind(const ir::Kernel& kernel, const Lives& lives,
                 const StoragePlan& plan, int tile) {
  const Life& life = lives[tile];
  const auto is_free = [&](int stored) {
    for (size_t i = 0; i < plan.tiles.size(); ++i) {
      const int other = static_cast<int>(i);
      const Storage& storage = plan.tiles[i];
      if (storage.container != plan.tiles[stored].container) continue;
      if (storage.home == Home::kQueueOut && other != stored) return false;
      if (lives[other].begin <= life.end) return false;
    }
    return true;
  };
  for (size_t i = 0; i < plan.tiles.size(); ++i) {
    const int stored = static_cast<int>(i);
    if (plan.tiles[i].home == Home::kQueueOut && !plan.numbers.Has(stored) &&
        lives[stored].block == life.block &&
        kernel.tiles[stored].dtype == kernel.tiles[tile].dtype &&
        ir::Same(lives.LayoutOf(stored).elements,
                 lives.LayoutOf(tile).elements) &&
        is_free(stored)) {
      return stored;
    }
  }
  return -1;
}

std::map<const Stmt*, const Stmt*> WidenedSums(const ir::Kernel& kernel,
                                               const Occurrences& at,
                                               const Lives& lives) {
  std::map<const Stmt*, const Stmt*> sums;
  passes::ForEachStmt(kernel.body, [&](const Stmt& to) {
    if (to.kind != StmtKind::kCompute || to.op != Op::kTo) return;
    const int* from = std::get_if<int>(&to.operands[0]);
    const int widened = to.results[0];
    if (from == nullptr || kernel.tiles[*from].dtype != DType::kHalf ||
        kernel.tiles[widened].dtype != DType::kFloat ||
        at.Assignments(widened) != 1 || at.Assignments(*from) != 1 ||
        lives.IsAlias(*from)) {
      return;
    }
    const std::vector<Occurrence> reads = lives.ReadsOf(widened);
    const Life& life = lives[widened];
    if (lives.IsAlias(widened) || reads.size() != 1 ||
        at.Of(widened).size() != 2 || reads[0].block != life.block ||
        lives[*from].block != life.block) {
      return;
    }
    const Stmt* sum = reads[0].stmt;
    const std::optional<int> other = AddedTo(*sum, widened);
    if (!other || !Follows(*life.block, to, sum)) return;
    const auto same = [&](int tile) {
      return !lives.IsPart(tile) &&
             passes::SameDims(kernel.tiles[tile].dims,
                              kernel.tiles[widened].dims);
    };
    if (same(*from) && same(*other) && same(sum->results[0]) &&
        lives[lives.RootOf(*other)].last == sum) {
      sums[sum] = &to;
    }
  });
  return sums;
}

}  // namespace belay::crux::select
