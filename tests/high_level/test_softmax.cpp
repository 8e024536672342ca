// SPDX-License-Identifier: Apache-2.0
// SoftMax, SimpleSoftMax, SoftmaxGrad, LogSoftMax and AdjustSoftMaxRes over
// types, formats, shapes with padding and sizes of the temporary buffer,
// against a model in double.

#include <gtest/gtest.h>

#include "softmax_model.h"

namespace belay::library::softmax::test_softmax {
namespace {

template <typename T, typename U, bool isNz>
void CheckSoftMax() {
  Worst worst;
  for (int number = 0; number < kCases; ++number) {
    SeedCase(number);
    const Shape shape = DrawShape<T>(isNz, sizeof(T) == 2);
    const std::string what = shape.Text() + " seed " + std::to_string(number);
    constexpr uint32_t kPerRow = 32 / sizeof(U);
    RowCase run;
    const auto data = Uniform<T>(shape.rows * shape.width, -6, 6);
    const auto src = run.Input(data);
    const auto dst = run.Output<T>(data.size());
    const auto max = run.Output<U>(shape.rows * kPerRow);
    const auto sum = run.Output<U>(shape.rows * kPerRow);
    const uint32_t least =
        AscendC::GetSoftMaxMinTmpSize(shape.Host(), sizeof(U), false);
    const uint32_t most =
        AscendC::GetSoftMaxMaxTmpSize(shape.Host(), sizeof(U), false);
    const auto tmp = run.Temporary(DrawSize(least, std::min(most, 60000u)));
    SoftMaxTiling tiling;
    AscendC::SoftMaxTilingFunc(shape.Host(), sizeof(U), tmp.count, tiling);
    const bool has_buffer = Below(4) != 0;
    run.Run([&] {
      if (has_buffer) {
        AscendC::SoftMax<T, false, false, isNz>(
            dst.tensor(), sum.tensor(), max.tensor(), src.tensor(),
            tmp.tensor(), tiling, shape.Info());
      } else {
        AscendC::SoftMax<T, false, false, isNz>(dst.tensor(), sum.tensor(),
                                                max.tensor(), src.tensor(),
                                                tiling, shape.Info());
      }
    });
    const Model model = ModelOf(shape, isNz, data, {}, {});
    std::vector<double> exact = model.exp;
    for (size_t i = 0; i < exact.size(); ++i) {
      exact[i] /= model.sum[i / shape.columns];
    }
    ExpectNear(Columns(shape, isNz, dst.Result()), exact, kDataUlps<T>, 1e-5,
               worst, "SoftMax " + what);
    ExpectNear(max.Result(), Repeated(model.max, kPerRow), 0, 0, worst,
               "max " + what);
    ExpectNear(sum.Result(), Repeated(model.sum, kPerRow), kDataUlps<U>, 0,
               worst, "sum " + what);

    // SimpleSoftMax with these gives the same.
    RowCase simple;
    const auto src1 = simple.Input(data);
    const auto max1 = simple.Input(Spread<U>(model.max, kPerRow));
    const auto sum1 = simple.Input(Spread<U>(model.sum, kPerRow));
    const auto dst1 = simple.Output<T>(data.size());
    const auto tmp1 = simple.Temporary(least);
    simple.Run([&] {
      AscendC::SimpleSoftMax<T, false, false, isNz>(
          dst1.tensor(), sum1.tensor(), max1.tensor(), src1.tensor(),
          tmp1.tensor(), tiling, shape.Info());
    });
    ExpectNear(Columns(shape, isNz, dst1.Result()), exact,
               sizeof(U) == 2 ? 2.01 : kDataUlps<T>, 1e-5, worst,
               "SimpleSoftMax " + what);
  }
  std::printf("SoftMax: worst %s\n", worst.Text().c_str());
}

TEST(SoftMax, Half) { CheckSoftMax<half, half, false>(); }
TEST(SoftMax, HalfWithFloatValues) { CheckSoftMax<half, float, false>(); }
TEST(SoftMax, Float) { CheckSoftMax<float, float, false>(); }
TEST(SoftMax, HalfNz) { CheckSoftMax<half, half, true>(); }
TEST(SoftMax, FloatNz) { CheckSoftMax<float, float, true>(); }

TEST(SoftMax, InPlaceWithoutValuesByTiling) {
  for (const uint32_t width : {64u, 256u, 1984u}) {
    const Shape shape{8, width, width};
    RowCase run;
    const auto data = Uniform<float>(shape.rows * width, -6, 6);
    const auto both = run.Input(data);
    run.Overwritten(both);
    SoftMaxTiling tiling;
    AscendC::SoftMaxTilingFunc(shape.Host(), 4, 100000, tiling);
    EXPECT_TRUE(AscendC::IsBasicBlockInSoftMax(tiling, 4));
    run.Run([&] {
      AscendC::SoftMax<float, false, true>(both.tensor(), both.tensor(),
                                           tiling);
    });
    const Model model = ModelOf(shape, false, data, {}, {});
    std::vector<double> exact = model.exp;
    for (size_t i = 0; i < exact.size(); ++i) exact[i] /= model.sum[i / width];
    Worst worst;
    ExpectNear(both.Result(), exact, 24, 1e-5, worst, shape.Text());
  }
}

template <typename T, bool isNz>
void CheckGrad() {
  Worst worst;
  for (int number = 0; number < kCases; ++number) {
    SeedCase(number);
    const Shape shape = DrawShape<T>(isNz);
    const std::string what = shape.Text() + " seed " + std::to_string(number);
    const bool is_front = Below(3) == 0;
    RowCase run;
    const auto grads = Uniform<T>(shape.rows * shape.width, -1, 1);
    const auto data = Uniform<T>(shape.rows * shape.width, 0, 1);
    const auto grad = run.Input(grads);
    const auto src = run.Input(data);
    const auto dst =
        run.Output<T>(is_front ? shape.rows * 32 / sizeof(T) : data.size());
    const auto tmp = run.Temporary(DrawSize(
        AscendC::GetSoftMaxGradMinTmpSize(shape.Host(), sizeof(T), is_front,
                                          false),
        std::min(50000u, AscendC::GetSoftMaxGradMaxTmpSize(
                             shape.Host(), sizeof(T), is_front, false))));
    SoftMaxTiling tiling;
    AscendC::SoftMaxGradTilingFunc(shape.Host(), sizeof(T), tmp.count, tiling,
                                   is_front);
    const bool has_own_name = is_front && Below(2) == 0;
    run.Run([&] {
      if (has_own_name) {
        AscendC::SoftmaxGradFront<T, false, isNz>(dst.tensor(), grad.tensor(),
                                                  src.tensor(), tmp.tensor(),
                                                  tiling, shape.Info());
      } else {
        AscendC::SoftmaxGrad<T, false, isNz>(dst.tensor(), grad.tensor(),
                                             src.tensor(), tmp.tensor(), tiling,
                                             is_front, shape.Info());
      }
    });
    std::vector<double> exact, sums;
    double scale = 0;
    for (uint32_t row = 0; row < shape.rows; ++row) {
      double sum = 0;
      for (uint32_t i = 0; i < shape.columns; ++i) {
        const size_t at = Place(shape, isNz, row, i);
        sum += Widen(grads[at]) * Widen(data[at]);
        scale = std::max(scale, std::abs(sum));
      }
      sums.push_back(sum);
      for (uint32_t i = 0; i < shape.columns; ++i) {
        const size_t at = Place(shape, isNz, row, i);
        exact.push_back((Widen(grads[at]) - sum) * Widen(data[at]));
      }
    }
    const double ulps = sizeof(T) == 2 ? 1.01 : 32;
    if (is_front) {
      ExpectNear(dst.Result(), Repeated(sums, 32 / sizeof(T)), ulps, scale,
                 worst, "front " + what);
    } else {
      ExpectNear(Columns(shape, isNz, dst.Result()), exact, ulps, scale, worst,
                 "grad " + what);
    }
  }
  std::printf("SoftmaxGrad: worst %s\n", worst.Text().c_str());
}

TEST(SoftmaxGrad, Half) { CheckGrad<half, false>(); }
TEST(SoftmaxGrad, Float) { CheckGrad<float, false>(); }
TEST(SoftmaxGrad, HalfNz) { CheckGrad<half, true>(); }

template <typename T, bool isNz>
void CheckLog() {
  Worst worst;
  for (int number = 0; number < kCases; ++number) {
    SeedCase(number);
    const Shape shape = DrawShape<T>(isNz);
    const std::string what = shape.Text() + " seed " + std::to_string(number);
    constexpr uint32_t kPerRow = 32 / sizeof(T);
    RowCase run;
    const auto data = Uniform<T>(shape.rows * shape.width, -60, 60);
    const auto src = run.Input(data);
    const auto dst = run.Output<T>(data.size());
    const auto max = run.Output<T>(shape.rows * kPerRow);
    const auto sum = run.Output<T>(shape.rows * kPerRow);
    const auto tmp = run.Temporary(
        AscendC::GetLogSoftMaxMinTmpSize(shape.Host(), sizeof(T), false));
    AscendC::tiling::LogSoftMaxTiling tiling;
    AscendC::LogSoftMaxTilingFunc(shape.Host(), sizeof(T), tmp.count, tiling);
    run.Run([&] {
      AscendC::LogSoftMax<T, false, isNz>(dst.tensor(), sum.tensor(),
                                          max.tensor(), src.tensor(),
                                          tmp.tensor(), tiling, shape.Info());
    });
    const Model model = ModelOf(shape, isNz, data, {}, {});
    std::vector<double> exact;
    for (uint32_t row = 0; row < shape.rows; ++row) {
      for (uint32_t i = 0; i < shape.columns; ++i) {
        const double x = Widen(data[Place(shape, isNz, row, i)]);
        exact.push_back((x - model.max[row]) / std::log(10.0) -
                        std::log10(model.sum[row]));
      }
    }
    ExpectNear(Columns(shape, isNz, dst.Result()), exact,
               sizeof(T) == 2 ? 1.01 : 6, 1, worst, "LogSoftMax " + what);
    ExpectNear(sum.Result(), Repeated(model.sum, kPerRow), kDataUlps<T>, 0,
               worst, "sum " + what);
  }
  std::printf("LogSoftMax: worst %s\n", worst.Text().c_str());
}

TEST(LogSoftMax, Half) { CheckLog<half, false>(); }
TEST(LogSoftMax, FloatNz) { CheckLog<float, true>(); }

TEST(AdjustSoftMaxRes, FillsTheRowsOfAValue) {
  constexpr uint32_t kRows = 12;
  constexpr uint32_t kWidth = 32;
  RowCase run;
  const auto data = Uniform<float>(kRows * kWidth, 0, 1);
  std::vector<half> maxima;
  for (uint32_t row = 0; row < kRows; ++row) {
    maxima.insert(maxima.end(), 16, static_cast<half>(row % 5 == 2 ? -3 : 1));
  }
  const auto result = run.Input(data);
  run.Overwritten(result);
  const auto max = run.Input(maxima);
  bool was_found = false;
  bool was_other_found = true;
  run.Run([&] {
    const SoftMaxShapeInfo shape(kRows, kWidth, kRows, kWidth);
    was_found = AscendC::AdjustSoftMaxRes<float, half>(
        result.tensor(), max.tensor(), 0xC200, 7.0f, shape);
    was_other_found = AscendC::AdjustSoftMaxRes<float, half>(
        result.tensor(), max.tensor(), 0x4000, 9.0f, shape);
  });
  EXPECT_TRUE(was_found);
  EXPECT_FALSE(was_other_found);
  const auto adjusted = result.Result();
  for (size_t i = 0; i < data.size(); ++i) {
    EXPECT_EQ(adjusted[i], i / kWidth % 5 == 2 ? 7.0f : data[i]) << i;
  }
}

TEST(SoftMax, RefusesWhatItCannotDo) {
  RowCase run;
  const auto data = run.Output<float>(4096);
  const auto small = run.Temporary(256);
  const SoftMaxTiling tiling;
  const auto code_of = [&](const SoftMaxShapeInfo& shape) {
    return library::Run(run.top(),
                        [&] {
                          AscendC::SoftMax<float>(data.tensor(), data.tensor(),
                                                  small.tensor(), tiling,
                                                  shape);
                        })
        .substr(0, 8);
  };
  EXPECT_EQ(code_of({8, 64, 8, 64}), "BLY-N170");
  EXPECT_EQ(code_of({8, 60, 8, 60}), "BLY-N171");
  EXPECT_EQ(code_of({8, 64, 8, 72}), "BLY-N171");
}

}  // namespace
}  // namespace belay::library::softmax::test_softmax
