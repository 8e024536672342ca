// SPDX-License-Identifier: Apache-2.0
// The softmax functions over types, formats, shapes with padding and sizes of
// the temporary buffer, against a model in double.

#include <gtest/gtest.h>

#include "row_case.h"
#include "tiling/high_level/softmax.h"

namespace belay::library {
namespace {

using AscendC::SoftMaxShapeInfo;
using AscendC::TensorShape;

struct Shape {
  uint32_t rows;
  uint32_t width;
  uint32_t columns;

  SoftMaxShapeInfo Info() const { return {rows, width, rows, columns}; }
  TensorShape Host() const {
    return TensorShape(std::vector<int64_t>{rows, width});
  }
  std::string Text() const {
    return "[" + std::to_string(rows) + ", " + std::to_string(columns) +
           " of " + std::to_string(width) + "]";
  }
};

template <typename T>
Shape DrawShape(bool is_nz = false) {
  const uint32_t step = is_nz ? 16 : 32 / sizeof(T);
  static constexpr uint32_t kWidths[] = {16, 32, 64, 96, 128, 512, 1024, 2080};
  Shape shape;
  shape.width = kWidths[Below(8)];
  shape.rows = 1 + Below(std::min<uint32_t>(40, 6000 / shape.width));
  if (is_nz) shape.rows = (shape.rows + 15) / 16 * 16;
  if (is_nz && shape.width > 128) shape.width = 128;
  shape.columns = shape.width - Below(2) * Below(step);
  return shape;
}

// Where element (row, column) lies.
size_t Place(const Shape& shape, bool is_nz, uint32_t row, uint32_t column) {
  return is_nz ? (size_t{column / 16} * shape.rows + row) * 16 + column % 16
               : size_t{row} * shape.width + column;
}

// What softmax of rows is, in double. Results cover the columns of the data.
struct Model {
  std::vector<double> max, sum, ratio;
  std::vector<double> exp;  // [rows, columns]
};

template <typename T>
Model ModelOf(const Shape& shape, bool is_nz, const std::vector<T>& data,
              const std::vector<double>& max_before,
              const std::vector<double>& sum_before) {
  Model model;
  for (uint32_t row = 0; row < shape.rows; ++row) {
    double max = max_before.empty() ? -INFINITY : max_before[row];
    for (uint32_t i = 0; i < shape.columns; ++i) {
      max = std::max(max, Widen(data[Place(shape, is_nz, row, i)]));
    }
    const double ratio =
        max_before.empty() ? 0 : std::exp(max_before[row] - max);
    double sum = max_before.empty() ? 0 : ratio * sum_before[row];
    for (uint32_t i = 0; i < shape.columns; ++i) {
      const double x = Widen(data[Place(shape, is_nz, row, i)]);
      model.exp.push_back(std::exp(x - max));
      sum += model.exp.back();
    }
    model.max.push_back(max);
    model.sum.push_back(sum);
    model.ratio.push_back(ratio);
  }
  return model;
}

// The data's columns of a result, row after row.
template <typename T>
std::vector<T> Columns(const Shape& shape, bool is_nz,
                       const std::vector<T>& whole) {
  std::vector<T> result;
  for (uint32_t row = 0; row < shape.rows; ++row) {
    for (uint32_t i = 0; i < shape.columns; ++i) {
      result.push_back(whole[Place(shape, is_nz, row, i)]);
    }
  }
  return result;
}

// `per_row` equal values for each row.
template <typename U>
std::vector<U> Spread(const std::vector<double>& values, uint32_t per_row) {
  std::vector<U> result;
  for (const double value : values) {
    result.insert(result.end(), per_row, Narrow<U>(value));
  }
  return result;
}
std::vector<double> Repeated(const std::vector<double>& values,
                             uint32_t per_row) {
  std::vector<double> result;
  for (const double value : values) {
    result.insert(result.end(), per_row, value);
  }
  return result;
}

constexpr int kCases = 24;
template <typename T>
constexpr double kDataUlps = sizeof(T) == 2 ? 1.01 : 24;

// A size between the least and the most the function can use.
uint32_t DrawSize(uint32_t least, uint32_t most) {
  return Below(3) == 0 ? least : least + Below(most - least + 1);
}

template <typename T, typename U, bool isNz>
void CheckSoftMax() {
  Worst worst;
  for (int number = 0; number < kCases; ++number) {
    SeedCase(number);
    const Shape shape = DrawShape<T>(isNz);
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

constexpr AscendC::SoftmaxConfig kWithoutBlocks = {
    true, 0, 0, AscendC::SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC};

// Version 1 divides, version 2 does not.
template <typename T, typename U, int version,
          const AscendC::SoftmaxConfig& config = AscendC::SOFTMAX_DEFAULT_CFG>
void CheckFlash() {
  constexpr bool kIsSpread =
      config.mode == AscendC::SoftmaxMode::SOFTMAX_NORMAL;
  constexpr uint32_t kPerRow = kIsSpread ? 32 / sizeof(U) : 1;
  constexpr uint32_t kPerRatio = kIsSpread ? 32 / sizeof(T) : 1;
  Worst worst;
  for (int number = 0; number < kCases; ++number) {
    SeedCase(number);
    const Shape shape = DrawShape<T>();
    const std::string what = shape.Text() + " seed " + std::to_string(number);
    const bool is_update = Below(2) == 0;
    RowCase run;
    const auto data = Uniform<T>(shape.rows * shape.width, -6, 6);
    const auto max_values = Uniform<U>(shape.rows, 2, 8);
    const auto sum_values = Uniform<U>(shape.rows, 1, 20);
    const auto src = run.Input(data);
    const auto max_before = run.Input(Spread<U>(Widened(max_values), kPerRow));
    const auto sum_before = run.Input(Spread<U>(Widened(sum_values), kPerRow));
    const auto dst = run.Output<T>(data.size());
    const bool is_kept = Below(2) == 0;
    const auto max = is_kept ? run.Output<U>(shape.rows * kPerRow) : max_before;
    const auto sum = is_kept ? run.Output<U>(shape.rows * kPerRow) : sum_before;
    if (!is_kept) {
      run.Overwritten(max);
      run.Overwritten(sum);
    }
    const auto ratio = run.Output<T>(shape.rows * kPerRatio);
    const auto tmp = run.Temporary(AscendC::GetSoftMaxFlashV2MinTmpSize(
        shape.Host(), sizeof(T), sizeof(U), is_update));
    const SoftMaxTiling tiling = AscendC::SoftMaxFlashV2TilingFunc(
        shape.Info(), sizeof(T), sizeof(U), tmp.count, is_update);
    run.Run([&] {
      if constexpr (version == 1) {
        AscendC::SoftmaxFlash<T>(dst.tensor(), sum.tensor(), max.tensor(),
                                 src.tensor(), ratio.tensor(),
                                 sum_before.tensor(), max_before.tensor(),
                                 tmp.tensor(), tiling, is_update, shape.Info());
      } else if (is_update) {
        AscendC::SoftmaxFlashV2<T, true, false, false, false, config>(
            dst.tensor(), sum.tensor(), max.tensor(), src.tensor(),
            ratio.tensor(), sum_before.tensor(), max_before.tensor(),
            tmp.tensor(), tiling, shape.Info());
      } else {
        AscendC::SoftmaxFlashV2<T, false, false, false, false, config>(
            dst.tensor(), sum.tensor(), max.tensor(), src.tensor(),
            ratio.tensor(), sum_before.tensor(), max_before.tensor(), tiling,
            shape.Info());
      }
    });
    const Model model = is_update
                            ? ModelOf(shape, false, data, Widened(max_values),
                                      Widened(sum_values))
                            : ModelOf(shape, false, data, {}, {});
    std::vector<double> exact = model.exp;
    std::vector<double> ratios = model.ratio;
    if (version == 1) {
      for (size_t i = 0; i < exact.size(); ++i) {
        exact[i] /= model.sum[i / shape.columns];
      }
      for (size_t row = 0; row < ratios.size(); ++row) {
        ratios[row] *= Widen(sum_values[row]) / model.sum[row];
      }
    }
    ExpectNear(Columns(shape, false, dst.Result()), exact, kDataUlps<T>, 1e-5,
               worst, "result " + what);
    ExpectNear(max.Result(), Repeated(model.max, kPerRow), 0, 0, worst,
               "max " + what);
    ExpectNear(sum.Result(), Repeated(model.sum, kPerRow), kDataUlps<U>, 0,
               worst, "sum " + what);
    if (is_update) {
      ExpectNear(ratio.Result(), Repeated(ratios, kPerRatio), kDataUlps<T>, 0,
                 worst, "exp of max " + what);
    }
  }
  std::printf("SoftmaxFlash: worst %s\n", worst.Text().c_str());
}

TEST(SoftmaxFlash, Half) { CheckFlash<half, half, 1>(); }
TEST(SoftmaxFlashV2, HalfWithFloatValues) { CheckFlash<half, float, 2>(); }
TEST(SoftmaxFlashV2, Float) { CheckFlash<float, float, 2>(); }
TEST(SoftmaxFlashV2, OneValueARow) {
  CheckFlash<half, half, 2, kWithoutBlocks>();
}

TEST(SoftmaxFlashV2, KeepsTheMaxOfThePart) {
  const Shape shape{20, 64, 64};
  RowCase run;
  const auto data = Uniform<float>(shape.rows * shape.width, -6, 6);
  const std::vector<float> before(shape.rows, 5.5f);
  const auto src = run.Input(data);
  const auto max_before = run.Input(before);
  const auto sum_before = run.Input(before);
  const auto dst = run.Output<float>(data.size());
  const auto part = run.Output<float>(shape.rows);
  const auto max = run.Output<float>(shape.rows);
  const auto sum = run.Output<float>(shape.rows);
  const auto ratio = run.Output<float>(shape.rows);
  run.Run([&] {
    AscendC::SoftmaxFlashV2<float, true, false, false, false, kWithoutBlocks>(
        dst.tensor(), part.tensor(), sum.tensor(), max.tensor(), src.tensor(),
        ratio.tensor(), sum_before.tensor(), max_before.tensor(),
        SoftMaxTiling(), shape.Info());
  });
  Worst worst;
  ExpectNear(part.Result(), ModelOf(shape, false, data, {}, {}).max, 0, 0,
             worst, "max of the part");
  const Model model =
      ModelOf(shape, false, data, Widened(before), Widened(before));
  ExpectNear(max.Result(), model.max, 0, 0, worst, "max");
  ExpectNear(sum.Result(), model.sum, 8, 0, worst, "sum");
}

// The documented steps, in double.
TEST(SoftmaxFlashV3, FollowsTheDocumentedSteps) {
  for (int number = 0; number < 8; ++number) {
    SeedCase(number);
    const bool is_update = number % 2 == 0;
    const uint32_t width = number < 4 ? 512 : number < 6 ? 1024 : 2112;
    const Shape shape{number < 4 ? 16u : 8u, width, width};
    const double alpha = 0.9375;
    const double factor = alpha / (1 - alpha);
    const uint32_t loops = 1 + Below(4);
    RowCase run;
    const auto data = Uniform<half>(shape.rows * width, -2, 2);
    const auto means = Uniform<float>(shape.rows, -0.1, 0.1);
    const auto maxima = Uniform<float>(shape.rows, 1, 3);
    const auto sums = Uniform<float>(shape.rows, 1, 20);
    const auto src = run.Input(data);
    const auto mean_before = run.Input(Spread<float>(Widened(means), 8));
    const auto max_before = run.Input(Spread<float>(Widened(maxima), 8));
    const auto sum_before = run.Input(Spread<float>(Widened(sums), 8));
    const auto dst = run.Output<half>(data.size());
    const auto mean = run.Output<float>(shape.rows * 8);
    const auto max = run.Output<float>(shape.rows * 8);
    const auto sum = run.Output<float>(shape.rows * 8);
    const auto ratio = run.Output<half>(shape.rows * 16);
    uint32_t most = 0;
    uint32_t least = 0;
    AscendC::GetSoftMaxFlashV3MaxMinTmpSize(shape.Host(), 2, 4, most, least,
                                            is_update);
    const auto tmp = run.Temporary(number % 3 == 0 ? least : most);
    SoftMaxTiling tiling;
    AscendC::SoftMaxFlashV3TilingFunc(shape.Host(), 2, 4, tmp.count, tiling,
                                      is_update);
    const AscendC::SoftMaxParams params(shape.rows, width, shape.rows, width,
                                        loops, 8, static_cast<float>(alpha));
    run.Run([&] {
      if (is_update) {
        AscendC::SoftmaxFlashV3<half, float, true>(
            dst.tensor(), mean.tensor(), sum.tensor(), max.tensor(),
            src.tensor(), ratio.tensor(), mean_before.tensor(),
            sum_before.tensor(), max_before.tensor(), tmp.tensor(), tiling,
            params);
      } else {
        AscendC::SoftmaxFlashV3<half, float>(
            dst.tensor(), mean.tensor(), sum.tensor(), max.tensor(),
            src.tensor(), ratio.tensor(), mean_before.tensor(),
            sum_before.tensor(), max_before.tensor(), tmp.tensor(), tiling,
            params);
      }
    });
    std::vector<double> exact, exact_mean, exact_max, exact_sum, exact_ratio;
    for (uint32_t row = 0; row < shape.rows; ++row) {
      double part[8] = {};
      double all = 0;
      for (uint32_t i = 0; i < width; ++i) {
        const double x = Widen(data[row * width + i]);
        part[i < 512 ? i / 64 : i % 64 / 8] += x / (width / 8.0);
        all += x / width;
      }
      std::vector<double> x(width);
      double greatest = -INFINITY;
      for (uint32_t i = 0; i < width; ++i) {
        x[i] = Widen(data[row * width + i]) -
               (all - part[i / (width / 8)]) * factor;
        greatest = std::max(greatest, x[i]);
      }
      const double new_mean =
          is_update ? (all + Widen(means[row]) * (loops - 1)) / loops : all;
      const double shift = (all - new_mean) * factor;
      double new_max = shift + greatest;
      double carried = 0;
      if (is_update) {
        const double old =
            (Widen(means[row]) - new_mean) * factor + Widen(maxima[row]);
        new_max = std::max(new_max, old);
        exact_ratio.push_back(std::exp(old - new_max));
        carried = exact_ratio.back() * Widen(sums[row]);
      }
      double total = carried;
      for (uint32_t i = 0; i < width; ++i) {
        exact.push_back(std::exp(x[i] - (new_max - shift)));
        total += exact.back();
      }
      exact_mean.push_back(new_mean);
      exact_max.push_back(new_max);
      exact_sum.push_back(total);
    }
    Worst worst;
    const std::string what = shape.Text() + " seed " + std::to_string(number);
    ExpectNear(dst.Result(), exact, 1.2, 1e-4, worst, "result " + what);
    ExpectNear(mean.Result(), Repeated(exact_mean, 8), 64, 0.1, worst,
               "mean " + what);
    ExpectNear(max.Result(), Repeated(exact_max, 8), 128, 0.1, worst,
               "max " + what);
    ExpectNear(sum.Result(), Repeated(exact_sum, 8), 256, 0, worst,
               "sum " + what);
    if (is_update) {
      ExpectNear(ratio.Result(), Repeated(exact_ratio, 16), 1.2, 1e-4, worst,
                 "exp of max " + what);
    }
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
}  // namespace belay::library
