// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CHECK_NAIVE_PLACES_H_
#define BELAY_TESTS_CHECK_NAIVE_PLACES_H_

// Where lanes lie, and what memory really holds, for the naive model.

#include <cstdint>
#include <cstring>

#include "base/dtype.h"
#include "belay/instruction.h"

namespace belay::check {

inline constexpr uint64_t kBlock = 32;

// Where a lane lies, in bits from the operand's address.
inline uint64_t BitOffset(const abi::Operand& operand, uint32_t repeat,
                          uint32_t lane) {
  const uint64_t bits = BitsOf(operand.dtype);
  const uint64_t per_block = kBlock * 8 / bits;
  const uint64_t block = uint64_t{repeat} * operand.repeat_stride +
                         lane / per_block * operand.block_stride;
  return block * kBlock * 8 + lane % per_block * bits;
}

template <typename T>
T Load(uint64_t address) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value;
}

inline bool RealBit(uint64_t address, uint64_t bit) {
  return Load<uint8_t>(address + bit / 8) >> bit % 8 & 1;
}

}  // namespace belay::check

#endif  // BELAY_TESTS_CHECK_NAIVE_PLACES_H_
