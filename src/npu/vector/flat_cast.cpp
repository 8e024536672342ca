// SPDX-License-Identifier: Apache-2.0
// Cast, for every pair of types the chip has (page Cast). Modes that a pair
// does not have act as if it had them.
//
// Values beyond an integer type clamp to its limits and NaN becomes 0, in and
// out of saturation mode alike. half and bfloat16 results overflow to infinity
// or clamp, by saturation mode. float to float rounds to whole numbers and
// turns -0 into +0. int32 to half multiplies by the dequantisation scale and
// rounds the exact product to nearest even, whatever the mode says.

#include "npu/vector/flat_lane.h"

namespace belay::npu::BELAY_FLAT_VARIANT {
namespace {

template <typename To, typename From, Round kMode, bool kSaturating>
inline To ConvertLane(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return Canonical(Convert<To, kMode>(value, false) + 0.0f);
  } else if constexpr (std::is_same_v<To, float> || std::is_same_v<To, Half> ||
                       std::is_same_v<To, Bfloat16>) {
    return Canonical(Convert<To, kMode>(value, kSaturating));
  } else {
    return Convert<To, kMode>(value, true);
  }
}

template <typename To, typename From, Round kMode, bool kSaturating>
BELAY_FLAT void Cast(void* to, const void* from, const void*, uint64_t,
                     size_t n) {
  auto* dst = static_cast<To*>(to);
  const auto* a = static_cast<const From*>(from);
  BELAY_LANES
  for (size_t i = 0; i < n; ++i) {
    dst[i] = ConvertLane<To, From, kMode, kSaturating>(a[i]);
  }
}

// Between half and float by nearest even, which hosts may do at once.
BELAY_FLAT void Widen(void* to, const void* from, const void*, uint64_t,
                      size_t n) {
  auto* dst = static_cast<float*>(to);
  ReadHalves(static_cast<const Half*>(from), dst, n);
  BELAY_LANES
  for (size_t i = 0; i < n; ++i) dst[i] = Canonical(dst[i]);
}

template <bool kSaturating>
BELAY_FLAT void Narrow(void* to, const void* from, const void*, uint64_t,
                       size_t n) {
  WriteHalves<kSaturating>(static_cast<const float*>(from),
                           static_cast<Half*>(to), n);
}

// An int32 times a half has at most 43 bits: exact in double.
template <bool kSaturating>
BELAY_FLAT void Dequantise(void* to, const void* from, const void*,
                           uint64_t scalar, size_t n) {
  auto* dst = static_cast<Half*>(to);
  const auto* a = static_cast<const int32_t*>(from);
  const double scale = ReadScalar<float>(scalar);
  float x[kChunk];
  for (size_t at = 0; at < n; at += kChunk) {
    const size_t count = n - at < kChunk ? n - at : kChunk;
    for (size_t i = 0; i < count; ++i) {
      x[i] = RoundedToOdd(a[at + i] * scale);
    }
    WriteHalves<kSaturating>(x, dst + at, count);
  }
}

template <typename From, typename To, Round kMode>
void Set(FlatTable& table, Round mode) {
  constexpr bool kMaySaturate =
      std::is_same_v<To, Half> || std::is_same_v<To, Bfloat16>;
  auto& entry =
      table.cast[kIndexOf<From>][kIndexOf<To>][static_cast<int>(mode)];
  entry[0] = Cast<To, From, kMode, false>;
  entry[1] = Cast<To, From, kMode, kMaySaturate>;
}

// A pair that may have to round. kNone acts as kRint.
template <typename From, typename To>
void SetRounding(FlatTable& table) {
  Set<From, To, Round::kRint>(table, Round::kNone);
  Set<From, To, Round::kRint>(table, Round::kRint);
  Set<From, To, Round::kFloor>(table, Round::kFloor);
  Set<From, To, Round::kCeil>(table, Round::kCeil);
  Set<From, To, Round::kRound>(table, Round::kRound);
  Set<From, To, Round::kTrunc>(table, Round::kTrunc);
  Set<From, To, Round::kOdd>(table, Round::kOdd);
}

// A pair that never rounds.
template <typename From, typename To>
void SetExact(FlatTable& table) {
  for (int mode = 0; mode < kRoundCount; ++mode) {
    Set<From, To, Round::kRint>(table, static_cast<Round>(mode));
  }
}

}  // namespace

void FillCasts(FlatTable& table) {
  SetExact<Int4, Half>(table);
  SetExact<int8_t, Half>(table);
  SetExact<uint8_t, Half>(table);
  SetRounding<int16_t, Half>(table);
  SetExact<int16_t, float>(table);
  SetRounding<Half, Int4>(table);
  SetRounding<Half, int8_t>(table);
  SetRounding<Half, uint8_t>(table);
  SetRounding<Half, int16_t>(table);
  SetRounding<Half, int32_t>(table);
  SetRounding<Bfloat16, int32_t>(table);
  SetExact<Bfloat16, float>(table);
  SetExact<int32_t, int16_t>(table);
  SetRounding<int32_t, float>(table);
  SetExact<int32_t, int64_t>(table);
  SetRounding<float, int16_t>(table);
  SetRounding<float, Half>(table);
  SetRounding<float, Bfloat16>(table);
  SetRounding<float, int32_t>(table);
  SetRounding<float, float>(table);
  SetRounding<float, int64_t>(table);
  SetExact<int64_t, int32_t>(table);
  SetRounding<int64_t, float>(table);
  for (auto& widen : table.cast[kIndexOf<Half>][kIndexOf<float>]) {
    widen[0] = widen[1] = Widen;
  }
  for (const Round mode : {Round::kNone, Round::kRint}) {
    auto& narrow =
        table.cast[kIndexOf<float>][kIndexOf<Half>][static_cast<int>(mode)];
    narrow[0] = Narrow<false>;
    narrow[1] = Narrow<true>;
  }
  for (auto& dequantise : table.cast[kIndexOf<int32_t>][kIndexOf<Half>]) {
    dequantise[0] = Dequantise<false>;
    dequantise[1] = Dequantise<true>;
  }
}

}  // namespace belay::npu::BELAY_FLAT_VARIANT
