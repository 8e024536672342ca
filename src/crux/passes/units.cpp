// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/units.h"

#include <algorithm>
#include <string>

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

bool IsInEights(const select::Padding& padding, const std::string& name) {
  return std::find(padding.rows.begin(), padding.rows.end(), name) !=
         padding.rows.end();
}

// Elements that rows cut into `parameter` have at most where a tile has pieces
// of an axis before them: more of those fit where rows are shorter.
int64_t MostOfRow(const ir::Kernel& kernel, const select::Padding& padding,
                  const ir::TileParameter& parameter) {
  int64_t most = parameter.most;
  for (const ir::Tile& tile : kernel.tiles) {
    const int last = select::LayoutOf(tile.dims, padding).last;
    if (last <= 0 ||
        !ir::Same(tile.dims[last].capacity, ir::Int::Name(parameter.name))) {
      continue;
    }
    for (const ir::TileParameter& one : kernel.parameters) {
      if (one.role != ir::TileParameter::Role::kPiece ||
          !ir::Same(tile.dims[last - 1].capacity, ir::Int::Name(one.name))) {
        continue;
      }
      most = std::min(
          most, IsInEights(padding, one.name) ? kEnoughOfEight : kEnoughOfRow);
    }
  }
  return most;
}

}  // namespace

void ChooseUnits(ir::Kernel& kernel) {
  const select::Padding padding = select::PaddingOf(kernel);
  for (ir::TileParameter& parameter : kernel.parameters) {
    if (IsInEights(padding, parameter.name)) {
      parameter.grain = std::max<int64_t>(parameter.grain, 8);
    }
    if (parameter.role == ir::TileParameter::Role::kRows) continue;
    bool contiguous = false;
    bool alone = true;  // in tiles of one row
    int64_t most = 0;
    for (const ir::Tile& tile : kernel.tiles) {
      const select::Layout layout = select::LayoutOf(tile.dims, padding);
      for (size_t i = 0; i < tile.dims.size(); ++i) {
        if (!Mentions(tile.dims[i].capacity, parameter.name)) continue;
        most = std::max(most, PiecesIn(kernel, tile));
        contiguous = contiguous || static_cast<int>(i) == layout.last;
        alone = alone && static_cast<int>(i) == layout.last && layout.is_flat();
      }
    }
    // Where pieces meet in one tile the smallest ones must fit.
    if (!contiguous || most > 2) continue;
    const bool shared =
        parameter.role == ir::TileParameter::Role::kCores && most == 1 && alone;
    parameter.grain = 16 * padding.elements;
    parameter.unit =
        std::max(parameter.unit, shared ? parameter.grain : padding.elements);
    if (parameter.role == ir::TileParameter::Role::kCores) {
      parameter.most = MostOfRow(kernel, padding, parameter);
    }
  }
}

}  // namespace belay::crux::passes
