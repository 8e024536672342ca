// SPDX-License-Identifier: Apache-2.0
// The expert kernels of examples/crux, compiled and run on the chip under all
// checkers, against the interpreter and libtorch: every dtype, on tiny,
// aligned, odd and long shapes.

#include <gtest/gtest.h>

#include <cmath>

#include "call.h"
#include "compiled_case.h"
#include "expert_cases.h"

namespace belay::testing::test_compiled_experts {
namespace {

class CompiledExpert : public ::testing::TestWithParam<ExpertKernel> {
 protected:
  void Expect(Regime regime) {
    const std::vector<ProgramCase> cases =
        ExpertCasesOf(GetParam().name, regime);
    ASSERT_FALSE(cases.empty());
    for (const ProgramCase& one : cases) {
      if (one.relative > 0) {
        ExpectClose(one);
      } else {
        EXPECT_EQ(DifferencesOfCompiled(runner_, ExampleKernel(one.program),
                                        one.arguments),
                  "")
            << one.program << " " << one.what;
      }
    }
  }

 private:
  // Bounds say nothing of these: libtorch's results do.
  void ExpectClose(const ProgramCase& one) {
    const crux::run::RunResult result = runner_.Run(
        ExampleKernel(one.program), one.arguments, one.program + ".crux");
    for (const Diagnostic& told : result.diagnostics) {
      ADD_FAILURE() << one.what << "\n" << ToText(told);
    }
    for (const auto& [name, expected] : one.expected) {
      const crux::interpret::OutputTensor* output = result.Find(name);
      ASSERT_NE(output, nullptr) << one.what << ", " << name;
      ASSERT_EQ(output->array.shape, expected.shape) << one.what;
      const std::vector<double> numbers = NumbersOf(output->array);
      for (size_t i = 0; i < numbers.size(); ++i) {
        ASSERT_LE(std::fabs(numbers[i] - expected.values[i]),
                  one.relative * std::fabs(expected.values[i]))
            << one.program << " " << one.what << ", " << name << "[" << i
            << "]";
      }
    }
  }

  crux::run::Runner runner_{CheckedDevice()};
};

TEST_P(CompiledExpert, IsRightOnTinyAlignedAndOddShapes) {
  for (const Regime regime : {Regime::kTiny, Regime::kAligned, Regime::kOdd}) {
    Expect(regime);
  }
}

TEST_P(CompiledExpert, IsRightOnLongShapes) { Expect(Regime::kLong); }

INSTANTIATE_TEST_SUITE_P(Kernels, CompiledExpert,
                         ::testing::ValuesIn(ExpertKernels()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace belay::testing::test_compiled_experts
