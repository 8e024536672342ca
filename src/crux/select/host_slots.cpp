// SPDX-License-Identifier: Apache-2.0
#include "crux/select/host_slots.h"

#include <algorithm>

namespace belay::crux::select {

HostSlots::HostSlots(const StoragePlan& plan, Emitter& emitter)
    : plan_(plan), queues_(plan.slots_by_host) {
  if (queues_.empty()) return;
  in_ = emitter.FreshName("slots_in");
  out_ = emitter.FreshName("slots_out");
}

Int HostSlots::TurnsAhead(const LoadsAhead& loads) {
  bool by_host = false;
  for (const ir::Stmt* load : loads.next) {
    const std::string& queue = plan_.tiles[load->results[0]].container;
    // What bodies load for the next turn counts on it.
    if (!loads.reloads.empty()) queues_.erase(queue);
    by_host = by_host || queues_.contains(queue);
  }
  return by_host ? Int::Name(in_) - 1 : Int(1);
}

void HostSlots::Name(code::Kernel& kernel) const {
  using code::QueuePosition;
  for (const QueuePosition position :
       {QueuePosition::kOut, QueuePosition::kIn}) {
    code::HostSlots slots{position == QueuePosition::kIn ? in_ : out_, 0};
    for (code::Queue& queue : kernel.queues) {
      if (queue.position != position || !queues_.contains(queue.name)) continue;
      slots.most = std::min(queue.depth, 2);
      queue.slots = Int::Name(slots.name);
    }
    if (slots.most > 0) kernel.slots.push_back(slots);
    if (position == QueuePosition::kOut && !plan_.halves.empty()) {
      kernel.slots.push_back({plan_.halves, 2});
    }
  }
}

}  // namespace belay::crux::select
