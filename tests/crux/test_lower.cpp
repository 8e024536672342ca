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

#include "crux/check.h"
#include "crux/fuzz/generate.h"
#include "crux/interpret/host_call.h"
#include "crux/ir/refusal.h"
#include "crux/ir/verify.h"
#include "crux/lower/lower.h"
#include "crux/passes/across.h"
#include "crux/passes/batch.h"
#include "crux/passes/dead.h"
#include "crux/passes/expand.h"
#include "crux/passes/fuse_conditions.h"
#include "crux/passes/hoist.h"
#include "crux/passes/legalise.h"
#include "crux/passes/schedule.h"
#include "crux/passes/stages.h"
#include "crux/passes/windows.h"
#include "crux/print_typed.h"
#include "files.h"
#include "fuzz_case.h"
#include "tile_machine.h"

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
// tests/must_fail/crux: # expect: CODE LINE:COLUMN REGEX.
class LowerRefused : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(LowerRefused, IsToldWhyAndWhere) {
  const std::string text = ReadAll(GetParam());
  std::smatch expected;
  ASSERT_TRUE(std::regex_search(
      text, expected, std::regex("^# expect: (\\S+) (\\d+):(\\d+) ([^\\n]*)")));
  const Checked checked = Check("refused.crux", text);
  ASSERT_TRUE(checked.ok());
  const typed::Kernel& kernel = *checked.program->kernels.front();
  try {
    EnumerateVariants(kernel, typed::InstancesOf(kernel).front());
    FAIL() << "it compiles";
  } catch (const ir::Refusal& refusal) {
    const Diagnostic& found = refusal.diagnostic();
    EXPECT_EQ(found.code, expected[1]);
    EXPECT_EQ(found.location.line, std::stoi(expected[2]));
    EXPECT_EQ(found.location.column, std::stoi(expected[3]));
    EXPECT_TRUE(std::regex_search(found.message + " " + found.fix,
                                  std::regex(expected[4].str())))
        << found.message << "\n"
        << found.fix;
  }
}

INSTANTIATE_TEST_SUITE_P(
    MustFail, LowerRefused,
    ::testing::ValuesIn(FilesIn("tests/must_fail/crux_compile", ".crux")),
    [](const auto& test) { return test.param.stem().string(); });

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

// Answers as a call does.
class CallOracle : public HostOracle {
 public:
  CallOracle(interpret::HostCall& call, bool fits) : call_(call), fits_(fits) {}
  bool Decide(const typed::Expr& condition) override {
    return call_.Integer(condition) != 0;
  }
  bool Fits(const typed::Statement&) override { return fits_; }

 private:
  interpret::HostCall& call_;
  bool fits_;
};

struct NamedPass {
  const char* name;
  void (*run)(ir::Kernel&);
};

constexpr NamedPass kTilePasses[] = {
    {"windows", passes::MergeWindows},
    {"batch", passes::BatchRows},
    {"across", passes::LowerAcross},
    {"legalise-floats", passes::LegaliseFloats},
    {"expand", passes::Expand},
    {"legalise-bools", passes::LegaliseBools},
    {"fuse-conditions", passes::FuseConditions},
    {"dead", passes::DropDead},
    {"hoist", passes::Hoist},
    {"schedule", passes::Schedule},
    {"stages", passes::DeriveStages},
};

// Where a program and its tiles part: after which pass, and how.
struct Parting {
  std::string pass;  // empty: nowhere
  std::string text;
};

// A fuzzed program, lowered and after each of the first `passes` passes, held
// to the interpreter and to the rules of the tile form.
Parting PartingOf(uint64_t seed, size_t passes) {
  const fuzz::GeneratedProgram program = fuzz::Generate(seed);
  const Checked checked = Check("fuzz.crux", program.text);
  if (!checked.ok()) return {"check", program.text};
  const typed::Kernel& kernel = *checked.program->FindKernel(program.kernel);
  const belay::testing::TileOptions options{
      .piece = 1 + static_cast<int64_t>(seed % 40), .fits = seed % 2 == 0};
  const belay::testing::Reference reference =
      belay::testing::Interpreted(kernel, program.arguments, options);
  interpret::HostCall call(kernel, program.arguments, "fuzz.crux");
  call.Choose([&](const typed::Statement&) { return options.fits; });
  CallOracle oracle(call, options.fits);
  std::string before = program.text;
  std::string name = "lower";
  ir::Kernel tiles;
  const auto parts = [&](const std::string& how) {
    return Parting{name, fmt::format("seed {} after {}:\n{}\n{}\nbefore:\n{}\n"
                                     "after:\n{}",
                                     seed, name, how, program.text, before,
                                     ir::ToText(tiles))};
  };
  try {
    tiles = Lower(kernel, call.Dtypes(), oracle);
    for (size_t i = 0;; ++i) {
      const std::vector<std::string> wrong = ir::Verify(tiles);
      if (!wrong.empty())
        return parts(fmt::format("{}", fmt::join(wrong, "\n")));
      const std::string different = belay::testing::DifferencesOfTiles(
          tiles, kernel, program.arguments, options, reference);
      if (!different.empty()) return parts(different);
      if (i == passes) return {};
      before = ir::ToText(tiles);
      name = kTilePasses[i].name;
      kTilePasses[i].run(tiles);
    }
  } catch (const std::exception& error) {
    return parts(error.what());
  }
}

// The first parting after each pass that has one, and how many there are.
void ExpectNoPartings(uint64_t programs, size_t passes) {
  const uint64_t first = belay::testing::FirstSeed();
  std::map<std::string, std::pair<int, std::string>> found;
  for (uint64_t seed = first; seed < first + programs; ++seed) {
    const Parting parting = PartingOf(seed, passes);
    if (parting.pass.empty()) continue;
    auto& [count, text] = found[parting.pass];
    if (count++ == 0) text = parting.text;
  }
  for (const auto& [pass, parting] : found) {
    ADD_FAILURE() << pass << ": " << parting.first << " of " << programs
                  << " programs, the first:\n"
                  << parting.second;
  }
}

TEST(LowerFuzz, TilesMeanTheProgram) { ExpectNoPartings(300, 0); }

TEST(LowerFuzz, EveryPassKeepsTheMeaning) {
  ExpectNoPartings(300, std::size(kTilePasses));
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
