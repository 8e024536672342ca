// SPDX-License-Identifier: Apache-2.0
// Exp, Ln, Sqrt, Reciprocal and Rsqrt.
//
// Exp and Ln lie within one unit in the last place of the correctly rounded
// float, and are correctly rounded for half. Their special values are those of
// the page of boundary values, which are IEEE's.
//
// Reciprocal and Rsqrt are low-precision instructions: the pages say that half
// misses one part in a thousand and float one in ten thousand. Every printed
// result (half: 1/-1.339 = -0.748, 1/4.473 = 0.2231, 1/-7.152 = -0.1396,
// rsqrt(2.2) = 0.676, rsqrt(5.36) = 0.4316, rsqrt(1) = 0.998) is that of a
// table of 256 entries addressed by the leading bits of the operand, each
// entry the result at the middle of its interval rounded to a significand of
// 9 bits. So that is what is computed here, for float too. The largest
// relative error is 2^-8.
// With kRefined both are exact.

#include "npu/vector/flat_lane.h"

namespace belay::npu::BELAY_FLAT_VARIANT {
namespace {

// 2^exponent for -126..127.
inline float PowerOfTwo(int32_t exponent) {
  return std::bit_cast<float>(static_cast<uint32_t>(exponent + 127) << 23);
}

// value * 2^exponent, rounded once if `value` is near 1; -252..254.
inline float Scale(float value, int32_t exponent) {
  const int32_t half = exponent >> 1;
  return value * PowerOfTwo(half) * PowerOfTwo(exponent - half);
}

struct ExpOf {
  static float Of(float x) {
    constexpr float kLog2E = 0x1.715476p+0f;
    // ln 2 in two parts: products of the first with whole numbers are exact.
    constexpr float kLn2High = 0x1.63p-1f;
    constexpr float kLn2Low = -0x1.bd0106p-13f;
    constexpr float kToInteger = 0x1.8p23f;
    // Beyond these the result is 0 or infinite.
    float clamped = x > -104.0f ? x : -104.0f;
    clamped = clamped < 89.0f ? clamped : 89.0f;
    const float whole = (clamped * kLog2E + kToInteger) - kToInteger;
    // The rest in two parts, so that its rounding does not count.
    const float high = clamped - whole * kLn2High;
    const float low = whole * kLn2Low;
    const float rest = high - low;
    const float lost = (high - rest) - low;
    // Taylor's series to the seventh power, |rest| <= ln(2) / 2.
    float series = 0x1.a01a02p-13f;
    series = series * rest + 0x1.6c16c2p-10f;
    series = series * rest + 0x1.111112p-7f;
    series = series * rest + 0x1.555556p-5f;
    series = series * rest + 0x1.555556p-3f;
    series = series * rest + 0.5f;
    const float value = 1.0f + (rest + (rest * rest * series + lost));
    const float result = Scale(value, static_cast<int32_t>(whole));
    return x != x ? x : result;
  }

  // For results that are rounded to half later.
  static double Wide(float x) {
    constexpr double kLog2E = 0x1.71547652b82fep+0;
    constexpr double kLn2 = 0x1.62e42fefa39efp-1;
    constexpr double kToInteger = 0x1.8p52;
    float clamped = x > -32.0f ? x : -32.0f;
    clamped = clamped < 16.0f ? clamped : 16.0f;
    const double exact = clamped;
    const double whole = (exact * kLog2E + kToInteger) - kToInteger;
    const double rest = exact - whole * kLn2;
    double series = 1.0 / 40320;
    series = series * rest + 1.0 / 5040;
    series = series * rest + 1.0 / 720;
    series = series * rest + 1.0 / 120;
    series = series * rest + 1.0 / 24;
    series = series * rest + 1.0 / 6;
    series = series * rest + 0.5;
    const double value = 1.0 + (rest + rest * rest * series);
    const double result = value * PowerOfTwo(static_cast<int32_t>(whole));
    return x != x ? static_cast<double>(x) : result;
  }
};

struct LnOf {
  static float Of(float x) { return static_cast<float>(Wide(x)); }

  static double Wide(float x) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constexpr double kLn2 = 0x1.62e42fefa39efp-1;
    // A normal float, x = significand * 2^exponent with the significand
    // between sqrt(1/2) and sqrt(2).
    const bool tiny = x < 0x1p-126f;
    const float normal = tiny ? x * 0x1p24f : x;
    constexpr uint32_t kSqrtHalf = 0x3f3504f3;
    const uint32_t shifted = std::bit_cast<uint32_t>(normal) - kSqrtHalf;
    const int32_t exponent =
        (static_cast<int32_t>(shifted) >> 23) - (tiny ? 24 : 0);
    const float significand =
        std::bit_cast<float>((shifted & 0x007fffffu) + kSqrtHalf);
    // ln(s) = 2 artanh((s - 1) / (s + 1)); the argument is below 0.1716.
    const double difference = static_cast<double>(significand) - 1.0;
    const double ratio = difference / (difference + 2.0);
    const double square = ratio * ratio;
    double series = 2.0 / 17;
    series = series * square + 2.0 / 15;
    series = series * square + 2.0 / 13;
    series = series * square + 2.0 / 11;
    series = series * square + 2.0 / 9;
    series = series * square + 2.0 / 7;
    series = series * square + 2.0 / 5;
    series = series * square + 2.0 / 3;
    const double ln_significand = ratio * (2.0 + square * series);
    double result = static_cast<double>(exponent) * kLn2 + ln_significand;
    result = x == 0.0f ? -kInfinity : result;
    result = x == std::numeric_limits<float>::infinity() ? kInfinity : result;
    return x >= 0.0f ? result : std::numeric_limits<double>::quiet_NaN();
  }
};

struct SqrtOf {
  static float Of(float x) { return __builtin_sqrtf(x); }
};

struct ReciprocalOf {
  static float Of(float x) { return 1.0f / x; }
};

struct RsqrtOf {
  static float Of(float x) {
    // IEEE's double root and quotient leave the last bit of a float right but
    // for one operand in millions.
    return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x)));
  }
};

