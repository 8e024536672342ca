// SPDX-License-Identifier: Apache-2.0
#include "naive_lanes.h"

#include <cstring>
#include <stdexcept>

#include "naive_model.h"
#include "naive_numbers.h"

namespace belay::npu::naive {

using abi::DType;
using abi::Form;
using abi::Op;

namespace {

// Bit number `lane` of a repeat's bits, 32-byte blocks apart by block_stride.
struct BitPlace {
  uint8_t* byte;
  int shift;
};

BitPlace PlaceOf(const abi::Operand& operand, uint32_t repeat, uint32_t lane) {
  const int bits = BitsOfType(operand.dtype);
  const uint32_t lanes_per_block = 256 / bits;
  const uint64_t block =
      uint64_t{repeat} * operand.repeat_stride +
      uint64_t{lane / lanes_per_block} * operand.block_stride;
  const uint64_t bit = lane % lanes_per_block * bits;
  return {reinterpret_cast<uint8_t*>(operand.address) + block * 32 + bit / 8,
          static_cast<int>(bit % 8)};
}

bool IgnoresMask(Op op) {
  return op == Op::kCompare || op == Op::kCompareScalar || op == Op::kBrcb;
}

Repeats ByCount(uint64_t count, uint32_t per_repeat) {
  Repeats repeats;
  for (uint64_t i = 0; i < count; ++i) {
    if (i % per_repeat == 0) repeats.emplace_back();
    repeats.back().push_back(static_cast<uint32_t>(i % per_repeat));
  }
  return repeats;
}

Repeats ByMask(const uint64_t mask[2], uint32_t repeat, uint32_t per_repeat) {
  std::vector<uint32_t> lanes;
  for (uint32_t lane = 0; lane < per_repeat; ++lane) {
    if ((mask[lane / 64] >> lane % 64 & 1) != 0) lanes.push_back(lane);
  }
  return Repeats(repeat, lanes);
}

}  // namespace

std::string_view FamilyOf(Op op) {
  switch (op) {
#define BELAY_OPERATION(name, family) \
  case Op::k##name:                   \
    return #family;
#include "belay/operations.def"
#undef BELAY_OPERATION
    default:
      throw std::logic_error("naive model: invalid operation");
  }
}

uint64_t LoadAt(const uint8_t* at, int bits, int shift) {
  uint64_t value = 0;
  std::memcpy(&value, at, (bits + 7) / 8);
  return bits < 8 ? value >> shift & ((1u << bits) - 1) : value;
}

void StoreAt(uint8_t* at, uint64_t value, int bits, int shift) {
  if (bits < 8) {
    const unsigned field = ((1u << bits) - 1) << shift;
    *at = static_cast<uint8_t>((*at & ~field) | (value << shift & field));
    return;
  }
  std::memcpy(at, &value, bits / 8);
}

uint64_t LoadLane(const abi::Operand& operand, uint32_t repeat, uint32_t lane) {
  const BitPlace place = PlaceOf(operand, repeat, lane);
  return LoadAt(place.byte, BitsOfType(operand.dtype), place.shift);
}

void StoreLane(const abi::Operand& operand, uint32_t repeat, uint32_t lane,
               uint64_t value) {
  const BitPlace place = PlaceOf(operand, repeat, lane);
  StoreAt(place.byte, value, BitsOfType(operand.dtype), place.shift);
}

Repeats Resolve(const abi::Instruction& i, VectorState& state) {
  const uint32_t per_repeat = LanesOfRepeat(i);
  if (IgnoresMask(i.op)) {
    uint64_t repeats = i.repeat;
    if (i.form == Form::kCount && i.op != Op::kBrcb)
      repeats = i.count / per_repeat;
    if (i.form != Form::kCount && state.counter_mode && i.op != Op::kBrcb) {
      repeats = state.mask[0] / per_repeat;
    }
    return ByCount(repeats * per_repeat, per_repeat);
  }
  if (i.form == Form::kCount) {
    state.mask[0] = state.mask[1] = ~uint64_t{0};
    state.counter_mode = false;
    return ByCount(i.count, per_repeat);
  }
  if (i.form == Form::kBitwise) {
    state.mask[0] = i.mask[0];
    state.mask[1] = i.mask[1];
  }
  if (i.form == Form::kContinuous) {
    state.mask[0] = state.mask[1] = 0;
    if (state.counter_mode) {
      state.mask[0] = i.count;
    } else {
      for (uint64_t lane = 0; lane < i.count && lane < per_repeat; ++lane) {
        state.mask[lane / 64] |= uint64_t{1} << lane % 64;
      }
    }
  }
  if (state.counter_mode) return ByCount(state.mask[0], per_repeat);
  return ByMask(state.mask, i.repeat, per_repeat);
}

}  // namespace belay::npu::naive
