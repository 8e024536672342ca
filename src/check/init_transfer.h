// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_INIT_TRANSFER_H_
#define BELAY_CHECK_INIT_TRANSFER_H_

// What moves between memories do to the shadow.

#include <cstdint>

#include "check/shadow_map.h"
#include "npu/observer.h"

namespace belay::check {

// Some bytes of a move at fault: the first, and how many.
struct Faulty {
  uint64_t first = 0;
  uint64_t bytes = 0;
  void Note(uint64_t address, uint64_t count = 1) {
    if (bytes == 0) first = address;
    bytes += count;
  }
};

// What DataCopyPad writes beside the data: a value, the first element of the
// block over again (which fills up blocks nobody asked to pad), or anything.
enum class Padding : uint8_t { kNone, kValue, kFiller, kUndefined };

// A move to on-chip memory; nullptr stands for a source that is clear. Padding
// of the kind `marked` is set; a filler is as its first element, all other
// padding is clear. Says whether such padding was written.
bool PropagateLoad(const npu::InstructionEvent& event, const ShadowMap* source,
                   ShadowMap& destination, Padding marked);

// A move to global memory. Bytes that are undefined through and through are
// faults up to `end`, where the allocation's own bytes end, and count as
// defined from then on.
struct StoreFaults {
  Faulty stored;       // addresses in the source
  Faulty accumulated;  // addresses in the destination an atomic move reads
};
StoreFaults PropagateStore(const npu::InstructionEvent& event,
                           const ShadowMap& source, ShadowMap& destination,
                           uint64_t end);

// Bytes of a move to global memory that are stale and not undefined.
Faulty FindStale(const npu::InstructionEvent& event, const ShadowMap& undefined,
                 const ShadowMap& stale, uint64_t end);

}  // namespace belay::check

#endif  // BELAY_CHECK_INIT_TRANSFER_H_
