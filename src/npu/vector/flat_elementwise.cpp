// SPDX-License-Identifier: Apache-2.0
// Elementwise operations whose result IEEE or integer arithmetic defines.
//
// Integers (page of boundary values): Add, Sub and Mul wrap, or clamp to the
// limits of the type where saturation is in force. Shifts (pages ShiftLeft,
// ShiftRight): an unsigned shift moves zeros in; a signed left shift keeps the
// sign bit and loses the bits below it; a signed right shift copies the sign.
// Distances up to the width of the type are defined; longer ones act as the
// width here. Rounding (mode bit 0) adds the last bit shifted out, for signed
// types only.

#include "npu/vector/flat_arithmetic.h"

namespace belay::npu::BELAY_FLAT_VARIANT {
namespace {

struct Over {
  static float Of(float a, float b) { return a / b; }
};

// NaN wins; +0 is greater than -0.
struct Greater {
  static float Of(float a, float b) {
    const uint32_t a_bits = std::bit_cast<uint32_t>(a);
    const uint32_t b_bits = std::bit_cast<uint32_t>(b);
    const uint32_t larger = a > b ? a_bits : b_bits;
    const uint32_t result = a == b ? a_bits & b_bits : larger;
    return std::bit_cast<float>(((a != a) | (b != b)) ? kFloatNan : result);
  }
  template <bool kSaturating, typename T>
  static T OfInteger(T a, T b) {
    return a > b ? a : b;
  }
};

struct Smaller {
  static float Of(float a, float b) {
    const uint32_t a_bits = std::bit_cast<uint32_t>(a);
    const uint32_t b_bits = std::bit_cast<uint32_t>(b);
    const uint32_t smaller = a < b ? a_bits : b_bits;
    const uint32_t result = a == b ? a_bits | b_bits : smaller;
    return std::bit_cast<float>(((a != a) | (b != b)) ? kFloatNan : result);
  }
  template <bool kSaturating, typename T>
  static T OfInteger(T a, T b) {
    return a < b ? a : b;
  }
};

struct BitAnd {
  template <bool kSaturating, typename T>
  static T OfInteger(T a, T b) {
    return static_cast<T>(a & b);
  }
};

struct BitOr {
  template <bool kSaturating, typename T>
  static T OfInteger(T a, T b) {
    return static_cast<T>(a | b);
  }
};

// -0 counts as negative: it is multiplied too.
struct Leaky {
  static float Of(float a, float slope) {
    const bool negative = (std::bit_cast<uint32_t>(a) >> 31) != 0;
    const float scaled = a * slope;
    return negative ? scaled : a;
  }
};

template <typename F, typename T, bool kSaturating>
BELAY_FLAT void Binary(void* to, const void* from, const void* other, uint64_t,
                       size_t n) {
  if constexpr (kIsFloating<T>) {
    MapTwo<T, kSaturating>(to, from, other, n,
                           [](float a, float b) { return F::Of(a, b); });
  } else {
    auto* dst = static_cast<T*>(to);
    const auto* a = static_cast<const T*>(from);
    const auto* b = static_cast<const T*>(other);
    BELAY_LANES
    for (size_t i = 0; i < n; ++i) {
      dst[i] = F::template OfInteger<kSaturating>(a[i], b[i]);
    }
  }
}

template <typename F, typename T, bool kSaturating>
BELAY_FLAT void WithScalar(void* to, const void* from, const void*,
                           uint64_t scalar, size_t n) {
  const auto b = ReadScalar<T>(scalar);
  if constexpr (kIsFloating<T>) {
    MapOne<T, kSaturating>(to, from, n, [b](float a) { return F::Of(a, b); });
  } else {
    auto* dst = static_cast<T*>(to);
    const auto* a = static_cast<const T*>(from);
    BELAY_LANES
    for (size_t i = 0; i < n; ++i) {
      dst[i] = F::template OfInteger<kSaturating>(a[i], b);
    }
  }
}

// The product is rounded to the element type before it is added (table of
// Axpy: a half product that overflows is infinite, or clamped, on its own).
template <typename T, bool kSaturating>
BELAY_FLAT void Axpy(void* to, const void* from, const void* old,
                     uint64_t scalar, size_t n) {
  const float factor = ReadScalar<T>(scalar);
  if constexpr (std::is_same_v<T, float>) {
    MapTwo<float, false>(to, from, old, n,
                         [factor](float a, float b) { return a * factor + b; });
  } else {
    auto* dst = static_cast<Half*>(to);
    const auto* a = static_cast<const Half*>(from);
    const auto* b = static_cast<const Half*>(old);
    const auto times = [factor](float value) { return value * factor; };
    const auto plus = [](float product, float value) {
      return product + value;
    };
    Half products[kChunk];
    for (size_t at = 0; at < n; at += kChunk) {
      const size_t count = n - at < kChunk ? n - at : kChunk;
      MapOne<Half, kSaturating>(products, a + at, count, times);
      MapTwo<Half, kSaturating>(dst + at, products, b + at, count, plus);
    }
  }
}

// The product of two halves is exact in float.
BELAY_FLAT void AxpyWidening(void* to, const void* from, const void* old,
                             uint64_t scalar, size_t n) {
  auto* dst = static_cast<float*>(to);
  const auto* a = static_cast<const Half*>(from);
  const auto* b = static_cast<const float*>(old);
  const float factor = ReadScalar<Half>(scalar);
  float x[kChunk];
  for (size_t at = 0; at < n; at += kChunk) {
    const size_t count = n - at < kChunk ? n - at : kChunk;
    ReadHalves(a + at, x, count);
    MapTwo<float, false>(
        dst + at, x, b + at, count,
        [factor](float value, float sum) { return value * factor + sum; });
  }
}

template <typename T, bool kSaturating>
BELAY_FLAT void Abs(void* to, const void* from, const void*, uint64_t,
                    size_t n) {
  MapOne<T, kSaturating>(to, from, n, [](float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    return std::bit_cast<float>(bits & 0x7fffffffu);
  });
}

template <typename T, bool kSaturating>
BELAY_FLAT void Relu(void* to, const void* from, const void*, uint64_t,
                     size_t n) {
  if constexpr (kIsFloating<T>) {
    MapOne<T, kSaturating>(to, from, n,
                           [](float value) { return PositivePart(value); });
  } else {
    auto* dst = static_cast<T*>(to);
    const auto* a = static_cast<const T*>(from);
    BELAY_LANES
    for (size_t i = 0; i < n; ++i) dst[i] = PositivePart(a[i]);
  }
}

template <typename T>
BELAY_FLAT void Not(void* to, const void* from, const void*, uint64_t,
                    size_t n) {
  auto* dst = static_cast<T*>(to);
  const auto* a = static_cast<const T*>(from);
  BELAY_LANES
  for (size_t i = 0; i < n; ++i) dst[i] = static_cast<T>(~a[i]);
}

// Reads a distance and limits it to the width of the type.
template <typename T>
inline uint32_t Distance(uint64_t scalar) {
  constexpr uint32_t kWidth = sizeof(T) * 8;
  const auto distance =
      static_cast<uint32_t>(static_cast<std::make_unsigned_t<T>>(scalar));
  return distance < kWidth ? distance : kWidth;
}

template <typename T>
BELAY_FLAT void ShiftLeft(void* to, const void* from, const void*,
                          uint64_t scalar, size_t n) {
  using Bits = std::make_unsigned_t<T>;
  constexpr Bits kSign =
      std::is_signed_v<T> ? Bits{1} << (sizeof(T) * 8 - 1) : 0;
  auto* dst = static_cast<Bits*>(to);
  const auto* a = static_cast<const Bits*>(from);
  const uint32_t distance = Distance<T>(scalar);
  // A shift by the whole width, in two steps that the host defines.
  const uint32_t first = distance / 2;
  const uint32_t second = distance - first;
  BELAY_LANES
  for (size_t i = 0; i < n; ++i) {
    const auto shifted =
        static_cast<Bits>(static_cast<Bits>(a[i] << first) << second);
    dst[i] = static_cast<Bits>((a[i] & kSign) | (shifted & ~kSign));
  }
}

template <typename T, bool kRounding>
BELAY_FLAT void ShiftRight(void* to, const void* from, const void*,
                           uint64_t scalar, size_t n) {
  auto* dst = static_cast<T*>(to);
  const auto* a = static_cast<const T*>(from);
  const uint32_t distance = Distance<T>(scalar);
  const uint32_t first = distance / 2;
  const uint32_t second = distance - first;
  const uint32_t before = second > 0 ? second - 1 : 0;
  const T round = kRounding && distance > 0 ? 1 : 0;
  BELAY_LANES
  for (size_t i = 0; i < n; ++i) {
    const T part = static_cast<T>(a[i] >> first);
    const T shifted = static_cast<T>(part >> second);
    const T lost = static_cast<T>((part >> before) & round);
    dst[i] = static_cast<T>(shifted + lost);
  }
}

using abi::Op;

void Set(FlatTable& table, Op op, int dtype, FlatFunction plain,
         FlatFunction saturating) {
  auto& entry = table.elementwise[static_cast<int>(op)][dtype];
  entry[kPlain] = entry[kRefined] = plain;
  entry[kSaturate] = entry[kSaturate | kRefined] = saturating;
}

template <typename F, typename T>
void SetBinary(FlatTable& table, Op op) {
  Set(table, op, kIndexOf<T>, Binary<F, T, false>, Binary<F, T, true>);
}

template <typename F, typename T>
void SetWithScalar(FlatTable& table, Op op) {
  Set(table, op, kIndexOf<T>, WithScalar<F, T, false>, WithScalar<F, T, true>);
}

template <typename T>
void FillArithmetic(FlatTable& table) {
  SetBinary<Plus, T>(table, Op::kAdd);
  SetBinary<Minus, T>(table, Op::kSub);
  SetBinary<Times, T>(table, Op::kMul);
  SetBinary<Greater, T>(table, Op::kMax);
  SetBinary<Smaller, T>(table, Op::kMin);
  SetWithScalar<Plus, T>(table, Op::kAdds);
  SetWithScalar<Times, T>(table, Op::kMuls);
  SetWithScalar<Greater, T>(table, Op::kMaxs);
  SetWithScalar<Smaller, T>(table, Op::kMins);
  if constexpr (!std::is_same_v<T, int32_t>) {
    SetBinary<ThenRelu<Plus>, T>(table, Op::kAddRelu);
    SetBinary<ThenRelu<Minus>, T>(table, Op::kSubRelu);
  }
  if constexpr (!std::is_same_v<T, int16_t>) {
    Set(table, Op::kRelu, kIndexOf<T>, Relu<T, false>, Relu<T, true>);
  }
}

template <typename T>
void FillFloating(FlatTable& table) {
  SetBinary<Over, T>(table, Op::kDiv);
  SetWithScalar<Leaky, T>(table, Op::kLeakyRelu);
  Set(table, Op::kAbs, kIndexOf<T>, Abs<T, false>, Abs<T, true>);
  Set(table, Op::kAxpy, kIndexOf<T>, Axpy<T, false>, Axpy<T, true>);
}

template <typename T>
void FillBits16(FlatTable& table) {
  SetBinary<BitAnd, T>(table, Op::kAnd);
  SetBinary<BitOr, T>(table, Op::kOr);
  Set(table, Op::kNot, kIndexOf<T>, Not<T>, Not<T>);
}

template <typename T>
void FillShifts(FlatTable& table) {
  Set(table, Op::kShiftLeft, kIndexOf<T>, ShiftLeft<T>, ShiftLeft<T>);
  constexpr bool kRounds = std::is_signed_v<T>;
  auto& right =
      table.elementwise[static_cast<int>(Op::kShiftRight)][kIndexOf<T>];
  right[kPlain] = right[kSaturate] = ShiftRight<T, false>;
  right[kRefined] = right[kSaturate | kRefined] = ShiftRight<T, kRounds>;
}

}  // namespace

void FillElementwise(FlatTable& table) {
  FillArithmetic<int16_t>(table);
  FillArithmetic<Half>(table);
  FillArithmetic<int32_t>(table);
  FillArithmetic<float>(table);
  FillFloating<Half>(table);
  FillFloating<float>(table);
  FillBits16<int16_t>(table);
  FillBits16<uint16_t>(table);
  FillShifts<int16_t>(table);
  FillShifts<uint16_t>(table);
  FillShifts<int32_t>(table);
  FillShifts<uint32_t>(table);
  table.axpy_widening = AxpyWidening;
}

}  // namespace belay::npu::BELAY_FLAT_VARIANT
