// SPDX-License-Identifier: Apache-2.0
#include "library_bench.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace belay::library {
namespace {

// Of a format with `digits` bits of significand and this least exponent.
double Ulp(double exact, int digits, int least_exponent) {
  if (exact == 0 || !std::isfinite(exact)) {
    return std::ldexp(1.0, least_exponent - digits + 1);
  }
  const int exponent = std::max(std::ilogb(exact), least_exponent);
  return std::ldexp(1.0, exponent - digits + 1);
}

constexpr double kHuge = 1e30;

template <typename T>
constexpr double kLargest = std::numeric_limits<float>::max();
template <>
constexpr double kLargest<half> = 65504;

}  // namespace

std::string Run(uint32_t taken, const std::function<void()>& kernel) {
  const sweep::Outcome& outcome = sweep::Bench::Get().Run([&] {
    AscendC::TPipe pipe;
    AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
    if (taken > 0) pipe.InitBuffer(buffer, taken);
    kernel();
  });
  if (!outcome.code.empty()) return outcome.code + ": " + outcome.message;
  return outcome.ok ? "" : "the launch failed";
}

void MustRun(uint32_t taken, const std::function<void()>& kernel) {
  EXPECT_EQ(Run(taken, kernel), "");
}

template <>
double UlpAt<float>(double exact) {
  return Ulp(exact, 24, -126);
}
template <>
double UlpAt<half>(double exact) {
  return Ulp(exact, 11, -14);
}
template <>
double UlpAt<bfloat16_t>(double exact) {
  return Ulp(exact, 8, -126);
}

template <typename T>
double UlpError(T got, double exact, double floor) {
  const double value = Widen(got);
  if (std::isnan(value) || std::isnan(exact)) {
    return std::isnan(value) && std::isnan(exact) ? 0 : kHuge;
  }
  const double limit = kLargest<T> + UlpAt<T>(kLargest<T>) / 2;
  if (std::isinf(value)) {
    return std::signbit(value) == std::signbit(exact) &&
                   std::abs(exact) >= limit * (1 - 1e-6)
               ? 0
               : kHuge;
  }
  if (std::abs(exact) >= limit * (1 + 1e-6)) return kHuge;
  return std::abs(value - exact) / UlpAt<T>(std::max(std::abs(exact), floor));
}

void Worst::Note(double new_error, double new_input, double new_got,
                 double new_exact) {
  if (new_error <= error) return;
  *this = {new_error, new_input, new_got, new_exact};
}

std::string Worst::Text() const {
  return fmt::format("{:.2f} ulp at {:.9g}: {:.9g} instead of {:.9g}", error,
                     input, got, exact);
}

template <typename T>
Worst Compare(const std::vector<T>& got, const std::vector<T>& inputs,
              const std::function<double(double)>& model, double floor) {
  Worst worst;
  for (size_t i = 0; i < got.size(); ++i) {
    const double input = Widen(inputs[i]);
    const double exact = model(input);
    worst.Note(UlpError(got[i], exact, floor), input, Widen(got[i]), exact);
  }
  return worst;
}

std::mt19937_64& Random() {
  static std::mt19937_64 random(npu::TestSeed());
  return random;
}

template <typename T>
std::vector<T> Uniform(size_t count, double low, double high) {
  std::uniform_real_distribution<double> draw(low, high);
  std::vector<T> values;
  for (size_t i = 0; i < count; ++i)
    values.push_back(Narrow<T>(draw(Random())));
  return values;
}

template <typename T>
std::vector<T> LogUniform(size_t count, double low, double high, bool signs) {
  std::uniform_real_distribution<double> draw(std::log(low), std::log(high));
  std::vector<T> values;
  for (size_t i = 0; i < count; ++i) {
    const double magnitude = std::exp(draw(Random()));
    const bool negative = signs && (Random()() & 1) != 0;
    values.push_back(Narrow<T>(negative ? -magnitude : magnitude));
  }
  return values;
}

#define BELAY_LIBRARY_BENCH_OF(T)                                          \
  template double UlpError<T>(T, double, double);                          \
  template Worst Compare<T>(const std::vector<T>&, const std::vector<T>&,  \
                            const std::function<double(double)>&, double); \
  template std::vector<T> Uniform<T>(size_t, double, double);              \
  template std::vector<T> LogUniform<T>(size_t, double, double, bool);
BELAY_LIBRARY_BENCH_OF(float)
BELAY_LIBRARY_BENCH_OF(half)
BELAY_LIBRARY_BENCH_OF(bfloat16_t)

}  // namespace belay::library
