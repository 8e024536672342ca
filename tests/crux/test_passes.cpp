// SPDX-License-Identifier: Apache-2.0
// Programs in, what a pass makes of them out: tests/crux/passes/NAME.crux names
// the pass in its first line, NAME.txt holds the kernel before and after it.
// With BELAY_REGENERATE=1 in the environment the .txt files are written anew.
// Then every pass keeps the rules of the tile form, for every kernel of the
// repository, and the meaning of fuzzed programs.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "crux/check.h"
#include "crux/compile.h"
#include "crux/fuzz/generate.h"
#include "crux/interpret/host_call.h"
#include "crux/ir/refusal.h"
#include "crux/ir/verify.h"
#include "files.h"
#include "fuzz_case.h"
#include "tile_machine.h"

namespace belay::crux::test_passes {
namespace {

using belay::testing::FilesIn;
using belay::testing::ReadAll;
using belay::testing::TileOptions;

class PassText : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(PassText, KernelIsAsWritten) {
  const std::string program = ReadAll(GetParam());
  const std::string marker = "# pass: ";
  ASSERT_TRUE(program.starts_with(marker));
  const std::string pass =
      program.substr(marker.size(), program.find('\n') - marker.size());
  const Checked checked = Check(GetParam().filename().string(), program);
  ASSERT_TRUE(checked.ok());
  std::string text;
  std::string before;
  for (const typed::Kernel* kernel : checked.program->kernels) {
    CompileAll(*kernel, [&](std::string_view name, const std::string& now) {
      if (name == pass) {
        text += fmt::format("before {}:\n{}\nafter {}:\n{}", pass, before, pass,
                            now);
      }
      before = now;
    });
  }
  EXPECT_FALSE(text.empty()) << "there is no pass " << pass;
  std::filesystem::path path = GetParam();
  path.replace_extension(".txt");
  if (std::getenv("BELAY_REGENERATE")) std::ofstream(path) << text;
  EXPECT_EQ(text, ReadAll(path));
}

INSTANTIATE_TEST_SUITE_P(
    All, PassText, ::testing::ValuesIn(FilesIn("tests/crux/passes", ".crux")),
    [](const auto& test) { return test.param.stem().string(); });

// Where a program and its tiles part: after which pass, and how.
struct Parting {
  std::string pass;  // empty: nowhere
  std::string text;
};

// Holds the tiles after each pass to the rules and, given a call, to the
// interpreter; stops looking at the first parting.
class Watcher : public PassObserver {
 public:
  Watcher() = default;
  Watcher(const typed::Kernel& kernel, const interpret::Arguments& arguments,
          const TileOptions& options)
      : kernel_(&kernel),
        arguments_(&arguments),
        options_(options),
        reference_(belay::testing::Interpreted(kernel, arguments, options)) {}

  void After(std::string_view pass, ir::Kernel& tiles) override {
    if (!found.pass.empty()) return;
    std::string wrong;
    for (const std::string& one : ir::Verify(tiles)) wrong += one + "\n";
    if (wrong.empty() && kernel_ != nullptr) {
      wrong = belay::testing::DifferencesOfTiles(tiles, *kernel_, *arguments_,
                                                 options_, reference_);
    }
    const std::string text = ir::ToText(tiles);
    if (!wrong.empty()) {
      found = {std::string(pass), fmt::format("{}\nbefore:\n{}\nafter {}:\n{}",
                                              wrong, before_, pass, text)};
    }
    before_ = text;
  }
  void After(std::string_view, code::Kernel&) override {}

  Parting found;

