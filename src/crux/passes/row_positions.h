// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_ROW_POSITIONS_H_
#define BELAY_CRUX_PASSES_ROW_POSITIONS_H_

// Integers read from tiles that only say where something lies in memory, as in
// `load(table[load(ids[r]), :])`: nobody needs to know them before the move, so
// the tile itself may be the index, and many iterations can run at a time.

#include <memory>
#include <utility>
#include <vector>

#include "crux/ir/tile.h"

namespace belay::crux::passes {

class RowPositions {
 public:
  // Of a loop's body. Restore() undoes what was changed.
  RowPositions(const ir::Kernel& kernel, ir::Block& body);

  // Whether all that the body itself reads is an index now.
  bool changed() const { return !indices_.empty(); }
  void Restore();

 private:
  ir::Block& body_;
  ir::Block before_;
  std::vector<std::pair<ir::Index*, ir::Index>> indices_;  // and what they were
};

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_ROW_POSITIONS_H_
