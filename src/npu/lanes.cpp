// SPDX-License-Identifier: Apache-2.0
#include "npu/lanes.h"

#include <algorithm>

#include "npu/vector/sort.h"

namespace belay::npu {
namespace {

Lanes LanesOfRegister(const VectorState& state, uint32_t repeat,
                      uint32_t per_repeat) {
  Lanes lanes;
  lanes.per_repeat = per_repeat;
  if (state.counter_mode) {
    lanes.counter = true;
    lanes.count = state.mask[0];
    lanes.repeats =
        static_cast<uint32_t>((lanes.count + per_repeat - 1) / per_repeat);
    return lanes;
  }
  lanes.repeats = repeat;
  SetLeadingLanes(per_repeat, lanes.mask);
  lanes.mask[0] &= state.mask[0];
  lanes.mask[1] &= state.mask[1];
  return lanes;
}

// Instructions without a mask: all lanes of all repeats, registers untouched.
Lanes AllLanes(uint64_t repeats, uint32_t per_repeat) {
  Lanes lanes;
  lanes.per_repeat = per_repeat;
  lanes.repeats = static_cast<uint32_t>(repeats);
  SetLeadingLanes(per_repeat, lanes.mask);
  return lanes;
}

// Compare and CompareScalar know no mask on this chip: they work on whole
// repeats. Of a count only the whole repeats are compared (page Compare).
Lanes LanesOfCompare(const abi::Instruction& instruction, uint32_t per_repeat,
                     const VectorState& state) {
  if (instruction.form == abi::Form::kCount) {
    return AllLanes(instruction.count / per_repeat, per_repeat);
  }
  return AllLanes(
      state.counter_mode ? state.mask[0] / per_repeat : instruction.repeat,
      per_repeat);
}

// `count` lanes in each repeat, however many 32-byte blocks that makes.
Lanes CountedLanes(uint64_t repeats, uint64_t count) {
  Lanes lanes;
  lanes.counter = true;
  // No memory has room for as many as this.
  lanes.per_repeat = static_cast<uint32_t>(std::min<uint64_t>(count, 1u << 31));
  lanes.repeats = count == 0 ? 0 : static_cast<uint32_t>(repeats);
  lanes.count = uint64_t{lanes.repeats} * lanes.per_repeat;
  return lanes;
}

// Mask and mode do not count, and normal mode is left behind.
Lanes LanesOfGatherMask(const abi::Instruction& instruction,
                        uint32_t per_repeat, VectorState& state) {
  state.counter_mode = false;
  if (instruction.gather_mask.by_mask != 0) {
    return CountedLanes(instruction.repeat, instruction.count);
  }
  return AllLanes(instruction.repeat, per_repeat);
}

}  // namespace

Lanes ResolveLanes(const abi::Instruction& instruction, uint32_t per_repeat,
                   VectorState& state) {
  switch (instruction.op) {
    case abi::Op::kCompare:
    case abi::Op::kCompareScalar:
      return LanesOfCompare(instruction, per_repeat, state);
    case abi::Op::kGatherMask:
      return LanesOfGatherMask(instruction, per_repeat, state);
    case abi::Op::kMrgSort:
      return AllLanes(MayRepeatMerge(instruction)
                          ? instruction.repeat
                          : std::min<uint32_t>(instruction.repeat, 1),
                      per_repeat);
    case abi::Op::kBrcb:
    case abi::Op::kGatherb:
    case abi::Op::kSort32:
    case abi::Op::kTransDataTo5HD:
    case abi::Op::kTranspose:
    case abi::Op::kGetCmpMask:
    case abi::Op::kSetCmpMask:
      return AllLanes(instruction.repeat, per_repeat);
    default:
      break;
  }
  switch (instruction.form) {
    case abi::Form::kCount: {
      state.counter_mode = true;
      state.mask[0] = instruction.count;
      state.mask[1] = 0;
      const Lanes lanes =
          LanesOfRegister(state, instruction.repeat, per_repeat);
      state.ResetMask();
      return lanes;
    }
    case abi::Form::kContinuous:
      if (state.counter_mode) {
        state.mask[0] = instruction.count;
        state.mask[1] = 0;
      } else {
        SetLeadingLanes(std::min<uint64_t>(instruction.count, per_repeat),
                        state.mask);
      }
      break;
    case abi::Form::kBitwise:
      state.mask[0] = instruction.mask[0];
      state.mask[1] = instruction.mask[1];
      break;
    case abi::Form::kRegister:
      break;
  }
  // In counter mode a Copy counts the lanes of each repeat (page Copy).
  if (instruction.op == abi::Op::kCopy && state.counter_mode) {
    return CountedLanes(instruction.repeat, state.mask[0]);
  }
  return LanesOfRegister(state, instruction.repeat, per_repeat);
}

void SetLeadingLanes(uint64_t count, uint64_t mask[2]) {
  const auto leading = [](uint64_t lanes) {
    return lanes >= 64 ? ~uint64_t{0} : (uint64_t{1} << lanes) - 1;
  };
  mask[0] = leading(count);
  mask[1] = count > 64 ? leading(count - 64) : 0;
}

}  // namespace belay::npu
