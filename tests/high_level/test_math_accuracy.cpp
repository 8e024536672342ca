// SPDX-License-Identifier: Apache-2.0
// The mathematical and activation functions of one tensor against double, over
// the range their documents give: all forms, pieces and tails. Prints the
// worst error of each; the bounds are those of docs/high_level.md.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "library_bench.h"

namespace belay::library::test_math_accuracy {
namespace {

constexpr uint32_t kDst = 0;
constexpr uint32_t kSrc = 48 * 1024;
constexpr uint32_t kTmp = 96 * 1024;
constexpr uint32_t kTmpBytes = 80 * 1024;

template <typename T>
using Tensor = AscendC::LocalTensor<T>;
using Bytes = AscendC::LocalTensor<uint8_t>;

// Runs `call(dst, src, tmp, count)` on `inputs` in calls of `step` elements.
template <typename T, typename Call>
std::vector<T> Outputs(const std::vector<T>& inputs, uint32_t step,
                       uint32_t tmp_bytes, const Call& call) {
  std::vector<T> outputs;
  for (size_t first = 0; first < inputs.size(); first += step) {
    const auto count =
        static_cast<uint32_t>(std::min<size_t>(step, inputs.size() - first));
    const std::vector<T> part(inputs.begin() + first,
                              inputs.begin() + first + count);
    Put(kSrc, part);
    const uint32_t room = (count + 15) / 16 * 16;
    MustRun(kTmp, [&] {
      call(At<T>(kDst, room), At<T>(kSrc, room), At<uint8_t>(kTmp, tmp_bytes),
           count);
    });
    const std::vector<T> got = Take<T>(kDst, count);
    outputs.insert(outputs.end(), got.begin(), got.end());
  }
  return outputs;
}

// Errors count in units of the last place of the result or, where that is
// smaller, of `floor`.
template <typename T, typename Call>
void CheckRange(const char* name, const std::vector<T>& inputs, double bound,
                double floor, const std::function<double(double)>& model,
                const Call& call) {
  const std::vector<T> outputs = Outputs(inputs, 10000, kTmpBytes, call);
  const Worst worst = Compare(outputs, inputs, model, floor);
  std::printf("%-14s %-5s %s\n", name, sizeof(T) == 4 ? "float" : "half",
              worst.Text().c_str());
  EXPECT_LE(worst.error, bound) << name << ": " << worst.Text();
}

// Every half of the range, and random floats of it.
template <typename T>
std::vector<T> InputsOf(double low, double high) {
  if constexpr (sizeof(T) == 2) {
    std::vector<T> values;
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
      T value;
      const auto word = static_cast<uint16_t>(bits);
      std::memcpy(static_cast<void*>(&value), &word, 2);
      const double wide = Widen(value);
      if (wide >= low && wide <= high) values.push_back(value);
    }
    return values;
  } else {
    std::vector<T> values = Uniform<T>(20000, low, high);
    for (const T value : LogUniform<T>(20000, 1e-30, 1e30, true)) {
      if (value >= low && value <= high) values.push_back(value);
    }
    for (const T value : LogUniform<T>(20000, 1e-4, 1e2, true)) {
      if (value >= low && value <= high) values.push_back(value);
    }
    values.push_back(Narrow<T>(low));
    values.push_back(Narrow<T>(high));
    values.push_back(0.0f);
    if (low > 0) values.pop_back();
    return values;
  }
}

#define BELAY_ACCURACY(name, low, high, float_bound, half_bound, floor, model) \
  TEST(Accuracy, name) {                                                       \
    const auto call = [](const auto& dst, const auto& src, const Bytes& tmp,   \
                         uint32_t count) {                                     \
      AscendC::name(dst, src, tmp, count);                                     \
    };                                                                         \
    CheckRange<float>(#name, InputsOf<float>(low, high), float_bound, floor,   \
                      model, call);                                            \
    CheckRange<half>(#name, InputsOf<half>(low, high), half_bound, floor,      \
                     model, call);                                             \
  }

double DigammaModel(double x) {
  if (x < 0.5) {
    if (x == 0) return std::signbit(x) ? INFINITY : -INFINITY;
    const double f = x - std::rint(x);
    return DigammaModel(1 - x) - M_PI / std::tan(M_PI * f);
  }
  double result = 0;
  for (; x < 20; ++x) result -= 1 / x;
  const double z = 1 / (x * x);
  return result + std::log(x) - 0.5 / x -
         z * (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z / 240)));
}
double GeluModel(double x) {
  return x / (1 + std::exp(-1.5957691216057308 * (x + 0.044715 * x * x * x)));
}
double FasterGeluV2Model(double x) {
  const double d = std::min(std::abs(0.7071 * x), 1.769) - 1.769;
  const double s = std::signbit(x) ? -1 : 1;
  return x * (s * (-0.1444 * d * d + 0.5) + 0.5);
}

