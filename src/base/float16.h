// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASE_FLOAT16_H_
#define BELAY_BASE_FLOAT16_H_

// Exact IEEE half and bfloat16 as bits, and their conversions by round to
// nearest even. Loops over these functions vectorise: no branches, no table,
// no instruction beyond the host's baseline.
//
// The host's floating-point environment must be the default one (round to
// nearest, subnormals kept), and the code must not be built with -ffast-math.

#include <bit>
#include <cstdint>

#ifdef __FAST_MATH__
#error "base/float16.h is wrong under -ffast-math"
#endif

namespace belay {

struct Half {
  uint16_t bits;

  friend constexpr bool operator==(Half, Half) = default;  // compares bits
};

struct Bfloat16 {
  uint16_t bits;

  friend constexpr bool operator==(Bfloat16, Bfloat16) = default;
};

static_assert(sizeof(Half) == 2 && sizeof(Bfloat16) == 2);

// Exact. The payload and sign of a NaN are kept, and a signalling one stays so.
constexpr float ToFloat(Half half) {
  const uint32_t sign = (half.bits & 0x8000u) << 16;
  const uint32_t magnitude = half.bits & 0x7fffu;
  const float subnormal =
      static_cast<float>(static_cast<int32_t>(magnitude)) * 0x1p-24f;
  const uint32_t rebias = magnitude >= 0x7c00u ? 224u << 23 : 112u << 23;
  const uint32_t normal = (magnitude << 13) + rebias;
  const uint32_t result =
      magnitude < 0x0400u ? std::bit_cast<uint32_t>(subnormal) : normal;
  return std::bit_cast<float>(result | sign);
}

// Exact, NaNs as above.
constexpr float ToFloat(Bfloat16 value) {
  return std::bit_cast<float>(static_cast<uint32_t>(value.bits) << 16);
}

// Overflow becomes infinity. A NaN stays a quiet NaN with its sign and the
// upper bits of its payload.
constexpr Half HalfFromFloat(float value) {
  constexpr uint32_t kSmallestNormal = 113u << 23;  // 2^-14
  constexpr uint32_t kFirstBeyond = 143u << 23;     // 2^16
  constexpr uint32_t kInfinity = 255u << 23;        // of float
  constexpr uint32_t kOneHalf = 126u << 23;         // 0.5f: its unit is 2^-24
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;

  const uint32_t normal =
      (magnitude + 0xfffu + ((magnitude >> 13) & 1u) - (112u << 23)) >> 13;
  const uint32_t subnormal =
      std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) -
      kOneHalf;
  const uint32_t nan = 0x7e00u | ((magnitude >> 13) & 0x3ffu);

  uint32_t result = magnitude < kSmallestNormal ? subnormal : normal;
  result = magnitude >= kFirstBeyond ? 0x7c00u : result;
  result = magnitude > kInfinity ? nan : result;
  return Half{static_cast<uint16_t>(result | sign)};
}

// Overflow and NaNs as for half.
constexpr Bfloat16 BfloatFromFloat(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  const uint32_t nan = (bits >> 16) | 0x0040u;
  const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return Bfloat16{static_cast<uint16_t>(is_nan ? nan : rounded)};
}

}  // namespace belay

#endif  // BELAY_BASE_FLOAT16_H_
