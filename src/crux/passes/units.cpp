// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/units.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "crux/ir/walk.h"
#include "crux/select/layout.h"

namespace belay::crux::passes {

namespace {

// How many sizes of pieces a tile's dims are made of.
int64_t PiecesIn(const ir::Kernel& kernel, const ir::Tile& tile) {
  return std::count_if(
      tile.dims.begin(), tile.dims.end(), [&](const ir::Dim& dim) {
        return std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                           [&](const ir::TileParameter& one) {
                             return one.role !=
                                        ir::TileParameter::Role::kRows &&
                                    Mentions(dim.capacity, one.name);
                           });
      });
}

// Elements of a row that move well. More rows at a time are worth more than
// longer ones where what is done once for all rows of a piece is as long as
// one, and worth more still where an instruction takes eight of them.
constexpr int64_t kEnoughOfRow = 2048;
constexpr int64_t kEnoughOfEight = 1024;
// Many rows are a multiple of this: even numbers of them may be one move.
constexpr int64_t kManyRows = 16;
// Of both sides of a tile that is transposed.
constexpr int64_t kEnoughOfSide = 128;

// Rows up to here are not cut so that more of them run at a time.
constexpr int64_t kLongRow = 8192;
// So many of 16 bits do in pieces of kEnoughOfEight, half as many of 32.
constexpr int64_t kRowsAtOnce = 16;
// With 48 cores they take 96 MB, half of the L2 cache; results take as much.
constexpr int64_t kLongestCached = 65536;
// The busiest core may have 1 / kEven more of them than the mean.
constexpr int64_t kEven = 8;
// Statements about numbers of rows that take as long as a piece of one row.
constexpr int64_t kManyNumbers = 12;

// Whether much is done for all rows of a piece at once: they meet one that all
// share, or come to many numbers, one for each row.
bool DoesMuchAtOnce(const ir::Kernel& kernel, const select::Padding& padding,
                    const ir::TileParameter& piece,
                    const ir::TileParameter& rows) {
  const auto is_one = [&](int tile, const ir::TileParameter& along) {
    const select::Layout layout =
        select::LayoutOf(kernel.tiles[tile].dims, padding);
    return layout.last >= 0 && layout.is_flat() &&
           ir::Same(layout.dims[layout.last].capacity,
                    ir::Int::Name(along.name));
  };
  bool shares = false;
  int64_t numbers = 0;
  ForEachStmt(kernel.body, [&](const ir::Stmt& stmt) {
    if (stmt.kind == ir::StmtKind::kLoad) {
      shares = shares || is_one(stmt.results[0], piece);
    } else if (stmt.kind == ir::StmtKind::kCompute) {
      numbers += is_one(stmt.results[0], rows);
    }
  });
  return shares || numbers >= kManyNumbers;
}

// Elements that pieces of rows taken in eights have at most. Many rows at a
// time are better than one and a long piece where cores come out even, and the
// cache holds what they read for a second sweep.
ir::Int MostOfPiece(const ir::TileParameter& piece,
                    const ir::TileParameter& rows) {
  const ir::Int all = ir::Int::Name("core_count") * kRowsAtOnce;
  const ir::Int even =
      Less(AlignUp(rows.extent, all) * kEven, rows.extent * (kEven + 1) + 1);
  const ir::Int length =
      ir::Int::Of(ir::IntKind::kAnd, Less(kLongRow, piece.extent),
                  Less(piece.extent, kLongestCached + 1));
  return ir::Int::Select(ir::Int::Of(ir::IntKind::kAnd, length, even),
                         kEnoughOfEight, piece.most);
}

// Elements that rows cut into `parameter` have at most where a tile has pieces
// of an axis before them, or rows that run at a time: more of those fit where
// rows are shorter.
ir::Int MostOfRow(const ir::Kernel& kernel, const select::Padding& padding,
                  const ir::TileParameter& parameter) {
  using Role = ir::TileParameter::Role;
  const bool shared = parameter.role == Role::kCores;
  ir::Int most = parameter.most;
  for (const ir::Tile& tile : kernel.tiles) {
    const int last = select::LayoutOf(tile.dims, padding).last;
    if (last <= 0 ||
        !ir::Same(tile.dims[last].capacity, ir::Int::Name(parameter.name))) {
      continue;
    }
    for (const ir::TileParameter& one : kernel.parameters) {
      if (one.role != (shared ? Role::kPiece : Role::kRows) ||
          !ir::Same(tile.dims[last - 1].capacity, ir::Int::Name(one.name))) {
        continue;
      }
      const bool in_eights = padding.IsInEights(one.name);
      if (shared) most = Min(most, in_eights ? kEnoughOfEight : kEnoughOfRow);
      if (!shared && in_eights && one.outer.Is(1) &&
          DoesMuchAtOnce(kernel, padding, parameter, one)) {
        return MostOfPiece(parameter, one);
      }
    }
  }
  return most;
}

// Of tiles that have pieces of a loop over cores as rows, and pieces of these
// rows, the latter are chosen first, long enough to move well.
void CutRowsFirst(ir::Kernel& kernel, const select::Padding& padding) {
  using Role = ir::TileParameter::Role;
  auto& parameters = kernel.parameters;
  const auto named = [&](const ir::Int& capacity) {
    return std::find_if(parameters.begin(), parameters.end(),
                        [&](const ir::TileParameter& one) {
                          return ir::Same(capacity, ir::Int::Name(one.name));
                        });
  };
  std::set<std::pair<std::string, std::string>> done;
  for (const ir::Tile& tile : kernel.tiles) {
    const int last = select::LayoutOf(tile.dims, padding).last;
    if (last <= 0) continue;
    const auto row = named(tile.dims[last].capacity);
    const auto count = named(tile.dims[last - 1].capacity);
    if (row == parameters.end() || row->role == Role::kRows ||
        count == parameters.end() || count->role == Role::kRows) {
      continue;
    }
    if (done.contains({count->name, row->name})) {
      // Turned round: both are rows.
      row->most = Min(row->most, kEnoughOfSide);
      count->most = Min(count->most, kEnoughOfSide);
      continue;
    }
    if (count->role != Role::kCores ||
        !done.emplace(row->name, count->name).second) {
      continue;
    }
    row->most = Min(row->most, kEnoughOfRow);
    if (row->role == Role::kCores) {
      // Whichever loop stands in the other: rows are many, so that pieces of
      // them need not be.
      const ir::Int around = std::min(row, count)->outer;
      const ir::Int pieces = CeilDiv(row->extent, ir::Int::Name(row->name));
      row->outer = around * count->extent;
      count->outer = around * pieces;
    }
    if (count < row) std::rotate(count, row, row + 1);
  }
}

}  // namespace

