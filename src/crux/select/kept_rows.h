// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_KEPT_ROWS_H_
#define BELAY_CRUX_SELECT_KEPT_ROWS_H_

// Rows that stay on chip from turn to turn (overlaps.h): where they are, and
// the moves from and to there.

#include <map>
#include <string>

#include "crux/ir/tile.h"
#include "crux/select/emitter.h"
#include "crux/select/overlaps.h"
#include "crux/select/storage.h"

namespace belay::crux::select {

class KeptRows {
 public:
  KeptRows(const ir::Kernel& kernel, const StoragePlan& plan, Emitter& emitter)
      : kernel_(kernel), plan_(plan), emitter_(emitter) {}

  // Looks for loads of pieces that have rows in common with the piece before,
  // where `again` says that the last turn loaded that; whether there are any.
  bool Find(const ir::Loop& loop, const Int& again);

  // How many rows the load of a tile need not take.
  Int SkippedBy(int tile) const;

  // Once a loaded tile is there: takes the rows that it has in common with the
  // last turn's, and keeps those that the next turn's has.
  void TakeOver(int tile);

 private:
  struct Kept {
    Overlap overlap;
    Int again;
    std::string buffer;
  };

  const ir::Kernel& kernel_;
  const StoragePlan& plan_;
  Emitter& emitter_;
  std::map<int, Kept> kept_;  // by loaded tile
};

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_KEPT_ROWS_H_
