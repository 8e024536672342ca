// SPDX-License-Identifier: Apache-2.0
// The Fused family: two or three steps, each with the result the instruction
// of that step alone would leave (overview of compound computation: precision
// is gained only where the destination is wider than the sources; printed
// example of FusedMulAdd: a half product is rounded before the sum).
//
// Conversion is CAST_NONE: to nearest even. Integers always clamp, half
// overflows to infinity or clamps, by saturation mode.

#include "npu/vector/flat_arithmetic.h"

namespace belay::npu::BELAY_FLAT_VARIANT {
namespace {

struct Sum {
  static float Of(float a, float b) { return a + b; }
};
struct SumThenRelu {
  static float Of(float a, float b) { return PositivePart(a + b); }
};

// dst = F(a * b, c), T float or Half, the product rounded on its own.
template <typename F, typename T, bool kSaturating>
inline void MultiplyThen(void* to, const void* from, const void* other,
                         const void* third, size_t n) {
  const auto times = [](float x, float y) { return x * y; };
  const auto then = [](float x, float y) { return F::Of(x, y); };
  auto* dst = static_cast<T*>(to);
  const auto* a = static_cast<const T*>(from);
  const auto* b = static_cast<const T*>(other);
  const auto* c = static_cast<const T*>(third);
  T products[kChunk];
  for (size_t at = 0; at < n; at += kChunk) {
    const size_t count = n - at < kChunk ? n - at : kChunk;
    MapTwo<T, kSaturating>(products, a + at, b + at, count, times);
    MapTwo<T, kSaturating>(dst + at, products, c + at, count, then);
  }
}

// dst = a * b + dst.
template <typename T, bool kSaturating>
BELAY_FLAT void MulAddDst(void* to, const void* a, const void* b, uint64_t,
                          size_t n) {
  MultiplyThen<Sum, T, kSaturating>(to, a, b, to, n);
}

// dst = F(a * dst, b).
template <typename F, typename T, bool kSaturating>
BELAY_FLAT void FusedMulAdd(void* to, const void* a, const void* b, uint64_t,
                            size_t n) {
  MultiplyThen<F, T, kSaturating>(to, a, to, b, n);
}

// The product of two halves is exact in float.
BELAY_FLAT void MulAddDstWidening(void* to, const void* from, const void* other,
                                  uint64_t, size_t n) {
  auto* dst = static_cast<float*>(to);
  const auto* a = static_cast<const Half*>(from);
  const auto* b = static_cast<const Half*>(other);
  float x[kChunk];
  float y[kChunk];
  for (size_t at = 0; at < n; at += kChunk) {
    const size_t count = n - at < kChunk ? n - at : kChunk;
    ReadHalves(a + at, x, count);
    ReadHalves(b + at, y, count);
    BELAY_LANES
    for (size_t i = 0; i < count; ++i) {
      dst[at + i] = Canonical(x[i] * y[i] + dst[at + i]);
    }
  }
}

// From half to an 8-bit integer: F is rounded to half, then to an integer.
template <typename F, typename To, bool kSaturating>
BELAY_FLAT void HalfToByte(void* to, const void* from, const void* other,
                           uint64_t, size_t n) {
  auto* dst = static_cast<To*>(to);
  const auto* a = static_cast<const Half*>(from);
  const auto* b = static_cast<const Half*>(other);
  Half results[kChunk];
  for (size_t at = 0; at < n; at += kChunk) {
    const size_t count = n - at < kChunk ? n - at : kChunk;
    MapTwo<Half, kSaturating>(results, a + at, b + at, count,
                              [](float x, float y) { return F::Of(x, y); });
    BELAY_LANES
    for (size_t i = 0; i < count; ++i) {
      dst[at + i] = Convert<To, Round::kRint>(results[i], true);
    }
  }
}

template <typename F, bool kSaturating>
BELAY_FLAT void ShortToByte(void* to, const void* from, const void* other,
                            uint64_t, size_t n) {
  auto* dst = static_cast<int8_t*>(to);
  const auto* a = static_cast<const int16_t*>(from);
  const auto* b = static_cast<const int16_t*>(other);
  BELAY_LANES
  for (size_t i = 0; i < n; ++i) {
    const int16_t result = F::template OfInteger<kSaturating>(a[i], b[i]);
    dst[i] = Convert<int8_t, Round::kRint>(result, true);
  }
}

template <typename F, bool kSaturating>
BELAY_FLAT void FloatToHalf(void* to, const void* from, const void* other,
                            uint64_t, size_t n) {
  auto* dst = static_cast<Half*>(to);
  const auto* a = static_cast<const float*>(from);
  const auto* b = static_cast<const float*>(other);
  float results[kChunk];
  for (size_t at = 0; at < n; at += kChunk) {
    const size_t count = n - at < kChunk ? n - at : kChunk;
    MapTwo<float, false>(results, a + at, b + at, count,
                         [](float x, float y) { return F::Of(x, y); });
    WriteHalves<kSaturating>(results, dst + at, count);
  }
}

// The scale, bits of a float in `scalar`, has the precision of a half: an
// int32 times it is exact in double.
template <bool kSaturating>
BELAY_FLAT void AddDeqRelu(void* to, const void* from, const void* other,
                           uint64_t scalar, size_t n) {
  auto* dst = static_cast<Half*>(to);
  const auto* a = static_cast<const int32_t*>(from);
  const auto* b = static_cast<const int32_t*>(other);
  const double scale = ReadScalar<float>(scalar);
  float x[kChunk];
  for (size_t at = 0; at < n; at += kChunk) {
    const size_t count = n - at < kChunk ? n - at : kChunk;
    for (size_t i = 0; i < count; ++i) {
      const int32_t sum = Plus::OfInteger<kSaturating>(a[at + i], b[at + i]);
      x[i] = PositivePart(RoundedToOdd(sum * scale));
    }
    WriteHalves<kSaturating>(x, dst + at, count);
  }
}

using abi::Op;

template <typename From, typename To>
void Set(FlatTable& table, Op op, FlatFunction plain, FlatFunction saturating) {
  auto& entry = table.fused[FusedIndex(op)][kIndexOf<From>][kIndexOf<To>];
  entry[0] = plain;
  entry[1] = saturating;
}

template <typename T>
void SetMulAdds(FlatTable& table) {
  Set<T, T>(table, Op::kMulAddDst, MulAddDst<T, false>, MulAddDst<T, true>);
  Set<T, T>(table, Op::kFusedMulAdd, FusedMulAdd<Sum, T, false>,
            FusedMulAdd<Sum, T, true>);
  Set<T, T>(table, Op::kFusedMulAddRelu, FusedMulAdd<SumThenRelu, T, false>,
            FusedMulAdd<SumThenRelu, T, true>);
}

template <typename F>
void SetReluCasts(FlatTable& table, Op op) {
  Set<Half, int8_t>(table, op, HalfToByte<F, int8_t, false>,
                    HalfToByte<F, int8_t, true>);
  Set<int16_t, int8_t>(table, op, ShortToByte<F, false>, ShortToByte<F, true>);
  Set<float, Half>(table, op, FloatToHalf<F, false>, FloatToHalf<F, true>);
}

}  // namespace

void FillFused(FlatTable& table) {
  SetMulAdds<Half>(table);
  SetMulAdds<float>(table);
  Set<Half, float>(table, Op::kMulAddDst, MulAddDstWidening, MulAddDstWidening);
  SetReluCasts<ThenRelu<Plus>>(table, Op::kAddReluCast);
  SetReluCasts<ThenRelu<Minus>>(table, Op::kSubReluCast);
  Set<Half, int8_t>(table, Op::kMulCast, HalfToByte<Times, int8_t, false>,
                    HalfToByte<Times, int8_t, true>);
  Set<Half, uint8_t>(table, Op::kMulCast, HalfToByte<Times, uint8_t, false>,
                     HalfToByte<Times, uint8_t, true>);
  Set<int32_t, Half>(table, Op::kAddDeqRelu, AddDeqRelu<false>,
                     AddDeqRelu<true>);
}

}  // namespace belay::npu::BELAY_FLAT_VARIANT
