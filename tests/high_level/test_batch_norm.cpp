// SPDX-License-Identifier: Apache-2.0
// BatchNorm, GroupNorm and the Welford functions over types, shapes and sizes
// of the temporary buffer, against a model in double.

#include <gtest/gtest.h>

#include "norm_model.h"

namespace belay::library::norm::test_batch_norm {
namespace {

template <typename T>
void CheckBatchNorm() {
  Worst worst;
  for (int number = 0; number < kCases; ++number) {
    SeedCase(number);
    const uint32_t width = (1 + Below(12)) * 16;
    const uint32_t stored = 6 + Below(16);
    const uint32_t rows = stored - Below(2);
    const std::string what = "[" + std::to_string(rows) + ", " +
                             std::to_string(width) + "] seed " +
                             std::to_string(number);
    const TensorShape host(std::vector<int64_t>{stored, 2, width / 2});
    const TensorShape original(std::vector<int64_t>{rows, 2, width / 2});
    RowCase run;
    const auto data = Uniform<T>(stored * width, -3, 5);
    const auto gammas = Uniform<T>(rows, 0.5, 2);
    const auto betas = Uniform<T>(rows, -1, 1);
    const auto src = run.Input(data);
    const auto gamma = run.Input(gammas);
    const auto beta = run.Input(betas);
    const auto dst = run.Output<T>(rows * width);
    const auto mean = run.Output<T>(width);
    const auto variance = run.Output<T>(width);
    uint32_t most = 0;
    uint32_t least = 0;
    ASSERT_TRUE(AscendC::GetBatchNormMaxMinTmpSize(host, original, sizeof(T),
                                                   false, most, least));
    const auto tmp = run.Temporary(DrawSize(least, most));
    AscendC::tiling::BatchNormTiling tiling;
    ASSERT_TRUE(AscendC::GetBatchNormNDTilingInfo(host, original, tmp.count,
                                                  sizeof(T), false, tiling));
    run.Run([&] {
      AscendC::BatchNorm<T>(dst.tensor(), mean.tensor(), variance.tensor(),
                            src.tensor(), gamma.tensor(), beta.tensor(),
                            tmp.tensor(), static_cast<T>(kEpsilon), tiling);
    });
    std::vector<double> exact(rows * width), means(width), variances(width);
    for (uint32_t i = 0; i < width; ++i) {
      for (uint32_t row = 0; row < rows; ++row) {
        means[i] += Widen(data[row * width + i]) / rows;
      }
      for (uint32_t row = 0; row < rows; ++row) {
        variances[i] +=
            std::pow(Widen(data[row * width + i]) - means[i], 2) / rows;
      }
      for (uint32_t row = 0; row < rows; ++row) {
        exact[row * width + i] = (Widen(data[row * width + i]) - means[i]) /
                                     std::sqrt(variances[i] + kEpsilon) *
                                     Widen(gammas[row]) +
                                 Widen(betas[row]);
      }
    }
    ExpectNear(dst.Result(), exact, kUlps<T>, 1, worst, "BatchNorm " + what);
    ExpectNear(mean.Result(), means, kUlps<T>, 1, worst, "mean " + what);
    ExpectNear(variance.Result(), variances, kUlps<T>, 1, worst,
               "variance " + what);
  }
  std::printf("BatchNorm: worst %s\n", worst.Text().c_str());
}

TEST(BatchNorm, Half) { CheckBatchNorm<half>(); }
TEST(BatchNorm, Float) { CheckBatchNorm<float>(); }

template <typename T>
void CheckGroupNorm() {
  Worst worst;
  for (int number = 0; number < kCases; ++number) {
    SeedCase(number);
    const uint32_t images = 1 + Below(3);
    const uint32_t groups = 1 + Below(4);
    const uint32_t channels = groups * (1 + Below(3));
    const uint32_t hw = (1 + Below(6)) * 16;
    const uint32_t in_group = channels / groups;
    const Shape shape{images * groups, in_group * hw, in_group * hw};
    const std::string what = NameOf(shape, number);
    const TensorShape host(std::vector<int64_t>{images, channels, 2, hw / 2});
    RowCase run;
    const auto data = Uniform<T>(images * channels * hw, -3, 5);
    const auto gammas = Uniform<T>(channels, 0.5, 2);
    const auto betas = Uniform<T>(channels, -1, 1);
    const auto src = run.Input(data);
    const auto gamma = run.Input(gammas);
    const auto beta = run.Input(betas);
    const auto dst = run.Output<T>(data.size());
    const auto mean = run.Output<T>(shape.rows);
    const auto variance = run.Output<T>(shape.rows);
    uint32_t most = 0;
    uint32_t least = 0;
    AscendC::GetGroupNormMaxMinTmpSize(host, sizeof(T), false, groups, most,
                                       least);
    const auto tmp = run.Temporary(DrawSize(least, std::min(most, 60000u)));
    AscendC::tiling::GroupNormTiling tiling;
    AscendC::GetGroupNormNDTilingInfo(host, tmp.count, sizeof(T), false, groups,
                                      tiling);
    run.Run([&] {
      AscendC::GroupNorm<T>(dst.tensor(), mean.tensor(), variance.tensor(),
                            src.tensor(), gamma.tensor(), beta.tensor(),
                            tmp.tensor(), static_cast<T>(kEpsilon), tiling);
    });
    const Model model = ModelOf(shape, Widened(data));
    std::vector<double> exact = model.normalised;
    for (size_t i = 0; i < exact.size(); ++i) {
      const size_t channel = i / hw % channels;
      exact[i] = exact[i] * Widen(gammas[channel]) + Widen(betas[channel]);
    }
    ExpectNear(dst.Result(), exact, kUlps<T>, 1, worst, "GroupNorm " + what);
    ExpectNear(mean.Result(), model.mean, kUlps<T>, 1, worst, "mean " + what);
    ExpectNear(variance.Result(), model.variance, kUlps<T>, 1, worst,
               "variance " + what);
  }
  std::printf("GroupNorm: worst %s\n", worst.Text().c_str());
}

TEST(GroupNorm, Half) { CheckGroupNorm<half>(); }
TEST(GroupNorm, Float) { CheckGroupNorm<float>(); }

// Parts of a row one after the other give the row's mean and variance.
TEST(Welford, PartsGiveTheWhole) {
  static constexpr AscendC::WelfordUpdateConfig kInplace = {true};
  for (int number = 0; number < 8; ++number) {
    SeedCase(number);
    const uint32_t length = (1 + Below(20)) * 16;
    const uint32_t parts = 1 + Below(5);
    const uint32_t tail = Below(2) == 0 ? length : 1 + Below(length);
    std::vector<float> mean(length), variance(length);
    std::vector<int32_t> counts(length);
    double total = 0;
    double squares = 0;
    uint32_t count = 0;
    for (uint32_t part = 0; part < parts; ++part) {
      const uint32_t used = part + 1 == parts ? tail : length;
      const auto data = Uniform<half>(length, -1, 3);
      for (uint32_t i = 0; i < used; ++i) {
        total += Widen(data[i]);
        squares += Widen(data[i]) * Widen(data[i]);
        ++counts[i];
      }
      count += used;
      RowCase run;
      const auto x = run.Input(data);
      const auto mean_before = run.Input(mean);
      const auto variance_before = run.Input(variance);
      const auto mean_after = run.Output<float>(length);
      const auto variance_after = run.Output<float>(length);
      uint32_t most = 0;
      uint32_t least = 0;
      AscendC::GetWelfordUpdateMaxMinTmpSize(
          TensorShape(std::vector<int64_t>{1, length}), 2, 4, false, true, most,
          least);
      const auto tmp = run.Temporary(number % 2 == 0 ? least : most);
      const AscendC::WelfordUpdateParam para = {
          1, length, used, 1.0f / static_cast<float>(part + 1)};
      run.Run([&] {
        AscendC::WelfordUpdate<half, float, false, kInplace>(
            mean_after.tensor(), variance_after.tensor(), mean_before.tensor(),
            variance_before.tensor(), x.tensor(), tmp.tensor(), para);
      });
      mean = mean_after.Result();
      variance = variance_after.Result();
    }
    const double exact_mean = total / count;
    const double exact_variance = squares / count - exact_mean * exact_mean;
    for (const bool has_counts : {true, false}) {
      RowCase run;
      const auto means = run.Input(mean);
      const auto variances = run.Input(variance);
      const auto weights = run.Input(counts);
      const auto result = run.Output<float>(8);
      const auto result_variance = run.Output<float>(8);
      uint32_t most = 0;
      uint32_t least = 0;
      AscendC::GetWelfordFinalizeMaxMinTmpSize(
          TensorShape(std::vector<int64_t>{length}), 4, false, most, least);
      const auto tmp = run.Temporary(number % 3 == 0 ? least : most);
      const bool has_tail = tail != length && parts > 1;
      if (tail != length && parts == 1 && !has_counts) continue;
      const AscendC::WelfordFinalizePara para = {
          parts,
          length,
          parts,
          has_tail ? tail : length,
          has_tail ? parts - 1 : 0,
          has_tail ? length - tail : 0,
          1.0f / static_cast<float>(length),
          1.0f / static_cast<float>(count)};
      run.Run([&] {
        if (has_counts) {
          AscendC::WelfordFinalize<false>(
              result.tensor(), result_variance.tensor(), means.tensor(),
              variances.tensor(), weights.tensor(), tmp.tensor(), para);
        } else {
          AscendC::WelfordFinalize<false>(
              result.tensor(), result_variance.tensor(), means.tensor(),
              variances.tensor(), tmp.tensor(), para);
        }
      });
      EXPECT_NEAR(result.Result()[0], exact_mean, 4e-6) << number;
      EXPECT_NEAR(result_variance.Result()[0], exact_variance, 8e-6) << number;
    }
  }
}

TEST(Normalization, RefusesWhatItCannotDo) {
  RowCase run;
  const auto data = run.Output<float>(2048);
  const auto small = run.Temporary(256);
  AscendC::tiling::GroupNormTiling groups;
  groups.n = 1;
  groups.c = 3;
  groups.g = 2;
  groups.hw = 16;
  const std::string refused = library::Run(run.top(), [&] {
    AscendC::GroupNorm<float>(data.tensor(), data.tensor(), data.tensor(),
                              data.tensor(), data.tensor(), data.tensor(),
                              small.tensor(), 0.1f, groups);
  });
  EXPECT_EQ(refused.substr(0, 8), "BLY-N171") << refused;
  AscendC::tiling::RmsNormTiling rows;
  rows.bLength = 1;
  rows.sLength = 4;
  rows.hLength = 64;
  const std::string too_small = library::Run(run.top(), [&] {
    AscendC::RmsNorm<float>(data.tensor(), data.tensor(), data.tensor(),
                            small.tensor(), 0.1f, rows);
  });
  EXPECT_EQ(too_small.substr(0, 8), "BLY-N170") << too_small;
}

}  // namespace
}  // namespace belay::library::norm::test_batch_norm
