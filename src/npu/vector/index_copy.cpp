// SPDX-License-Identifier: Apache-2.0
// CreateVecIndex and Copy.

#include <algorithm>
#include <cstring>

#include "npu/vector/families.h"
#include "npu/vector/lane_access.h"
#include "npu/vector/variants.h"

namespace belay::npu {
namespace {

// At most `limit` lanes, all active.
ActiveLanes LeadingLanes(uint32_t limit) {
  ActiveLanes active;
  active.extent = limit;
  SetLeadingLanes(limit, active.bits);
  return active;
}

// Copies the active lanes of a row of at most 256 bytes, all read before any
// is written.
void CopyRow(const StridedOperand& dst, const StridedOperand& src,
             const ActiveLanes& active, uint32_t repeat) {
  if (active.leading && dst.RowsAreContiguous(active.extent) &&
      src.RowsAreContiguous(active.extent)) {
    std::memmove(dst.Row(repeat), src.Row(repeat),
                 uint64_t{active.extent} * dst.element_bits() / 8);
    return;
  }
  LaneBuffer buffer;
  src.Gather(repeat, active, buffer);
  dst.Scatter(repeat, active, buffer);
}

// The operand from lane `lane` of repeat `repeat` on.
abi::Operand From(const abi::Operand& operand, uint32_t element_bytes,
                  uint32_t repeat, uint32_t lane) {
  abi::Operand part = operand;
  part.address += LaneOffset(operand, element_bytes, repeat, lane);
  return part;
}

}  // namespace

void ExecuteCreateVecIndex(const abi::Instruction& instruction,
                           const Lanes& lanes, const VectorState& state) {
  const FlatFunction count_up =
      Flat().count_up[static_cast<int>(instruction.dst.dtype)]
                     [state.saturate ? 1 : 0];
  const StridedOperand dst(instruction.dst);
  uint64_t start = 0;
  if (lanes.counter && dst.IsContiguous(lanes)) {
    count_up(dst.Row(0), nullptr, &start, instruction.scalar, lanes.count);
    return;
  }
  // Lanes that are not active count as well.
  LaneBuffer row;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    start = uint64_t{repeat} * lanes.per_repeat;
    count_up(row.bytes, nullptr, &start, instruction.scalar, lanes.per_repeat);
    dst.Scatter(repeat, ActiveLanesOf(lanes, repeat), row);
  }
}

void ExecuteCopy(const abi::Instruction& instruction, const Lanes& lanes) {
  const StridedOperand dst(instruction.dst);
  const StridedOperand src(instruction.src0);
  const uint32_t bytes = dst.element_bits() / 8;
  const uint32_t row = kRepeatBytes / bytes;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    if (lanes.per_repeat == row) {
      CopyRow(dst, src, ActiveLanesOf(lanes, repeat), repeat);
      continue;
    }
    // In counter mode a repeat has as many lanes as it likes.
    for (uint32_t first = 0; first < lanes.per_repeat; first += row) {
      const uint32_t count = std::min(row, lanes.per_repeat - first);
      CopyRow(StridedOperand(From(instruction.dst, bytes, repeat, first)),
              StridedOperand(From(instruction.src0, bytes, repeat, first)),
              LeadingLanes(count), 0);
    }
  }
}

}  // namespace belay::npu
