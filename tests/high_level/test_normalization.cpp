// SPDX-License-Identifier: Apache-2.0
// The normalisation functions over types, shapes with padding and sizes of the
// temporary buffer, against a model in double.

#include <gtest/gtest.h>

#include "row_case.h"
#include "tiling/high_level/normalization.h"

namespace belay::library {
namespace {

using AscendC::TensorShape;

constexpr int kCases = 20;
template <typename T>
constexpr double kUlps = sizeof(T) == 2 ? 1.1 : 24;
constexpr double kEpsilon = 0.0009765625;  // a power of two: exact in half

struct Shape {
  uint32_t rows;
  uint32_t width;
  uint32_t columns;

  TensorShape Host() const {
    return TensorShape(std::vector<int64_t>{1, rows, width, columns});
  }
  TensorShape Host3(uint32_t last) const {
    return TensorShape(std::vector<int64_t>{1, rows, last});
  }
};

template <typename T>
Shape DrawShape() {
  static constexpr uint32_t kWidths[] = {16, 32, 64, 96, 128, 512, 1024, 2032};
  Shape shape;
  shape.width = kWidths[Below(8)];
  shape.rows = 1 + Below(std::min<uint32_t>(40, 5000 / shape.width));
  shape.columns = shape.width - Below(2) * Below(32 / sizeof(T));
  return shape;
}

// Data with zeros in the padding, as the functions ask for.
template <typename T>
std::vector<T> Padded(const Shape& shape, double low, double high) {
  auto data = Uniform<T>(shape.rows * shape.width, low, high);
  for (uint32_t i = 0; i < data.size(); ++i) {
    if (i % shape.width >= shape.columns) data[i] = T(0);
  }
  return data;
}

template <typename T>
std::vector<T> Columns(const Shape& shape, const std::vector<T>& whole) {
  std::vector<T> result;
  for (uint32_t i = 0; i < whole.size(); ++i) {
    if (i % shape.width < shape.columns) result.push_back(whole[i]);
  }
  return result;
}

struct Model {
  std::vector<double> mean, variance, rstd;
  std::vector<double> normalised;  // [rows, columns]
};
Model ModelOf(const Shape& shape, const std::vector<double>& data,
              bool is_centred = true) {
  Model model;
  for (uint32_t row = 0; row < shape.rows; ++row) {
    const double* x = data.data() + row * shape.width;
    double mean = 0;
    for (uint32_t i = 0; i < shape.columns; ++i) mean += x[i];
    mean = is_centred ? mean / shape.columns : 0;
    double variance = 0;
    for (uint32_t i = 0; i < shape.columns; ++i) {
      variance += (x[i] - mean) * (x[i] - mean);
    }
    variance /= shape.columns;
    model.mean.push_back(mean);
    model.variance.push_back(variance);
    model.rstd.push_back(1 / std::sqrt(variance + kEpsilon));
    for (uint32_t i = 0; i < shape.columns; ++i) {
      model.normalised.push_back((x[i] - mean) * model.rstd.back());
    }
  }
  return model;
}
std::vector<double> Scaled(const Shape& shape,
                           const std::vector<double>& normalised,
                           const std::vector<double>& gamma,
                           const std::vector<double>& beta) {
  std::vector<double> result = normalised;
  for (size_t i = 0; i < result.size(); ++i) {
    const size_t column = i % shape.columns;
    if (!gamma.empty()) result[i] *= gamma[column];
    if (!beta.empty()) result[i] += beta[column];
  }
  return result;
}

uint32_t DrawSize(uint32_t least, uint32_t most) {
  return Below(3) == 0 ? least : least + Below(most - least + 1);
}
std::string NameOf(const Shape& shape, int number) {
  return "[" + std::to_string(shape.rows) + ", " +
         std::to_string(shape.columns) + " of " + std::to_string(shape.width) +
         "] seed " + std::to_string(number);
}

// LayerNorm of [B, S, H] and DeepNorm.
template <typename T, bool isDeep>
void CheckLayerNorm() {
  Worst worst;
  for (int number = 0; number < kCases; ++number) {
    SeedCase(number);
    const Shape shape = DrawShape<T>();
    const std::string what = NameOf(shape, number);
    RowCase run;
    const auto data = Padded<T>(shape, -3, 5);
    const auto more_data = Padded<T>(shape, -1, 1);
    const auto gammas = Uniform<T>(shape.width, 0.5, 2);
    const auto betas = Uniform<T>(shape.width, -1, 1);
    const auto src = run.Input(data);
    const auto more = run.Input(isDeep ? more_data : std::vector<T>(16));
    const auto gamma = run.Input(gammas);
    const auto beta = run.Input(betas);
    const auto dst = run.Output<T>(data.size());
    const auto mean = run.Output<T>(shape.rows);
    const auto variance = run.Output<T>(shape.rows);
    uint32_t most = 0;
    uint32_t least = 0;
    AscendC::GetLayerNormMaxMinTmpSize(shape.Host(), sizeof(T), false, most,
                                       least);
    const auto tmp = run.Temporary(DrawSize(least, std::min(most, 70000u)));
    const T alpha = T(2.0f);
    if constexpr (isDeep) {
      AscendC::tiling::DeepNormTiling tiling;
      ASSERT_TRUE(AscendC::GetDeepNormTilingInfo(
          shape.Host3(shape.width), shape.Host3(shape.columns), tmp.count,
          sizeof(T), false, false, tiling));
      run.Run([&] {
        AscendC::DeepNorm<T>(dst.tensor(), mean.tensor(), variance.tensor(),
                             src.tensor(), more.tensor(), beta.tensor(),
                             gamma.tensor(), tmp.tensor(), alpha,
                             static_cast<T>(kEpsilon), tiling);
      });
    } else {
      AscendC::tiling::LayerNormTiling tiling;
      AscendC::GetLayerNormNDTilingInfo(shape.Host(), tmp.count, sizeof(T),
                                        false, tiling);
      const bool has_buffer = Below(3) != 0;
      run.Run([&] {
        if (has_buffer) {
          AscendC::LayerNorm<T, false>(
              dst.tensor(), mean.tensor(), variance.tensor(), src.tensor(),
              gamma.tensor(), beta.tensor(), tmp.tensor(),
              static_cast<T>(kEpsilon), tiling);
        } else {
          AscendC::LayerNorm<T, false>(
              dst.tensor(), mean.tensor(), variance.tensor(), src.tensor(),
              gamma.tensor(), beta.tensor(), static_cast<T>(kEpsilon), tiling);
        }
      });
    }
    std::vector<double> x = Widened(data);
    if (isDeep) {
      for (size_t i = 0; i < x.size(); ++i) {
        x[i] = 2 * x[i] + Widen(more_data[i]);
      }
    }
    const Model model = ModelOf(shape, x);
    ExpectNear(Columns(shape, dst.Result()),
               Scaled(shape, model.normalised, Widened(gammas), Widened(betas)),
               kUlps<T>, 1, worst, "result " + what);
    ExpectNear(mean.Result(), model.mean, kUlps<T>, 1, worst, "mean " + what);
    ExpectNear(variance.Result(), model.variance, kUlps<T>, 1, worst,
               "variance " + what);
  }
  std::printf("%s: worst %s\n", isDeep ? "DeepNorm" : "LayerNorm",
              worst.Text().c_str());
}

TEST(LayerNorm, Half) { CheckLayerNorm<half, false>(); }
TEST(LayerNorm, Float) { CheckLayerNorm<float, false>(); }
TEST(DeepNorm, Half) { CheckLayerNorm<half, true>(); }
TEST(DeepNorm, Float) { CheckLayerNorm<float, true>(); }

// LayerNorm of [A, R] and, with what it found, Normalize.
template <typename T, typename U, bool isNoGamma, bool isNoBeta>
void CheckSeparate() {
  static constexpr AscendC::LayerNormConfig kConfig = {isNoBeta, isNoGamma,
                                                       false, true};
  static constexpr AscendC::NormalizeConfig kNormalizeConfig = {
      AscendC::ReducePattern::AR, -1, isNoBeta, isNoGamma, false};
  Worst worst;
  for (int number = 0; number < kCases; ++number) {
    SeedCase(number);
    const Shape shape = DrawShape<T>();
    const std::string what = NameOf(shape, number);
    RowCase run;
    const auto data = Padded<T>(shape, -3, 5);
    const auto gammas = Uniform<U>(shape.width, 0.5, 2);
    const auto betas = Uniform<U>(shape.width, -1, 1);
    const auto src = run.Input(data);
    const auto gamma = run.Input(gammas);
    const auto beta = run.Input(betas);
    const auto dst = run.Output<T>(data.size());
    const auto mean = run.Output<float>(shape.rows);
    const auto rstd = run.Output<float>(shape.rows);
    const TensorShape host(std::vector<int64_t>{shape.rows, shape.columns});
    uint32_t most = 0;
    uint32_t least = 0;
    AscendC::GetLayerNormMaxMinTmpSize(host, sizeof(T), false, true, false,
                                       most, least);
    const auto tmp = run.Temporary(DrawSize(least, std::min(most, 60000u)));
    AscendC::tiling::LayerNormSeparateTiling tiling;
    AscendC::GetLayerNormNDTilingInfo(host, tmp.count, sizeof(T), false, true,
                                      tiling);
    const AscendC::LayerNormPara para = {shape.rows, shape.columns,
                                         shape.width};
    run.Run([&] {
      AscendC::LayerNorm<U, T, false, kConfig>(
          dst.tensor(), mean.tensor(), rstd.tensor(), src.tensor(),
          gamma.tensor(), beta.tensor(), static_cast<float>(kEpsilon),
          tmp.tensor(), para, tiling);
    });
    const Model model = ModelOf(shape, Widened(data));
    const auto exact =
        Scaled(shape, model.normalised,
               isNoGamma ? std::vector<double>() : Widened(gammas),
               isNoBeta ? std::vector<double>() : Widened(betas));
    ExpectNear(Columns(shape, dst.Result()), exact, kUlps<T>, 1, worst,
               "LayerNorm " + what);
    ExpectNear(mean.Result(), model.mean, 24, 1, worst, "mean " + what);
    ExpectNear(rstd.Result(), model.rstd, 24, 0, worst, "rstd " + what);

    RowCase again;
    const auto src1 = again.Input(data);
    const auto gamma1 = again.Input(gammas);
    const auto beta1 = again.Input(betas);
    std::vector<float> means, variances;
    for (uint32_t row = 0; row < shape.rows; ++row) {
      means.push_back(static_cast<float>(model.mean[row]));
      variances.push_back(static_cast<float>(model.variance[row]));
    }
    const auto mean1 = again.Input(means);
    const auto variance1 = again.Input(variances);
    const auto rstd1 = again.Output<float>(shape.rows);
    const auto dst1 = again.Output<T>(data.size());
    const auto tmp1 = again.Temporary(least);
    again.Run([&] {
      AscendC::Normalize<U, T, false, kNormalizeConfig>(
          dst1.tensor(), rstd1.tensor(), mean1.tensor(), variance1.tensor(),
          src1.tensor(), gamma1.tensor(), beta1.tensor(), tmp1.tensor(),
          static_cast<float>(kEpsilon), para);
    });
    ExpectNear(Columns(shape, dst1.Result()), exact, kUlps<T>, 1, worst,
               "Normalize " + what);
    ExpectNear(rstd1.Result(), model.rstd, 4, 0, worst, "rstd " + what);
  }
  std::printf("LayerNorm with rstd: worst %s\n", worst.Text().c_str());
}

TEST(LayerNormSeparate, HalfWithFloatScale) {
  CheckSeparate<half, float, false, false>();
}
TEST(LayerNormSeparate, FloatWithoutGamma) {
  CheckSeparate<float, float, true, false>();
}
TEST(LayerNormSeparate, HalfWithoutBeta) {
  CheckSeparate<half, half, false, true>();
}

template <typename T>
void CheckRmsNorm() {
  Worst worst;
  for (int number = 0; number < kCases; ++number) {
    SeedCase(number);
    const Shape shape = DrawShape<T>();
    const std::string what = NameOf(shape, number);
    RowCase run;
    const auto data = Padded<T>(shape, -3, 5);
    const auto gammas = Uniform<T>(shape.width, 0.5, 2);
    const auto src = run.Input(data);
    const auto gamma = run.Input(gammas);
    const auto dst = run.Output<T>(data.size());
    uint32_t most = 0;
    uint32_t least = 0;
    ASSERT_TRUE(AscendC::GetRmsNormMaxMinTmpSize(shape.Host3(shape.width),
                                                 sizeof(T), most, least));
    const auto tmp = run.Temporary(DrawSize(least, std::min(most, 70000u)));
    AscendC::tiling::RmsNormTiling tiling;
    ASSERT_TRUE(AscendC::GetRmsNormTilingInfo(shape.Host3(shape.width),
                                              shape.Host3(shape.columns),
                                              tmp.count, sizeof(T), tiling));
    run.Run([&] {
      AscendC::RmsNorm<T>(dst.tensor(), src.tensor(), gamma.tensor(),
                          tmp.tensor(), static_cast<T>(kEpsilon), tiling);
    });
    const Model model = ModelOf(shape, Widened(data), false);
    ExpectNear(Columns(shape, dst.Result()),
               Scaled(shape, model.normalised, Widened(gammas), {}), kUlps<T>,
               0.1, worst, "RmsNorm " + what);
  }
  std::printf("RmsNorm: worst %s\n", worst.Text().c_str());
}

TEST(RmsNorm, Half) { CheckRmsNorm<half>(); }
TEST(RmsNorm, Float) { CheckRmsNorm<float>(); }

// The documented formulas, term by term.
template <typename T>
void CheckGrad() {
  Worst worst;
  for (int number = 0; number < kCases; ++number) {
    SeedCase(number);
    Shape shape = DrawShape<T>();
    shape.columns = shape.width;
    shape.rows = std::min(shape.rows, 3000 / shape.width + 1);
    const std::string what = NameOf(shape, number);
    RowCase run;
    const auto data = Uniform<T>(shape.rows * shape.width, -2, 2);
    const auto grads = Uniform<T>(shape.rows * shape.width, -1, 1);
    const auto gammas = Uniform<T>(shape.width, 0.5, 2);
    const auto means = Uniform<T>(shape.rows, -0.2, 0.2);
    const auto variances = Uniform<T>(shape.rows, 0.5, 2);
    const auto src = run.Input(data);
    const auto dy = run.Input(grads);
    const auto gamma = run.Input(gammas);
    const auto mean = run.Input(means);
    const auto variance = run.Input(variances);
    const auto dx = run.Output<T>(data.size());
    const auto normalised = run.Output<T>(data.size());
    uint32_t most = 0;
    uint32_t least = 0;
    AscendC::GetLayerNormGradMaxMinTmpSize(shape.Host(), sizeof(T), false, most,
                                           least);
    const auto tmp = run.Temporary(DrawSize(least, std::min(most, 60000u)));
    AscendC::tiling::LayerNormGradTiling tiling;
    AscendC::GetLayerNormGradNDTilingInfo(shape.Host(), tmp.count, sizeof(T),
                                          false, tiling);
    run.Run([&] {
      AscendC::LayerNormGrad<T>(dx.tensor(), normalised.tensor(), dy.tensor(),
                                src.tensor(), variance.tensor(), mean.tensor(),
                                gamma.tensor(), tmp.tensor(),
                                static_cast<T>(kEpsilon), tiling);
    });
    std::vector<double> exact, exact_normalised;
    const double h = shape.width;
    for (uint32_t row = 0; row < shape.rows; ++row) {
      const double v = Widen(variances[row]) + kEpsilon;
      const double m = Widen(means[row]);
      double pd_var = 0;
      double pd_mean = 0;
      double centred = 0;
      for (uint32_t i = 0; i < shape.width; ++i) {
        const double x = Widen(data[row * shape.width + i]) - m;
        const double g = Widen(grads[row * shape.width + i]) * Widen(gammas[i]);
        pd_var += -0.5 * g * x * std::pow(v, -1.5);
        pd_mean += -g / std::sqrt(v);
        centred += -2 * x;
      }
      pd_mean += pd_var / h * centred;
      for (uint32_t i = 0; i < shape.width; ++i) {
        const double x = Widen(data[row * shape.width + i]) - m;
        const double g = Widen(grads[row * shape.width + i]) * Widen(gammas[i]);
        exact.push_back(g / std::sqrt(v) + pd_var * 2 / h * x + pd_mean / h);
        exact_normalised.push_back(x / std::sqrt(v));
      }
    }
    ExpectNear(dx.Result(), exact, kUlps<T>, 1, worst, "gradient " + what);
    ExpectNear(normalised.Result(), exact_normalised, kUlps<T>, 0.1, worst,
               "normalised " + what);

    RowCase again;
    const auto scaled = again.Input(data);
    const auto dy1 = again.Input(grads);
    const auto pd_gamma = again.Output<T>(shape.width);
    const auto pd_beta = again.Output<T>(shape.width);
    AscendC::GetLayerNormGradBetaMaxMinTmpSize(shape.Host(), sizeof(T), false,
                                               most, least);
    const auto tmp1 = again.Temporary(number % 2 == 0 ? least : most);
    AscendC::tiling::LayerNormGradBetaTiling beta_tiling;
    AscendC::GetLayerNormGradBetaNDTilingInfo(shape.Host(), tmp1.count,
                                              sizeof(T), false, beta_tiling);
    again.Run([&] {
      AscendC::LayerNormGradBeta<T>(pd_gamma.tensor(), pd_beta.tensor(),
                                    scaled.tensor(), dy1.tensor(),
                                    tmp1.tensor(), beta_tiling);
    });
    std::vector<double> exact_gamma(shape.width), exact_beta(shape.width);
    for (size_t i = 0; i < data.size(); ++i) {
      exact_gamma[i % shape.width] += Widen(data[i]) * Widen(grads[i]);
      exact_beta[i % shape.width] += Widen(grads[i]);
    }
    ExpectNear(pd_gamma.Result(), exact_gamma, kUlps<T>, 1, worst,
               "gradient of gamma " + what);
    ExpectNear(pd_beta.Result(), exact_beta, kUlps<T>, 1, worst,
               "gradient of beta " + what);
  }
  std::printf("LayerNormGrad: worst %s\n", worst.Text().c_str());
}

TEST(LayerNormGrad, Half) { CheckGrad<half>(); }
TEST(LayerNormGrad, Float) { CheckGrad<float>(); }

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
}  // namespace belay::library
