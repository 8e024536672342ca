// SPDX-License-Identifier: Apache-2.0
// Programs in, tiles out: tests/crux/lower/NAME.crux and NAME.txt, all variants
// of the first choice of dtypes. With BELAY_REGENERATE=1 in the environment the
// .txt files are written anew. Then every kernel of the repository and fuzzed
// programs keep the rules of the tile form.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

#include "call.h"
#include "crux/check.h"
#include "crux/fuzz/generate.h"
#include "crux/ir/refusal.h"
#include "crux/ir/verify.h"
#include "crux/lower/lower.h"
#include "crux/print_typed.h"
#include "crux/run/runner.h"
#include "files.h"
#include "fuzz_case.h"

namespace belay::crux::test_lower {
namespace {

using belay::testing::FilesIn;
using belay::testing::InSourceTree;
using belay::testing::ReadAll;

std::string VariantText(const Variant& variant) {
  std::string text = "variant";
  for (const auto& [condition, answer] : variant.conditions) {
    text += fmt::format(" {}={}", ToText(*condition), answer);
  }
  for (const auto& [statement, answer] : variant.fits) {
    text += fmt::format(" fits@{}={}", statement->range.line, answer);
  }
  return text + "\n" + ir::ToText(variant.kernel);
}

class LowerText : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(LowerText, TilesAreAsWritten) {
  const Checked checked =
      Check(GetParam().filename().string(), ReadAll(GetParam()));
  ASSERT_TRUE(checked.ok())
      << (checked.diagnostics.empty() ? "" : ToText(checked.diagnostics[0]));
  std::string text;
  for (const typed::Kernel* kernel : checked.program->kernels) {
    for (const Variant& variant :
         EnumerateVariants(*kernel, typed::InstancesOf(*kernel).front())) {
      text += (text.empty() ? "" : "\n") + VariantText(variant);
      EXPECT_EQ(ir::Verify(variant.kernel), std::vector<std::string>());
    }
  }
  std::filesystem::path path = GetParam();
  path.replace_extension(".txt");
  if (std::getenv("BELAY_REGENERATE")) std::ofstream(path) << text;
  EXPECT_EQ(text, ReadAll(path));
}

INSTANTIATE_TEST_SUITE_P(
    All, LowerText, ::testing::ValuesIn(FilesIn("tests/crux/lower", ".crux")),
    [](const auto& test) { return test.param.stem().string(); });

// Every instance and variant of every kernel of a program.
void ExpectRulesKept(const typed::Program& program) {
  for (const typed::Kernel* kernel : program.kernels) {
    for (const std::vector<DType>& dtypes : typed::InstancesOf(*kernel)) {
      try {
        for (const Variant& variant : EnumerateVariants(*kernel, dtypes)) {
          const auto wrong = ir::Verify(variant.kernel);
          ASSERT_EQ(wrong, std::vector<std::string>()) << VariantText(variant);
        }
      } catch (const ir::Refusal& refusal) {
        FAIL() << kernel->name << ": " << ToText(refusal.diagnostic());
      }
    }
  }
}

class LowerExample : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(LowerExample, KeepsTheRules) {
  const Checked checked =
      Check(GetParam().filename().string(), ReadAll(GetParam()));
  ASSERT_TRUE(checked.ok());
  ExpectRulesKept(*checked.program);
}

INSTANTIATE_TEST_SUITE_P(Examples, LowerExample,
                         ::testing::ValuesIn(FilesIn("examples/crux", ".crux")),
                         [](const auto& test) {
                           return test.param.stem().string();
                         });

// tests/must_fail/crux_compile: right programs that cannot be compiled. As in
// tests/must_fail/crux: # expect: CODE LINE:COLUMN REGEX, and # run: for a call
// that is refused.
class LowerRefused : public ::testing::TestWithParam<std::filesystem::path> {};

Diagnostic DiagnosticOf(const typed::Kernel& kernel, const std::string& text) {
  std::smatch call;
  if (std::regex_search(text, call, std::regex("\n# run: ([^\n]*)"))) {
    interpret::Arguments arguments;
    std::istringstream words(call[1]);
    for (std::string word; words >> word;) {
      belay::testing::AddArgument(kernel, word, arguments);
    }
    const run::RunResult result =
        run::Runner(runtime::DeviceOptions()).Run(kernel, arguments, "refused");
    return result.diagnostics.empty() ? Diagnostic() : result.diagnostics[0];
  }
  try {
    EnumerateVariants(kernel, typed::InstancesOf(kernel).front());
  } catch (const ir::Refusal& refusal) {
    return refusal.diagnostic();
  }
  return {};
}

TEST_P(LowerRefused, IsToldWhyAndWhere) {
  const std::string text = ReadAll(GetParam());
  std::smatch expected;
  ASSERT_TRUE(std::regex_search(
      text, expected, std::regex("^# expect: (\\S+) (\\d+):(\\d+) ([^\n]*)")));
  const Checked checked = Check("refused.crux", text);
  ASSERT_TRUE(checked.ok());
  const Diagnostic found =
      DiagnosticOf(*checked.program->kernels.front(), text);
  EXPECT_EQ(found.code, expected[1]);
  EXPECT_EQ(found.location.line, std::stoi(expected[2]));
  EXPECT_EQ(found.location.column, std::stoi(expected[3]));
  EXPECT_TRUE(std::regex_search(found.message + " " + found.fix,
                                std::regex(expected[4].str())))
      << found.message << "\n"
      << found.fix;
}

INSTANTIATE_TEST_SUITE_P(
    MustFail, LowerRefused,
    ::testing::ValuesIn(FilesIn("tests/must_fail/crux_compile", ".crux")),
    [](const auto& test) { return test.param.stem().string(); });

// A code that no program shows is a code nobody has seen work.
TEST(LowerRefusedCoverage, EveryCodeHasAProgram) {
  std::string programs;
  for (const auto& path : FilesIn("tests/must_fail/crux_compile", ".crux")) {
    programs += ReadAll(path);
  }
  for (const char* code :
       {belay::code::kX301, belay::code::kX302, belay::code::kX303}) {
    EXPECT_NE(programs.find(code), std::string::npos) << code;
  }
}

TEST(LowerFuzz, ProgramsKeepTheRules) {
  constexpr uint64_t kPrograms = 500;
  const uint64_t first = belay::testing::FirstSeed();
  for (uint64_t seed = first; seed < first + kPrograms; ++seed) {
    const fuzz::GeneratedProgram program = fuzz::Generate(seed);
    const Checked checked = Check("fuzz.crux", program.text);
    ASSERT_TRUE(checked.ok());
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, program.text));
    ExpectRulesKept(*checked.program);
    if (HasFatalFailure()) return;
  }
}

