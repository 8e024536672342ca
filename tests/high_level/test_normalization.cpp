// SPDX-License-Identifier: Apache-2.0
// LayerNorm, DeepNorm, Normalize, RmsNorm and the gradients over types, shapes
// with padding and sizes of the temporary buffer, against a model in double.

#include <gtest/gtest.h>

#include "norm_model.h"

namespace belay::library::norm::test_normalization {
namespace {

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
    shape.rows = std::min(shape.rows, 5000 / shape.width + 1);
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
    // The error of a sum goes with its summands.
    const double size = std::max(1.0, shape.rows / 4.0);
    ExpectNear(pd_gamma.Result(), exact_gamma, kUlps<T>, size, worst,
               "gradient of gamma " + what);
    ExpectNear(pd_beta.Result(), exact_beta, kUlps<T>, size, worst,
               "gradient of beta " + what);
  }
  std::printf("LayerNormGrad: worst %s\n", worst.Text().c_str());
}

TEST(LayerNormGrad, Half) { CheckGrad<half>(); }
TEST(LayerNormGrad, Float) { CheckGrad<float>(); }

}  // namespace
}  // namespace belay::library::norm::test_normalization