// A positive finite float as 2^exponent * significand, 1 <= significand < 2.
// `bits` are those of the significand without its leading one.
struct Split {
  int32_t exponent;
  uint32_t bits;
};

inline Split SplitPositive(float magnitude) {
  const bool tiny = magnitude < 0x1p-126f;
  const uint32_t bits =
      std::bit_cast<uint32_t>(tiny ? magnitude * 0x1p24f : magnitude);
  return {static_cast<int32_t>(bits >> 23) - (tiny ? 151 : 127),
          bits & 0x007fffffu};
}

struct ReciprocalSeedOf {
  static float Of(float x) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const uint32_t x_bits = std::bit_cast<uint32_t>(x);
    const float magnitude = std::bit_cast<float>(x_bits & 0x7fffffffu);
    const Split split = SplitPositive(magnitude);
    // The middle of the interval, in units of 1/256: 256.5 to 511.5.
    const float middle =
        static_cast<float>(static_cast<int32_t>(256 + (split.bits >> 15))) +
        0.5f;
    // Nearest whole number of 1/512; there are no ties.
    const float entry =
        static_cast<float>(static_cast<int32_t>(0x1p17f / middle + 0.5f));
    float result = Scale(entry * 0x1p-9f, -split.exponent);
    result = Choose(magnitude == 0.0f, kInfinity, result);
    result = Choose(magnitude == kInfinity, 0.0f, result);
    result = Choose(magnitude == magnitude, result, magnitude);
    return std::bit_cast<float>(std::bit_cast<uint32_t>(result) |
                                (x_bits & 0x80000000u));
  }
};

struct RsqrtSeedOf {
  static float Of(float x) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const Split split = SplitPositive(x);
    // x = m * 4^k with 1/4 <= m < 1, seven bits of whose significand count.
    const bool odd = (split.exponent & 1) != 0;
    const int32_t k = (split.exponent + (odd ? 1 : 2)) >> 1;
    const float significand =
        static_cast<float>(static_cast<int32_t>(128 + (split.bits >> 16))) +
        0.5f;
    const float m = significand * (odd ? 0x1p-8f : 0x1p-9f);
    // Nearest whole number of 1/256 between 256 and 511; there are no ties.
    const float entry = static_cast<float>(
        static_cast<int32_t>(256.0f / __builtin_sqrtf(m) + 0.5f));
    float result = Scale(entry * 0x1p-8f, -k);
    result = Choose(x == 0.0f, 1.0f / x, result);
    result = Choose(x == kInfinity, 0.0f, result);
    return Choose(x >= 0.0f, result, std::bit_cast<float>(kFloatNan));
  }
};

template <typename F>
inline constexpr bool kHasWide = requires { F::Wide(0.0f); };

template <typename F, typename T, bool kSaturating>
BELAY_FLAT void Unary(void* to, const void* from, const void*, uint64_t,
                      size_t n) {
  MapOne<T, kSaturating>(to, from, n, [](float x) {
    if constexpr (std::is_same_v<T, Half> && kHasWide<F>) {
      return RoundedToOdd(F::Wide(x));
    } else {
      return F::Of(x);
    }
  });
}

template <typename F, typename T>
void Set(FlatTable& table, abi::Op op, int flavour) {
  auto& entry = table.elementwise[static_cast<int>(op)][kIndexOf<T>];
  entry[flavour] = Unary<F, T, false>;
  entry[flavour | kSaturate] = Unary<F, T, true>;
}

template <typename T>
void Fill(FlatTable& table) {
  using abi::Op;
  for (const int flavour : {int{kPlain}, int{kRefined}}) {
    Set<ExpOf, T>(table, Op::kExp, flavour);
    Set<LnOf, T>(table, Op::kLn, flavour);
    Set<SqrtOf, T>(table, Op::kSqrt, flavour);
  }
  Set<ReciprocalSeedOf, T>(table, Op::kReciprocal, kPlain);
  Set<ReciprocalOf, T>(table, Op::kReciprocal, kRefined);
  Set<RsqrtSeedOf, T>(table, Op::kRsqrt, kPlain);
  Set<RsqrtOf, T>(table, Op::kRsqrt, kRefined);
}

}  // namespace

void FillMathematics(FlatTable& table) {
  Fill<Half>(table);
  Fill<float>(table);
}

}  // namespace belay::npu::BELAY_FLAT_VARIANT
