// SPDX-License-Identifier: Apache-2.0
// Softmax of rows that come in parts: SoftmaxFlash in its three versions,
// against a model in double.

#include <gtest/gtest.h>

#include "softmax_model.h"

namespace belay::library::softmax::test_softmax_flash {
namespace {

constexpr AscendC::SoftmaxConfig kWithoutBlocks = {
    true, 0, 0, AscendC::SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC};

// Version 1 divides, version 2 does not.
template <typename T, typename U, int version, bool isNz = false,
          const AscendC::SoftmaxConfig& config = AscendC::SOFTMAX_DEFAULT_CFG>
void CheckFlash() {
  constexpr bool kIsSpread =
      config.mode == AscendC::SoftmaxMode::SOFTMAX_NORMAL;
  constexpr uint32_t kPerRow = kIsSpread ? 32 / sizeof(U) : 1;
  constexpr uint32_t kPerRatio = kIsSpread ? 32 / sizeof(T) : 1;
  Worst worst;
  for (int number = 0; number < kCases; ++number) {
    SeedCase(number);
    const Shape shape = DrawShape<T>(isNz);
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
        AscendC::SoftmaxFlashV2<T, true, false, false, isNz, config>(
            dst.tensor(), sum.tensor(), max.tensor(), src.tensor(),
            ratio.tensor(), sum_before.tensor(), max_before.tensor(),
            tmp.tensor(), tiling, shape.Info());
      } else {
        AscendC::SoftmaxFlashV2<T, false, false, false, isNz, config>(
            dst.tensor(), sum.tensor(), max.tensor(), src.tensor(),
            ratio.tensor(), sum_before.tensor(), max_before.tensor(), tiling,
            shape.Info());
      }
    });
    const Model model = is_update
                            ? ModelOf(shape, isNz, data, Widened(max_values),
                                      Widened(sum_values))
                            : ModelOf(shape, isNz, data, {}, {});
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
    ExpectNear(Columns(shape, isNz, dst.Result()), exact, kDataUlps<T>, 1e-5,
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
TEST(SoftmaxFlashV2, HalfNz) { CheckFlash<half, float, 2, true>(); }
TEST(SoftmaxFlashV2, OneValueARow) {
  CheckFlash<half, half, 2, false, kWithoutBlocks>();
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

}  // namespace
}  // namespace belay::library::softmax::test_softmax_flash