 private:
  const typed::Kernel* kernel_ = nullptr;
  const interpret::Arguments* arguments_ = nullptr;
  TileOptions options_;
  belay::testing::Reference reference_;
  std::string before_;
};

class PassExample : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(PassExample, KeepsTheRules) {
  const Checked checked =
      Check(GetParam().filename().string(), ReadAll(GetParam()));
  ASSERT_TRUE(checked.ok());
  for (const typed::Kernel* kernel : checked.program->kernels) {
    for (const std::vector<DType>& dtypes : typed::InstancesOf(*kernel)) {
      for (Variant& variant : EnumerateVariants(*kernel, dtypes)) {
        Watcher watcher;
        try {
          CompileLowered(std::move(variant.kernel), watcher);
        } catch (const ir::Refusal&) {
          // `@` is not compiled; the tiles up to there were looked at.
        }
        ASSERT_TRUE(watcher.found.pass.empty()) << watcher.found.text;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, PassExample,
                         ::testing::ValuesIn(FilesIn("examples/crux", ".crux")),
                         [](const auto& test) {
                           return test.param.stem().string();
                         });

// Answers as a call does.
class CallOracle : public HostOracle {
 public:
  CallOracle(interpret::HostCall& call, bool fits) : call_(call), fits_(fits) {}
  bool Decide(const typed::Expr& condition) override {
    return call_.Integer(condition) != 0;
  }
  bool Fits(const typed::Statement&) override { return fits_; }
  bool Prefer(const typed::Expr* condition) override {
    return condition == nullptr || Decide(*condition);
  }

 private:
  interpret::HostCall& call_;
  bool fits_;
};

Parting PartingOf(uint64_t seed) {
  const fuzz::GeneratedProgram program = fuzz::Generate(seed);
  const Checked checked = Check("fuzz.crux", program.text);
  if (!checked.ok()) return {"check", program.text};
  const typed::Kernel& kernel = *checked.program->FindKernel(program.kernel);
  const TileOptions options{.piece = 1 + static_cast<int64_t>(seed % 40),
                            .fits = seed % 2 == 0};
  interpret::HostCall call(kernel, program.arguments, "fuzz.crux");
  call.Choose([&](const typed::Statement&) { return options.fits; });
  CallOracle oracle(call, options.fits);
  Watcher watcher(kernel, program.arguments, options);
  try {
    CompileLowered(Lower(kernel, call.Dtypes(), oracle), watcher);
  } catch (const ir::Refusal&) {
    // What cannot be compiled was looked at up to there.
  }
  Parting found = std::move(watcher.found);
  if (!found.pass.empty()) {
    found.text = fmt::format("seed {}\n{}\n{}", seed, program.text, found.text);
  }
  return found;
}

// Rows that pass the L2 cache by are as long as a line of it, or whole sectors.
TEST(PastL2, ShortRowsAreWholeSectors) {
  const Checked checked =
      Check("k.crux",
            "@kernel\n"
            "def k(x: f16[M, N], y: out(f16[M, N])):\n"
            "    for r in cores(M):\n"
            "        store(y[r, :], (load(x[r, :]).to(f32) * 2.0).to(f16))\n");
  const std::vector<CompiledVariant> variants =
      CompileAll(*checked.program->kernels[0]);
  ASSERT_EQ(variants.size(), 1u);
  const auto& host = variants[0].tiles->host;
  const auto past = std::find_if(host.begin(), host.end(), [](const auto& one) {
    return one.name == "past_l2";
  });
  ASSERT_NE(past, host.end());
  for (int64_t length = 1; length < 1000; ++length) {
    const int64_t passes = ir::Evaluate(
        past->formula, [&](const std::string& name, int64_t) -> int64_t {
          return name == "N" ? length : int64_t{1} << 30;
        });
    EXPECT_EQ(passes != 0, length >= 256 || length % 64 == 0) << length;
  }
}

// The first parting after each pass that has one, and how many there are.
TEST(PassFuzz, TilesMeanTheProgram) {
  constexpr uint64_t kPrograms = 500;
  const uint64_t first = belay::testing::FirstSeed();
  std::map<std::string, std::pair<int, std::string>> found;
  for (uint64_t seed = first; seed < first + kPrograms; ++seed) {
    const Parting parting = PartingOf(seed);
    if (parting.pass.empty()) continue;
    auto& [count, text] = found[parting.pass];
    if (count++ == 0) text = parting.text;
  }
  for (const auto& [pass, parting] : found) {
    ADD_FAILURE() << pass << ": " << parting.first << " of " << kPrograms
                  << " programs, the first:\n"
                  << parting.second;
  }
}

}  // namespace
}  // namespace belay::crux::test_passes