// Of loops in order that follow each other the last is cut first, of nested
// ones the outer.
TEST(LowerPieces, AreInTheOrderTheyAreChosenIn) {
  const Checked checked =
      Check("pieces.crux",
            "@kernel\ndef f(x: f32[M, N], y: out(f32[M, N])):\n"
            "    total = zeros(f32)\n"
            "    for a in tiles(M * N, tile=auto):\n"
            "        total += sum(load(x.flat[a]))\n"
            "    for b in tiles(M, tile=auto):\n"
            "        for c in tiles(N, tile=auto):\n"
            "            store(y[b, c], load(x[b, c]) - total)\n");
  ASSERT_TRUE(checked.ok());
  const auto variants = EnumerateVariants(*checked.program->kernels[0], {});
  ASSERT_FALSE(variants.empty());
  std::vector<std::string> names;
  for (const auto& one : variants[0].kernel.parameters) {
    names.push_back(one.name);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"b_tile", "c_tile", "a_tile"}));
}

// Names for what was computed before, again and again.
TEST(LowerHostile, LongChainsAreShort) {
  std::string text =
      "@kernel\ndef f(x: f32[N], y: out(f32[N]), s: float):\n"
      "    v = x.flat\n";
  for (int i = 0; i < 100; ++i) text += "    v = v.flat\n";
  text += "    for r in cores(N):\n        p = r\n";
  for (int i = 0; i < 100; ++i) text += "        p = p + p\n";
  text += "        store(y[r], load(v[p], fill=0.0) * s)\n";
  const Checked checked = Check("chain.crux", text);
  ASSERT_TRUE(checked.ok());
  ExpectRulesKept(*checked.program);
}

TEST(LowerHostile, HostLinesThatDoubleAreRefused) {
  std::string text =
      "@kernel\ndef f(x: f32[N], y: out(f32[N]), s: float):\n    t = s\n";
  for (int i = 0; i < 100; ++i) text += "    t = t + t\n";
  text += "    for r in cores(N):\n        store(y[r], load(x[r]) * t)\n";
  const Checked checked = Check("chain.crux", text);
  ASSERT_TRUE(checked.ok());
  EXPECT_THROW(EnumerateVariants(*checked.program->kernels[0], {}),
               ir::Refusal);
}

}  // namespace
}  // namespace belay::crux::test_lower
