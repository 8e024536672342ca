// SPDX-License-Identifier: Apache-2.0
// CastDequant: int32 to half by a scale, and int16 to 8 bits by scale and
// offset.
//
// To 8 bits, each 32-byte block of the source fills one half of a block of the
// destination and leaves the other half as it is (page CastDequant: two calls
// make one contiguous result). The value is (src * scale) + offset, rounded to
// nearest even and clamped to what the sign bit of the parameters says. The
// unit keeps ten bits of the scale's fraction (page SetDeqScale).

#include "npu/vector/dequant.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "npu/vector/families.h"
#include "npu/vector/flat_runner.h"
#include "npu/vector/lane_access.h"
#include "npu/vector/variants.h"

namespace belay::npu {
namespace {

constexpr uint32_t kLanesPerBlock = kBlockBytes / sizeof(int16_t);

struct Parameters {
  double scale;
  int offset;
  bool is_signed;

  explicit Parameters(uint64_t word)
      : scale(std::bit_cast<float>(static_cast<uint32_t>(word) & ~0x1fffu)),
        offset(static_cast<int>((word >> 37 & 0x1ff) ^ 0x100) - 0x100),
        is_signed((word >> 46 & 1) != 0) {}

  // NaN gives 0. The sum is exact, or far from halfway between two integers.
  uint8_t Apply(int16_t value) const {
    const double exact = value * scale + offset;
    if (exact != exact) return 0;
    const double low = is_signed ? -128 : 0;
    const double high = is_signed ? 127 : 255;
    return static_cast<uint8_t>(
        static_cast<int>(std::clamp(std::nearbyint(exact), low, high)));
  }
};

void CastToBytes(const abi::Instruction& instruction, const Lanes& lanes,
                 const VectorState& state) {
  uint64_t words[kDequantWords];
  if (HasDequantTensor(instruction)) {
    std::memcpy(words, reinterpret_cast<const void*>(state.dequant),
                sizeof words);
  } else {
    std::fill(std::begin(words), std::end(words), state.dequant);
  }
  const uint32_t half = (instruction.mode & 1) != 0 ? kBlockBytes / 2 : 0;
  const StridedOperand src(instruction.src0);
  const StridedOperand dst(instruction.dst);
  const uint64_t block_step =
      uint64_t{instruction.dst.block_stride} * kBlockBytes;
  LaneBuffer buffer;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    const ActiveLanes active = ActiveLanesOf(lanes, repeat);
    const uint8_t* from = src.Lanes(repeat, active, buffer);
    uint8_t results[kMaxLanes] = {};
    for (uint32_t lane = 0; lane < active.extent; ++lane) {
      int16_t value;
      std::memcpy(&value, from + lane * sizeof value, sizeof value);
      results[lane] = Parameters(words[lane % kLanesPerBlock]).Apply(value);
    }
    uint8_t* row = dst.Row(repeat);
    for (uint32_t lane = 0; lane < active.extent; ++lane) {
      if (!active.Has(lane)) continue;
      row[lane / kLanesPerBlock * block_step + half + lane % kLanesPerBlock] =
          results[lane];
    }
  }
}

}  // namespace

void ExecuteCastDequant(const abi::Instruction& instruction, const Lanes& lanes,
                        const VectorState& state) {
  if (instruction.src0.dtype == abi::DType::kInt16) {
    return CastToBytes(instruction, lanes, state);
  }
  const FlatFunction function =
      Flat().cast[static_cast<int>(instruction.src0.dtype)]
                 [static_cast<int>(instruction.dst.dtype)]
                 [static_cast<int>(abi::Round::kRint)][state.saturate ? 1 : 0];
  RunFlat(function, {&instruction.dst, &instruction.src0},
          std::bit_cast<uint32_t>(state.deq_scale), lanes);
}

}  // namespace belay::npu
