// SPDX-License-Identifier: Apache-2.0
// The reductions over types, axes, shapes and sizes of the temporary buffer,
// against a model in double.

#include <gtest/gtest.h>

#include "row_case.h"
#include "tiling/high_level/reduce.h"

namespace belay::library::test_reduce {
namespace {

using AscendC::ReducePattern;
using AscendC::TensorShape;
using AscendC::Pattern::Reduce::AR;
using AscendC::Pattern::Reduce::RA;

constexpr int kCases = 16;

template <typename T>
constexpr ge::DataType kTypeOf = sizeof(T) == 1   ? ge::DT_UINT8
                                 : sizeof(T) == 2 ? ge::DT_FLOAT16
                                                  : ge::DT_FLOAT;

// The calls by name; Call takes (dst, src, [tmp,] shape, padded).
#define BELAY_TEST_REDUCTION(name)                                         \
  struct name {                                                            \
    template <typename T, typename Pattern, typename... Arguments>         \
    static void Call(const Arguments&... arguments) {                      \
      AscendC::name<T, Pattern>(arguments...);                             \
    }                                                                      \
    static uint32_t Size(const TensorShape& shape, ge::DataType type,      \
                         ReducePattern pattern, uint32_t& least) {         \
      uint32_t most = 0;                                                   \
      AscendC::Get##name##MaxMinTmpSize(shape, type, pattern, true, false, \
                                        most, least);                      \
      return most;                                                         \
    }                                                                      \
  };
BELAY_TEST_REDUCTION(ReduceSum)
BELAY_TEST_REDUCTION(ReduceMean)
BELAY_TEST_REDUCTION(ReduceMax)
BELAY_TEST_REDUCTION(ReduceMin)
BELAY_TEST_REDUCTION(ReduceProd)
BELAY_TEST_REDUCTION(ReduceAny)
BELAY_TEST_REDUCTION(ReduceAll)

template <typename T>
std::vector<T> DrawData(size_t count, double low, double high) {
  if constexpr (std::is_same_v<T, uint8_t>) {
    std::vector<T> data;
    const uint32_t rare = 1 + Below(20);
    const bool is_mostly_one = Below(2) == 0;
    for (size_t i = 0; i < count; ++i) {
      data.push_back((Below(rare) == 0) != is_mostly_one);
    }
    return data;
  } else {
    return Uniform<T>(count, low, high);
  }
}
double WidenAny(uint8_t value) { return value; }
double WidenAny(half value) { return Widen(value); }
double WidenAny(float value) { return Widen(value); }

// `fold` takes what there is so far, or nothing, and the next element.
template <typename Name, typename T, typename Pattern, typename Fold>
void CheckReduction(double low, double high, double ulps, Fold fold,
                    bool is_mean = false) {
  Worst worst;
  for (int number = 0; number < kCases; ++number) {
    SeedCase(number);
    constexpr bool kIsInner = std::is_same_v<Pattern, AR>;
    constexpr uint32_t kPerBlock = 32 / sizeof(T);
    static constexpr uint32_t kInner[] = {5, 8, 33, 64, 100, 300, 1100, 2500};
    // Now and then more rows than an instruction has repeats.
    const bool is_tall = Below(6) == 0;
    const uint32_t inner = is_tall ? 1 + Below(30) : kInner[Below(8)];
    const uint32_t outer =
        is_tall ? 260 + Below(100) : 1 + Below(std::min(40u, 6000 / inner));
    const uint32_t pitch = (inner + kPerBlock - 1) / kPerBlock * kPerBlock;
    const uint32_t results = kIsInner ? outer : inner;
    const std::string what = "[" + std::to_string(outer) + ", " +
                             std::to_string(inner) + "] seed " +
                             std::to_string(number);
    const TensorShape host(std::vector<int64_t>{outer, inner});
    RowCase run;
    const auto data = DrawData<T>(outer * pitch, low, high);
    const auto src = run.Input(data);
    const auto dst = run.Output<T>(results + (sizeof(T) == 1 ? 1 : 0));
    uint32_t least = 0;
    const uint32_t most =
        Name::Size(host, kTypeOf<T>, Pattern::kPattern, least);
    const uint32_t limit = std::max(least, std::min(most, 60000u));
    const auto tmp = run.Temporary(
        number % 3 == 0 ? least : least + Below(limit - least + 1));
    const bool has_buffer = Below(4) != 0;
    const uint32_t shape[2] = {outer, inner};
    run.Run([&] {
      if (has_buffer) {
        Name::template Call<T, Pattern>(dst.tensor(), src.tensor(),
                                        tmp.tensor(), &shape[0], true);
      } else {
        Name::template Call<T, Pattern>(dst.tensor(), src.tensor(), &shape[0],
                                        true);
      }
    });
    const std::vector<T> got = dst.Result();
    for (uint32_t i = 0; i < results; ++i) {
      const uint32_t length = kIsInner ? inner : outer;
      double exact = 0;
      double size = 0;
      for (uint32_t j = 0; j < length; ++j) {
        const double x =
            WidenAny(data[kIsInner ? i * pitch + j : j * pitch + i]);
        exact = j == 0 ? x : fold(exact, x);
        size += std::abs(x);
      }
      if (is_mean) exact /= length;
      if (is_mean) size /= length;
      // A sum's error is measured by its summands.
      const double scale = std::max(std::abs(exact), ulps == 0 ? 0 : size);
      const double error =
          std::abs(WidenAny(got[i]) - exact) /
          (sizeof(T) == 2 ? UlpAt<half>(scale) : UlpAt<float>(scale));
      worst.Note(error, i, WidenAny(got[i]), exact);
      ASSERT_LE(error, ulps) << what << ": result " << i << " is "
                             << WidenAny(got[i]) << ", exactly " << exact;
    }
  }
  std::printf("worst %s\n", worst.Text().c_str());
}

double Add(double a, double b) { return a + b; }
double Multiply(double a, double b) { return a * b; }
double Greater(double a, double b) { return std::max(a, b); }
double Less(double a, double b) { return std::min(a, b); }

TEST(ReduceAxis, Sum) {
  CheckReduction<ReduceSum, float, AR>(-1, 1, 12, Add);
  CheckReduction<ReduceSum, float, RA>(-1, 1, 12, Add);
}
TEST(ReduceAxis, Mean) {
  CheckReduction<ReduceMean, float, AR>(-1, 1, 12, Add, true);
  CheckReduction<ReduceMean, float, RA>(-1, 1, 12, Add, true);
}
TEST(ReduceAxis, Max) {
  CheckReduction<ReduceMax, float, AR>(-9, 9, 0, Greater);
  CheckReduction<ReduceMax, float, RA>(-9, 9, 0, Greater);
  CheckReduction<ReduceMax, half, AR>(-9, 9, 0, Greater);
  CheckReduction<ReduceMax, half, RA>(-9, 9, 0, Greater);
}
TEST(ReduceAxis, Min) {
  CheckReduction<ReduceMin, float, AR>(-9, 9, 0, Less);
  CheckReduction<ReduceMin, half, AR>(-9, 9, 0, Less);
  CheckReduction<ReduceMin, half, RA>(-9, 9, 0, Less);
}
TEST(ReduceAxis, Prod) {
  CheckReduction<ReduceProd, float, AR>(0.9, 1.1, 40, Multiply);
  CheckReduction<ReduceProd, float, RA>(0.9, 1.1, 40, Multiply);
}
TEST(ReduceAxis, Any) {
  CheckReduction<ReduceAny, uint8_t, AR>(0, 1, 0, Greater);
  CheckReduction<ReduceAny, uint8_t, RA>(0, 1, 0, Greater);
  CheckReduction<ReduceAny, float, AR>(0, 1, 0, Greater);
}
TEST(ReduceAxis, All) {
  CheckReduction<ReduceAll, uint8_t, AR>(0, 1, 0, Less);
  CheckReduction<ReduceAll, uint8_t, RA>(0, 1, 0, Less);
  CheckReduction<ReduceAll, float, RA>(0, 1, 0, Less);
}

// The documented tree: pairs, then pairs of these, in the type itself.
template <typename T>
T SumAsTree(std::vector<T> values) {
  const size_t repeat = 256 / sizeof(T);
  while (values.size() > 1) {
    std::vector<T> sums;
    for (size_t at = 0; at < values.size(); at += repeat) {
      std::vector<T> part(
          values.begin() + at,
          values.begin() + std::min(at + repeat, values.size()));
      part.resize(repeat, T(0));
      for (size_t left = repeat; left > 1; left /= 2) {
        for (size_t i = 0; i < left / 2; ++i) {
          part[i] = Narrow<T>(Widen(part[2 * i]) + Widen(part[2 * i + 1]));
        }
      }
      sums.push_back(part[0]);
    }
    values = sums;
  }
  return values[0];
}

template <typename T, typename Sum>
void CheckSumAndMean() {
  for (int number = 0; number < kCases; ++number) {
    SeedCase(number);
    constexpr uint32_t kPerBlock = 32 / sizeof(T);
    const uint32_t columns = 1 + Below(number < 8 ? 200 : 3000);
    const uint32_t rows = 1 + Below(std::min(20u, 1 + 6000 / columns));
    const uint32_t pitch = (columns + kPerBlock - 1) / kPerBlock * kPerBlock;
    RowCase run;
    const auto data = Uniform<T>(rows * pitch, -1, 1);
    const auto src = run.Input(data);
    const auto sums = run.Output<T>(rows);
    const auto means = run.Output<T>(rows);
    uint32_t size = 0;
    uint32_t mean_size = 0;
    AscendC::GetSumMaxMinTmpSize(columns, sizeof(T), false, size, size);
    AscendC::GetMeanMaxMinTmpSize(columns, sizeof(T), sizeof(Sum), false,
                                  mean_size, mean_size);
    const auto tmp = run.Temporary(size);
    const auto mean_tmp = run.Temporary(mean_size);
    AscendC::SumParams sum_params;
    sum_params.outter = rows;
    sum_params.inner = pitch;
    sum_params.n = columns;
    AscendC::MeanParams mean_params;
    mean_params.outter = rows;
    mean_params.inner = pitch;
    mean_params.n = columns;
    run.Run([&] {
      AscendC::Sum(sums.tensor(), src.tensor(), tmp.tensor(), sum_params);
      AscendC::Mean<T, Sum>(means.tensor(), src.tensor(), mean_tmp.tensor(),
                            mean_params);
    });
    for (uint32_t row = 0; row < rows; ++row) {
      const auto first = data.begin() + row * pitch;
      const std::vector<T> values(first, first + columns);
      EXPECT_EQ(Widen(sums.Result()[row]), Widen(SumAsTree(values)))
          << columns << " columns, seed " << number;
      std::vector<Sum> wide;
      for (const T value : values) wide.push_back(Narrow<Sum>(Widen(value)));
      const float mean = static_cast<float>(Widen(SumAsTree(wide))) *
                         (1.0f / static_cast<float>(columns));
      EXPECT_EQ(Widen(means.Result()[row]), Widen(Narrow<T>(mean)))
          << columns << " columns, seed " << number;
    }
  }
}

TEST(Sum, Half) { CheckSumAndMean<half, half>(); }
TEST(Sum, HalfWithFloatMean) { CheckSumAndMean<half, float>(); }
TEST(Sum, Float) { CheckSumAndMean<float, float>(); }

TEST(ReduceXorSum, IsExactAndSaturates) {
  for (int number = 0; number < 12; ++number) {
    SeedCase(number);
    const uint32_t count = 1 + Below(number < 6 ? 300 : 20000);
    const int spread = number % 3 == 0 ? 32767 : number % 3 == 1 ? 300 : 3;
    std::vector<int16_t> first, second;
    int64_t exact = 0;
    for (uint32_t i = 0; i < count; ++i) {
      first.push_back(static_cast<int16_t>(
          static_cast<int>(Below(2 * spread + 1)) - spread));
      second.push_back(static_cast<int16_t>(
          static_cast<int>(Below(2 * spread + 1)) - spread));
      exact += static_cast<int16_t>(first.back() ^ second.back());
    }
    exact = std::clamp<int64_t>(exact, -32768, 32767);
    RowCase run;
    const auto src0 = run.Input(first);
    const auto src1 = run.Input(second);
    const auto dst = run.Output<int16_t>(1);
    uint32_t most = 0;
    uint32_t least = 0;
    AscendC::GetReduceXorSumMaxMinTmpSize(
        TensorShape(std::vector<int64_t>{count}), 2, false, most, least);
    const auto tmp =
        run.Temporary(number % 2 == 0 ? least : std::min(most, 50000u));
    run.Run([&] {
      AscendC::ReduceXorSum<int16_t>(dst.tensor(), src0.tensor(), src1.tensor(),
                                     tmp.tensor(), count);
    });
    EXPECT_EQ(dst.Result()[0], exact) << count << " seed " << number;
  }
}

}  // namespace
}  // namespace belay::library::test_reduce
