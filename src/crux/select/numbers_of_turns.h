// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_NUMBERS_OF_TURNS_H_
#define BELAY_CRUX_SELECT_NUMBERS_OF_TURNS_H_

// Tiles of one number for each row of a turn, as the weights and means of its
// channels: a few bytes, which memory takes as long for as for many. Where
// loading holds a loop over cores up, and its turns move several such tiles,
// they are loaded, and stored, for several turns at once: all of them by one
// slot of a queue. In between they are kept on chip, those of each turn in
// blocks of their own.

#include <string>
#include <vector>

#include "crux/ir/tile.h"
#include "crux/select/cores.h"
#include "crux/select/emitter.h"
#include "crux/select/lives.h"
#include "crux/select/storage.h"

namespace belay::crux::select {

// Finds these tiles, once the others' homes are known, and gives those that are
// loaded, and those that are stored, a queue.
void PlanNumbersOfTurns(const ir::Kernel& kernel, const Lives& lives,
                        StoragePlan& plan);

class NumbersOfTurns {
 public:
  NumbersOfTurns(const ir::Kernel& kernel, const StoragePlan& plan,
                 Emitter& emitter)
      : kernel_(kernel), plan_(plan), emitter_(emitter) {}

  // Before a nest that the core has the items `range` of: makes room for the
  // numbers, and says what turns have to define.
  void Begin(CoresNest& nest, const ItemRange& range);

  bool Has(int tile) const { return plan_.numbers.Has(tile); }

  // The load of one of the tiles: the first loads all of them, for this turn
  // and those behind it, if the last ones are used up.
  void Load(const ir::Stmt& stmt);
  // Opens a loaded tile.
  void TakeOut(int tile);
  // Where the numbers of this turn are, under the name.
  Local PlaceOf(int tile, const std::string& name);
  // At the end of a turn of the loop: stores what was made in it and in turns
  // before it, if no more can be kept.
  void Store(const ir::Loop& loop);

 private:
  // The first number of a tile in the buffer, behind the offsets.
  Int BeginOf(int tile) const;
  // Moves numbers of tiles from a slot to where they are kept, or back: as many
  // as are written.
  void Move(const std::vector<int>& tiles, const std::string& slot,
            const Int& count, bool in);
  // Of the queue of a tile.
  void Queue(code::StmtKind kind, int tile, const std::string& local);

  const ir::Kernel& kernel_;
  const StoragePlan& plan_;
  Emitter& emitter_;
  const ir::Loop* loop_ = nullptr;
  std::string kept_;    // the buffer
  bool taken_ = false;  // the loaded ones are, in this turn
  Int pitch_;           // elements from turn to turn
  Int room_;            // for the numbers of a tile that are moved at once
  Int turns_;           // that are moved at once
  Int turn_;            // which of them is at hand
  Int end_;             // the first position behind those of the core
};

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_NUMBERS_OF_TURNS_H_
