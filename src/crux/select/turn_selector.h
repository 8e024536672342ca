// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_TURN_SELECTOR_H_
#define BELAY_CRUX_SELECT_TURN_SELECTOR_H_

// Selects kTurn and kTurnBack: when their lists of addresses are worked out.

#include <map>
#include <string>
#include <vector>

#include "crux/select/occurrences.h"
#include "crux/select/storage.h"
#include "crux/select/turn.h"

namespace belay::crux::select {

// Everything it is made with must outlive it.
class TurnSelector {
 public:
  TurnSelector(const ir::Kernel& kernel, const StoragePlan& plan,
               const Occurrences& at, Emitter& emitter)
      : kernel_(kernel), plan_(plan), at_(at), emitter_(emitter) {}

  // The load of `loaded`, at `flat`, is under way: meanwhile the lists of its
  // turn are worked out.
  void Prepare(int loaded, const Local& flat);

  // Before the tiles of `stmt` are taken out of their queues: the first turn of
  // a block works out the lists of turns back behind it, as far as their tiles
  // have one address each.
  void Before(const ir::Stmt& stmt);

  // Both tiles have their places.
  void Select(const ir::Stmt& stmt);

 private:
  void PlanBehind(const Occurrence& first, const Turn& turn);
  std::vector<TurnPlaces> TakeBehind();
  // Where the columns of a turn are, before they are.
  Local LinesOf(int tile);
  // Which slot the turn behind `count` others has.
  static Int SlotOf(const Turn& turn, const Int& count);
  // Memory to fill the lists of `stmt` in, and of those behind: that of its
  // columns, where nothing is yet.
  Local Free(const Turn& turn, const ir::Stmt& stmt);
  // Whether a buffer holds nothing when `loaded` is loaded.
  bool IsFreeBehind(int loaded, const std::string& buffer) const;
  // Of the queue that a tile goes through; 1 without.
  int SlotsOf(int tile) const;

  const ir::Kernel& kernel_;
  const StoragePlan& plan_;
  const Occurrences& at_;
  Emitter& emitter_;
  std::map<const ir::Stmt*, Turn> filled_;
  std::map<const ir::Stmt*, Int> turns_;  // counted where they are needed
  std::vector<const ir::Stmt*> behind_;   // lists are to be filled
};

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_TURN_SELECTOR_H_