void ChooseUnits(ir::Kernel& kernel) {
  const select::Padding padding = select::PaddingOf(kernel);
  for (ir::TileParameter& parameter : kernel.parameters) {
    if (padding.IsInEights(parameter.name)) {
      parameter.grain = std::max<int64_t>(parameter.grain, 8);
    }
    if (parameter.role == ir::TileParameter::Role::kRows) {
      if (parameter.unit == 1)
        parameter.grain = std::max(parameter.grain, kManyRows);
      continue;
    }
    bool contiguous = false;
    bool alone = true;  // in tiles of one row
    bool rows = false;  // of some tile
    int64_t most = 0;
    for (const ir::Tile& tile : kernel.tiles) {
      const select::Layout layout = select::LayoutOf(tile.dims, padding);
      for (size_t i = 0; i < tile.dims.size(); ++i) {
        if (!Mentions(tile.dims[i].capacity, parameter.name)) continue;
        most = std::max(most, PiecesIn(kernel, tile));
        contiguous = contiguous || static_cast<int>(i) == layout.last;
        alone = alone && static_cast<int>(i) == layout.last && layout.is_flat();
        rows = rows || static_cast<int>(i) < layout.last;
      }
    }
    // Where pieces meet in one tile the smallest ones must fit.
    if (!contiguous || most > 2) continue;
    if (rows) {
      if (parameter.role == ir::TileParameter::Role::kCores) {
        parameter.grain = std::max(parameter.grain, padding.elements);
      }
      continue;
    }
    const bool shared =
        parameter.role == ir::TileParameter::Role::kCores && most == 1 && alone;
    parameter.grain = 16 * padding.elements;
    parameter.unit =
        std::max(parameter.unit, shared ? parameter.grain : padding.elements);
    parameter.most = MostOfRow(kernel, padding, parameter);
  }
  CutRowsFirst(kernel, padding);
}

}  // namespace belay::crux::passes
