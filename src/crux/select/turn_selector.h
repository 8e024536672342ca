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

// All of a buffer, as a tensor of `dtype`.
Local NameOfBuffer(Emitter& emitter, const std::string& buffer, DType dtype,
                   const std::string& wish);

// Everything it is made with must outlive it.
class TurnSelector {
 public:
  TurnSelector(const ir::Kernel& kernel, const StoragePlan& plan,
               const Occurrences& at, Emitter& emitter)
      : kernel_(kernel), plan_(plan), at_(at), emitter_(emitter) {}

  // Both tiles have their places. The first turn of a block also works out the
  // lists of those behind it, as far as their tiles have one address each.
  void Select(const ir::Stmt& stmt);

 private:
  void PlanBehind(const ir::Stmt& first, const Turn& turn);
  void FillBehind();
  // Of the queue that a tile goes through; 1 without.
  int SlotsOf(int tile) const;
  void Queue(code::StmtKind kind, int tile, const std::string& local);

  const ir::Kernel& kernel_;
  const StoragePlan& plan_;
  const Occurrences& at_;
  Emitter& emitter_;
  std::map<const ir::Stmt*, Turn> filled_;  // by the first turn
  std::vector<const ir::Stmt*> to_be_filled_;
};

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_TURN_SELECTOR_H_