BELAY_ACCURACY(Acos, -1, 1, 4, 1, 0, [](double x) { return std::acos(x); })
BELAY_ACCURACY(Acosh, 1, 65504, 4, 1, 0, [](double x) { return std::acosh(x); })
BELAY_ACCURACY(Asin, -1, 1, 4, 1, 0, [](double x) { return std::asin(x); })
BELAY_ACCURACY(Asinh, -65504, 65504, 4, 1, 0,
               [](double x) { return std::asinh(x); })
BELAY_ACCURACY(Atan, -1e30, 1e30, 4, 1, 0,
               [](double x) { return std::atan(x); })
BELAY_ACCURACY(Atanh, -1, 1, 4, 1, 0, [](double x) { return std::atanh(x); })
BELAY_ACCURACY(Ceil, -1e30, 1e30, 0, 0, 0,
               [](double x) { return std::ceil(x); })
BELAY_ACCURACY(Cos, -65504, 65504, 4, 1, 0,
               [](double x) { return std::cos(x); })
BELAY_ACCURACY(Cosh, -100, 100, 4, 1, 0, [](double x) { return std::cosh(x); })
BELAY_ACCURACY(Digamma, 0.001, 1e6, 6, 1, 1, DigammaModel)
BELAY_ACCURACY(Erf, -10, 10, 4, 1, 0, [](double x) { return std::erf(x); })
BELAY_ACCURACY(Erfc, -10, 10, 8, 1, 0, [](double x) { return std::erfc(x); })
BELAY_ACCURACY(FasterGelu, -100, 100, 8, 1, 0.01,
               [](double x) { return x / (1 + std::exp(-1.702 * x)); })
BELAY_ACCURACY(FasterGeluV2, -100, 100, 12, 1, 0.1, FasterGeluV2Model)
BELAY_ACCURACY(Floor, -1e30, 1e30, 0, 0, 0,
               [](double x) { return std::floor(x); })
BELAY_ACCURACY(Frac, -1e30, 1e30, 0, 0, 0,
               [](double x) { return x - std::trunc(x); })
BELAY_ACCURACY(Gelu, -100, 100, 14, 1, 0.01, GeluModel)
BELAY_ACCURACY(Lgamma, 0, 1e6, 4, 1, 0, [](double x) { return std::lgamma(x); })
BELAY_ACCURACY(Log2, 1e-30, 1e30, 4, 1, 0,
               [](double x) { return std::log2(x); })
BELAY_ACCURACY(Round, -1e30, 1e30, 0, 0, 0,
               [](double x) { return std::nearbyint(x); })
BELAY_ACCURACY(Sigmoid, -87, 100, 4, 1, 0,
               [](double x) { return 1 / (1 + std::exp(-x)); })
BELAY_ACCURACY(Sign, -1e30, 1e30, 0, 0, 0, [](double x) {
  return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0;
})
BELAY_ACCURACY(Sin, -65504, 65504, 4, 1, 0,
               [](double x) { return std::sin(x); })
BELAY_ACCURACY(Sinh, -100, 100, 4, 1, 0, [](double x) { return std::sinh(x); })
BELAY_ACCURACY(Tan, -65504, 65504, 6, 1, 0,
               [](double x) { return std::tan(x); })
BELAY_ACCURACY(Tanh, -1e30, 1e30, 4, 1, 0,
               [](double x) { return std::tanh(x); })
BELAY_ACCURACY(Trunc, -1e30, 1e30, 0, 0, 0,
               [](double x) { return std::trunc(x); })

