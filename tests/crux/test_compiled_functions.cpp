// SPDX-License-Identifier: Apache-2.0
// Functions that are expanded into formulas, compiled and held to the C
// library's long doubles: every f16 number, and a million of f32, with what
// docs/crux.md charges for them. BELAY_SEED says where the numbers begin.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/float16.h"
#include "call.h"
#include "compiled_case.h"
#include "crux/check.h"
#include "crux/fuzz/random.h"
#include "crux/interpret/numbers.h"

namespace belay::testing::test_compiled_functions {
namespace {

using Real = long double;

Real Tail(Real x) { return std::log1p(std::exp(-std::fabs(x))); }
Real Softplus(Real x) { return std::fmax(x, 0.0L) + Tail(x); }
Real Sigmoid(Real x) {
  const Real e = std::exp(-std::fabs(x));
  return (x >= 0 ? 1 : e) / (1 + e);
}
Real Silu(Real x) { return std::isinf(x) && x < 0 ? 0 : x * Sigmoid(x); }
Real Gelu(Real x) {
  return std::isinf(x) && x < 0 ? 0 : x * std::erfc(-x * sqrtl(0.5L)) / 2;
}
Real TanhGelu(Real x) {
  return std::isinf(x) && x < 0 ? 0
                                : x * Sigmoid(2 * sqrtl(2 / acosl(-1.0L)) *
                                              (x + 0.044715L * x * x * x));
}

struct Function {
  const char* text;  // of t
  Real (*value)(Real x);
  int units;       // in the last place of the result
  int of_operand;  // and of x
  double vanishing;
};

const Function kFunctions[] = {
    {"gelu(t)", Gelu, 4, 4, 0x1p-120},
    {"gelu(t, approximate=\"tanh\")", TanhGelu, 4, 4, 0x1p-120},
    {"sigmoid(t)", Sigmoid, 4, 0, 0x1p-120},
    {"silu(t)", Silu, 4, 0, 0x1p-120},
    {"softplus(t)", Softplus, 4, 0, 0x1p-120},
    {"softplus(-abs(t))", Tail, 4, 0, 0x1p-120},
    {"log1p(t)", [](Real x) { return std::log1p(x); }, 3, 0, 0},
    {"log1p(minimum(abs(t), 1.0))",
     [](Real x) { return std::log1p(std::isnan(x) ? x : fminl(fabsl(x), 1)); },
     3, 0, 0},
    {"expm1(t)", [](Real x) { return std::expm1(x); }, 4, 0, 0},
    {"expm1(minimum(t, 0.0))",
     [](Real x) { return std::expm1(std::isnan(x) ? x : fminl(x, 0)); }, 4, 0,
     0},
    {"t ** 4", [](Real x) { return x * x * x * x; }, 3, 0, 0},
    {"abs(t) ** 0.5", [](Real x) { return std::sqrt(std::fabs(x)); }, 3, 0, 0},
    {"abs(t) ** 1.5",
     [](Real x) { return std::fabs(x) * std::sqrt(std::fabs(x)); }, 3, 0, 0},
    {"maximum(abs(t), 0.5) ** -0.5",
     [](Real x) {
       return 1 / std::sqrt(std::isnan(x) ? x : fmaxl(std::fabs(x), 0.5));
     },
     3, 0, 0},
};

std::vector<float> AllHalves() {
  std::vector<float> numbers;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    numbers.push_back(ToFloat(Half{static_cast<uint16_t>(bits)}));
  }
  return numbers;
}

// Any bits, and numbers between -20 and 20.
std::vector<float> Floats(uint64_t seed) {
  crux::fuzz::Random random(seed);
  std::vector<float> numbers;
  for (int i = 0; i < 500'000; ++i) {
    numbers.push_back(
        std::bit_cast<float>(static_cast<uint32_t>(random.Bits())));
    numbers.push_back(static_cast<float>(random.Uniform() * 40 - 20));
  }
  return numbers;
}

// By how much of what is allowed the largest error exceeds it: at most 1.
struct Worst {
  double part = 0;
  float x = 0;
  float given = 0;
};

Worst WorstOf(const Function& function, const std::vector<float>& x,
              const std::vector<double>& given) {
  Worst worst;
  for (size_t i = 0; i < x.size(); ++i) {
    const Real wanted = function.value(x[i]);
    const auto rounded = static_cast<float>(wanted);
    double part = 0;
    if (std::isnan(wanted) || std::isnan(given[i]) || std::isinf(rounded)) {
      const bool same = std::isnan(wanted) ? std::isnan(given[i])
                                           : given[i] == double{rounded};
      part = same ? 0 : std::numeric_limits<double>::infinity();
    } else {
      const double allowed =
          function.units *
              crux::interpret::UnitOf(DType::kFloat, double{rounded}) +
          function.vanishing +
          (std::isfinite(x[i])
               ? function.of_operand *
                     crux::interpret::UnitOf(DType::kFloat, double{x[i]})
               : 0);
      part = static_cast<double>(std::fabs(given[i] - wanted)) / allowed;
    }
    if (part > worst.part || i == 0) {
      worst = {part, x[i], static_cast<float>(given[i])};
    }
  }
  return worst;
}

class CompiledFunctions : public ::testing::Test {
 protected:
  void Expect(const std::vector<float>& x) {
    const Array numbers =
        ArrayOf(DType::kFloat, {static_cast<int64_t>(x.size())},
                std::vector<double>(x.begin(), x.end()));
    for (const Function& function : kFunctions) {
      const crux::Checked checked = crux::Check(
          "program",
          fmt::format("@kernel\ndef k(x: f32[N], y: out(f32[N])):\n"
                      "    for i in cores(N, tile=auto):\n"
                      "        t = load(x[i])\n        store(y[i], {})\n",
                      function.text));
      ASSERT_TRUE(checked.ok()) << function.text;
      crux::interpret::Arguments arguments;
      arguments.tensors["x"] = {{numbers}, false};
      const crux::run::RunResult result =
          runner_.Run(*checked.program->kernels.front(), arguments, "program");
      ASSERT_TRUE(result.ok()) << function.text;
      const Worst worst =
          WorstOf(function, x, NumbersOf(result.outputs.at(0).array));
      fmt::print("{}: {:.0f} % of what is allowed\n", function.text,
                 worst.part * 100);
      EXPECT_LE(worst.part, 1)
          << function.text << " of " << worst.x << " gives " << worst.given;
    }
  }

  crux::run::Runner runner_{CheckedDevice()};
};

TEST_F(CompiledFunctions, EveryHalf) { Expect(AllHalves()); }

TEST_F(CompiledFunctions, AMillionFloats) {
  const char* given = std::getenv("BELAY_SEED");
  const uint64_t seed =
      given == nullptr ? 20261115 : std::strtoull(given, nullptr, 10);
  fmt::print("BELAY_SEED={}\n", seed);
  Expect(Floats(seed));
}

}  // namespace
}  // namespace belay::testing::test_compiled_functions
