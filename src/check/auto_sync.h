// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_AUTO_SYNC_H_
#define BELAY_CHECK_AUTO_SYNC_H_

// What the device compiler synchronises by itself (--cce-auto-sync=on).
//
// On vector cores, where two calls that take tensors touch the same bytes and
// one of them writes, it puts directly before the later one
//   V after V            PipeBarrier<PIPE_V>
//   V after S            SetFlag and WaitFlag of S_V; likewise V_S, S_MTE2,
//                        MTE2_S, S_MTE3, MTE3_S.
// Nothing between V, MTE2 and MTE3, nothing for calls on pointers, and nothing
// for GlobalTensor::SetValue.

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "npu/observer.h"

namespace belay::check {

// Whether the compiler orders this instruction or scalar access at all.
bool TakesTensors(const npu::InstructionEvent& event);
bool TakesTensors(const npu::ScalarEvent& event, bool global);

// Whether it orders two such calls of one vector core by their pipes.
constexpr bool AutoSyncOrders(abi::Pipe earlier, abi::Pipe later) {
  const auto moves = [](abi::Pipe pipe) {
    return pipe == abi::Pipe::kV || pipe == abi::Pipe::kMte2 ||
           pipe == abi::Pipe::kMte3;
  };
  if (earlier == abi::Pipe::kS) return moves(later);
  if (later == abi::Pipe::kS) return moves(earlier);
  return earlier == abi::Pipe::kV && later == abi::Pipe::kV;
}

// One synchronisation the compiler puts in.
struct AutoSyncEdge {
  abi::Pipe from;
  abi::Pipe to;         // the same: a barrier
  uint64_t earlier_pc;  // what must be complete
  uint64_t later_pc;    // the synchronisation stands directly before it
  uint64_t count;       // how often it was passed
};

// The synchronisations of a launch, by place.
class AutoSyncLog {
 public:
  void Add(abi::Pipe from, abi::Pipe to, uint64_t earlier_pc,
           uint64_t later_pc) {
    ++edges_[{later_pc, earlier_pc, from, to}];
  }
  std::vector<AutoSyncEdge> Edges() const;
  void Clear() { edges_.clear(); }

 private:
  std::map<std::tuple<uint64_t, uint64_t, abi::Pipe, abi::Pipe>, uint64_t>
      edges_;
};

}  // namespace belay::check

#endif  // BELAY_CHECK_AUTO_SYNC_H_