// Forms of their own: no temporary buffer, or a parameter more.
TEST(Accuracy, SiluAndSwish) {
  const auto silu = [](const auto& dst, const auto& src, const Bytes&,
                       uint32_t count) { AscendC::Silu(dst, src, count); };
  const auto silu_model = [](double x) { return x / (1 + std::exp(-x)); };
  CheckRange<float>("Silu", InputsOf<float>(-100, 100), 4, 0.01, silu_model,
                    silu);
  CheckRange<half>("Silu", InputsOf<half>(-100, 100), 1, 0.01, silu_model,
                   silu);
  const auto swish = [](const auto& dst, const auto& src, const Bytes&,
                        uint32_t count) {
    AscendC::Swish(dst, src, count, 1.5);
  };
  const auto swish_model = [](double x) {
    return x / (1 + std::exp(-1.5 * x));
  };
  CheckRange<float>("Swish", InputsOf<float>(-100, 100), 8, 0.01, swish_model,
                    swish);
  CheckRange<half>("Swish", InputsOf<half>(-100, 100), 1, 0.01, swish_model,
                   swish);
}

TEST(Accuracy, Logarithms) {
  const auto log = [](const auto& dst, const auto& src, const Bytes&,
                      uint32_t count) { AscendC::Log(dst, src, count); };
  const auto log_model = [](double x) { return std::log(x); };
  CheckRange<float>("Log", InputsOf<float>(1e-30, 1e30), 1.1, 0, log_model,
                    log);
  CheckRange<half>("Log", InputsOf<half>(1e-30, 1e30), 1, 0, log_model, log);
  const auto log10 = [](const auto& dst, const auto& src, const Bytes&,
                        uint32_t count) { AscendC::Log10(dst, src, count); };
  const auto log10_model = [](double x) { return std::log10(x); };
  CheckRange<float>("Log10", InputsOf<float>(1e-30, 1e30), 3, 0, log10_model,
                    log10);
  CheckRange<half>("Log10", InputsOf<half>(1e-30, 1e30), 2, 0, log10_model,
                   log10);
}

// Negative arguments go through reflection formulas: near poles and zeros the
// error is one of the larger terms.
TEST(Accuracy, NegativeGammas) {
  std::vector<float> inputs = Uniform<float>(20000, -100, 0);
  const auto lgamma = [](const auto& dst, const auto& src, const Bytes& tmp,
                         uint32_t count) {
    AscendC::Lgamma(dst, src, tmp, count);
  };
  CheckRange<float>(
      "Lgamma < 0", inputs, 4, 100, [](double x) { return std::lgamma(x); },
      lgamma);
  const auto digamma = [](const auto& dst, const auto& src, const Bytes& tmp,
                          uint32_t count) {
    AscendC::Digamma(dst, src, tmp, count);
  };
  CheckRange<float>("Digamma < 0", inputs, 8, 10, DigammaModel, digamma);
}

TEST(Accuracy, ExpSeries) {
  const auto model = [](double x) { return std::exp(x); };
  const auto call = [](const auto& dst, const auto& src, const Bytes& tmp,
                       uint32_t count) {
    using T = std::remove_cv_t<std::remove_reference_t<decltype(src)>>;
    AscendC::Exp<typename T::PrimType, 15>(dst, src, tmp, count);
  };
  CheckRange<float>("Exp<15>", Uniform<float>(20000, -87, 100), 4, 0, model,
                    call);
  CheckRange<half>("Exp<15>", InputsOf<half>(-65504, 65504), 1, 0, model, call);
  // Three terms: 1 + f + f²/2 + f³/6.
  const auto short_model = [](double x) {
    const double f = x - std::floor(x);
    return std::exp(std::floor(x)) * (1 + f + f * f / 2 + f * f * f / 6);
  };
  const auto short_call = [](const auto& dst, const auto& src, const Bytes& tmp,
                             uint32_t count) {
    AscendC::Exp<float, 3>(dst, src, tmp, count);
  };
  CheckRange<float>("Exp<3>", Uniform<float>(20000, -80, 80), 4, 0, short_model,
                    short_call);
}

}  // namespace
}  // namespace belay::library::test_math_accuracy
