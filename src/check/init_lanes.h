// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_INIT_LANES_H_
#define BELAY_CHECK_INIT_LANES_H_

// What vector instructions do to the shadow, lane by lane: a result is as
// undefined as what it was made of. Moves and bitwise operations keep single
// bits apart; arithmetic makes whole elements undefined.

#include <cstdint>

#include "check/init_touches.h"
#include "check/shadow_map.h"
#include "npu/observer.h"

namespace belay::check {

// Places where undefined values do harm at once, because what depends on them
// cannot be told lane by lane.
enum class Sink : uint8_t { kNone, kIndex, kMask, kReduction, kSort };

struct Reached {
  Sink sink = Sink::kNone;
  uint64_t address = 0;  // the first byte at fault
  uint64_t bytes = 0;    // the element it belongs to

  // The first one counts.
  void Note(Sink kind, uint64_t at, uint64_t element) {
    if (sink == Sink::kNone) *this = {kind, at, element};
  }
};

// One instruction on one map. The comparison register has a shadow of its
// own. With `judges`, undefined values that reach a sink are noted there and
// count as defined from then on, so that one cause gives one finding; without,
// they spread to everything that depends on them.
struct LaneWork {
  const npu::InstructionEvent& event;
  const Touches& touches;
  ShadowMap& shadow;
  uint64_t* compare_bits;  // two words
  bool judges;
  Reached reached;

  const abi::Instruction& instruction() const { return event.instruction; }
  const npu::Lanes& lanes() const { return *event.lanes; }
};

// Any vector instruction. Called before the instruction executes.
void Propagate(LaneWork& work);

// By family. These two see to the map themselves.
void PropagateElementwise(LaneWork& work);  // also Fused and Cast
void PropagateReduce(LaneWork& work);
// For these the shadow of all that is read is exposed, and what is written is
// settled afterwards.
void PropagateCastDequant(LaneWork& work);
void PropagateCompare(LaneWork& work);
void PropagateCmpMask(LaneWork& work);
void PropagateSelect(LaneWork& work);
void PropagateReduceParts(LaneWork& work);
void PropagateMove(LaneWork& work);  // elements move, nothing is computed
void PropagateSort(LaneWork& work);
void PropagateMerge(LaneWork& work);

// The first undefined offset or address that a Gather, Gatherb or
// TransDataTo5HD would use.
Reached FindUndefinedIndex(const npu::InstructionEvent& event,
                           const ShadowMap& shadow);

// The operand with the shadow of its bytes in their place.
inline abi::Operand ShadowOperand(const LaneWork& work, abi::Operand operand) {
  operand.address =
      reinterpret_cast<uint64_t>(work.shadow.ShadowOf(operand.address));
  return operand;
}

// True if any of the bytes is not 0.
inline bool AnySet(const uint8_t* bytes, uint32_t count) {
  uint8_t any = 0;
  for (uint32_t i = 0; i < count; ++i) any |= bytes[i];
  return any != 0;
}

}  // namespace belay::check

#endif  // BELAY_CHECK_INIT_LANES_H_
