// SPDX-License-Identifier: Apache-2.0
// Fuzzed programs, compiled and run on the chip under all checkers, against
// the interpreter. BELAY_FUZZ says how many, BELAY_SEED where they begin.

#include <gtest/gtest.h>

#include <cstdlib>

#include "compiled_case.h"
#include "compiled_coverage.h"
#include "crux/check.h"
#include "crux/fuzz/columns.h"
#include "crux/fuzz/generate.h"
#include "crux/fuzz/rows.h"
#include "crux/fuzz/short_rows.h"
#include "fuzz_case.h"

namespace belay::testing::test_compiled_fuzz {
namespace {

uint64_t Programs() {
  const char* given = std::getenv("BELAY_FUZZ");
  return given ? std::strtoull(given, nullptr, 0) : 200;
}

using Generator = crux::fuzz::GeneratedProgram (*)(uint64_t seed);

void ExpectWhatTheInterpreterGives(Generator generate,
                                   CompiledCoverage& coverage) {
  crux::run::Runner runner(CheckedDevice());
  for (uint64_t i = 0; i < Programs(); ++i) {
    const uint64_t seed = FirstSeed() + i;
    const crux::fuzz::GeneratedProgram program = generate(seed);
    const crux::Checked checked = crux::Check("generated", program.text);
    ASSERT_TRUE(checked.ok()) << "seed " << seed << "\n" << program.text;
    const crux::typed::Kernel& kernel =
        *checked.program->FindKernel(program.kernel);
    const CompiledCase result = RunCompiled(runner, kernel, program.arguments);
    EXPECT_EQ(result.problems, "") << "seed " << seed << "\n" << program.text;
    coverage.Add(kernel, program.arguments, result);
  }
  coverage.Print();
}

TEST(CompiledFuzz, GivesWhatTheInterpreterGives) {
  CompiledCoverage coverage;
  ExpectWhatTheInterpreterGives(crux::fuzz::Generate, coverage);
  // `@` alone has no compiled form.
  EXPECT_LT(coverage.refused(), coverage.programs() / 4);
}

TEST(CompiledFuzz, GivesWhatTheInterpreterGivesForManyRows) {
  CompiledCoverage coverage;
  ExpectWhatTheInterpreterGives(crux::fuzz::GenerateRows, coverage);
  // Rows that do not fit, where the program has no other way.
  EXPECT_LT(coverage.refused(), coverage.programs() / 4);
}

TEST(CompiledFuzz, GivesWhatTheInterpreterGivesForColumns) {
  CompiledCoverage coverage;
  ExpectWhatTheInterpreterGives(crux::fuzz::GenerateColumns, coverage);
  EXPECT_EQ(coverage.refused(), 0);
}

TEST(CompiledFuzz, GivesWhatTheInterpreterGivesForClampedTakes) {
  CompiledCoverage coverage;
  ExpectWhatTheInterpreterGives(crux::fuzz::GenerateClamped, coverage);
  EXPECT_LT(coverage.refused(), coverage.programs() / 4);
}

TEST(CompiledFuzz, GivesWhatTheInterpreterGivesForShortRowsMoved) {
  CompiledCoverage coverage;
  ExpectWhatTheInterpreterGives(crux::fuzz::GenerateShortRows, coverage);
  EXPECT_EQ(coverage.refused(), 0);
}

}  // namespace
}  // namespace belay::testing::test_compiled_fuzz
