// SPDX-License-Identifier: Apache-2.0
// The expert kernels of examples/crux against libtorch, by the interpreter:
// every dtype, on tiny, aligned, odd and long shapes.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "expert_cases.h"
#include "files.h"

namespace belay::testing::test_expert_kernels {
namespace {

class Expert : public ::testing::TestWithParam<ExpertKernel> {};

TEST_P(Expert, GivesWhatTorchGivesOnTinyAlignedAndOddShapes) {
  for (const Regime regime : {Regime::kTiny, Regime::kAligned, Regime::kOdd}) {
    const std::vector<ProgramCase> cases =
        ExpertCasesOf(GetParam().name, regime);
    ASSERT_FALSE(cases.empty());
    for (const ProgramCase& program_case : cases) {
      ExpectAsTorch(program_case);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(Expert, GivesWhatTorchGivesOnLongShapes) {
  const std::vector<ProgramCase> cases =
      ExpertCasesOf(GetParam().name, Regime::kLong);
  ASSERT_FALSE(cases.empty());
  for (const ProgramCase& program_case : cases) {
    for (const bool fits : {true, false}) {
      crux::interpret::Options options;
      options.fits = fits;
      options.auto_tile = 4096;
      options.file = program_case.program + ".crux";
      ExpectAsTorch(program_case, options);
      if (HasFatalFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Expert, ::testing::ValuesIn(ExpertKernels()),
                         [](const auto& info) { return info.param.name; });

TEST(ExpertKernels, AreAsManyInEachCategoryAsThePageSays) {
  std::map<std::string, int> all, outside;
  const std::string page = ReadAll(InSourceTree("docs/crux_kernels.md"));
  for (const ExpertKernel& kernel : ExpertKernels()) {
    ++all[kernel.category];
    if (!kernel.in_benchmark) ++outside[kernel.category];
    const std::string row =
        fmt::format("| {} | [{}](", kernel.category, kernel.name);
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
  const std::map<std::string, int> expected = {
      {"activation", 8},    {"loss", 5},           {"math and scan", 6},
      {"normalisation", 7}, {"optimizer", 3},      {"reduce", 5},
      {"pooling", 3},       {"index and sort", 3}, {"mHC", 4}};
  EXPECT_EQ(all, expected);
  for (const auto& [category, count] : expected) {
    if (category == "mHC") continue;
    EXPECT_GE(outside[category], 2) << category;
  }
}

}  // namespace
}  // namespace belay::testing::test_expert_kernels
