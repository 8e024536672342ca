// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_HOST_SLOTS_H_
#define BELAY_CRUX_SELECT_HOST_SLOTS_H_

// Slots of queues that the host chooses: as many as are planned, or one where
// long rows would not fit on chip otherwise. Where one is planned it is a host
// value, too, so that variants for other dtypes have the same text. Of one row
// that is made in parts both halves lie in a slot, or one (select/parts.h).

#include <set>
#include <string>

#include "crux/ir/code.h"
#include "crux/select/emitter.h"
#include "crux/select/loads_ahead.h"
#include "crux/select/storage.h"

namespace belay::crux::select {

class HostSlots {
 public:
  HostSlots(const StoragePlan& plan, Emitter& emitter);

  // How many turns ahead `loads.next` are done: none where a queue has one
  // slot, which is free in the turn itself only.
  Int TurnsAhead(const LoadsAhead& loads);

  // Gives `kernel` the host values, and its queues as many slots. Those out
  // lose their second one first: stores end beside the work on the next row.
  // Halves are two more instructions.
  void Name(code::Kernel& kernel) const;

 private:
  const StoragePlan& plan_;
  std::set<std::string> queues_;  // that have as many
  std::string in_;                // host values
  std::string out_;
};

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_HOST_SLOTS_H_
