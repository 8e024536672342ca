// SPDX-License-Identifier: Apache-2.0
// Printed AscendC and direct execution: the same bits, and times that agree.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <deque>

#include "call.h"
#include "crux/check.h"
#include "crux/fuzz/variants.h"
#include "crux/ir/refusal.h"
#include "files.h"
#include "fuzz_case.h"
#include "roads.h"

namespace belay::testing::test_roads {
namespace {

// Cycles of the scalar unit are estimated on the direct road.
constexpr double kLongTask = 50;  // microseconds
constexpr double kLongError = 0.02;
constexpr double kShortError = 0.1;

struct RoadCase {
  std::string program;
  std::vector<std::string> arguments;
};

class WithFolder {
 protected:
  WithFolder()
      : folder_(std::filesystem::temp_directory_path() /
                ("belay_crux_roads_" + std::to_string(getpid()))) {}
  ~WithFolder() { std::filesystem::remove_all(folder_); }

  const std::filesystem::path folder_;
};

class CruxRoads : public WithFolder,
                  public ::testing::TestWithParam<RoadCase> {};
class CruxRoadNames : public WithFolder, public ::testing::Test {};

TEST_P(CruxRoads, Agree) {
  const auto path =
      InSourceTree("examples/crux/" + GetParam().program + ".crux");
  const crux::Source source(GetParam().program + ".crux", ReadAll(path));
  const crux::Checked checked =
      crux::Check(source.name(), std::string(source.text()));
  ASSERT_TRUE(checked.ok());
  const crux::typed::Kernel& kernel = *checked.program->kernels.front();
  crux::interpret::Arguments arguments;
  for (const std::string& text : GetParam().arguments) {
    AddArgument(kernel, text, arguments);
  }
  const Roads roads = CompareRoads(kernel, &source, arguments, folder_);
  EXPECT_EQ(roads.difference, "");
  std::printf("%s: direct %.3f us, printed %.3f us, %+.1f %%\n",
              GetParam().program.c_str(), roads.direct_us, roads.printed_us,
              100 * roads.TimeError());
  EXPECT_LE(std::abs(roads.TimeError()),
            roads.printed_us > kLongTask ? kLongError : kShortError);
}

// Types of operators have no underscores, and their kernels are called after
// them.
TEST_F(CruxRoadNames, ThatTypesSpellOtherwise) {
  for (const std::string name :
       {"pool_2d", "RMSNorm", "twice__", "_add1", "double"}) {
    const crux::Source source("names.crux",
                              "@kernel\ndef " + name +
                                  "(x: f32[N], y: out(f32[N])):\n"
                                  "    for c in cores(N, tile=auto):\n"
                                  "        store(y[c], load(x[c]) + 1.0)\n");
    const crux::Checked checked =
        crux::Check(source.name(), std::string(source.text()));
    ASSERT_TRUE(checked.ok()) << name;
    const crux::typed::Kernel& kernel = *checked.program->kernels.front();
    crux::interpret::Arguments arguments;
    AddArgument(kernel, "x=f32[100]", arguments);
    EXPECT_EQ(CompareRoads(kernel, &source, arguments, folder_).difference, "")
        << name;
  }
}

// Calls of programs with many variants: the printed host chooses the variant
// that is run directly, and all variants compile as one text. BELAY_FUZZ says
// how many programs, BELAY_SEED where they begin.
TEST_F(CruxRoadNames, OfFuzzedVariantsAreTheSame) {
  constexpr int kCalls = 4;
  const char* given = std::getenv("BELAY_FUZZ");
  const uint64_t programs = given ? std::strtoull(given, nullptr, 0) : 6;
  int refused = 0;
  for (uint64_t i = 0; i < programs; ++i) {
    const uint64_t seed = FirstSeed() + i;
    std::deque<crux::interpret::Arguments> calls;
    std::string text;
    for (int call = 0; call < kCalls; ++call) {
      auto program = crux::fuzz::GenerateVariants(seed, call);
      text = program.text;
      calls.push_back(std::move(program.arguments));
    }
    const crux::Source source("generated.crux", text);
    const crux::Checked checked = crux::Check(source.name(), text);
    ASSERT_TRUE(checked.ok()) << seed << "\n" << text;
    try {
      const std::vector<Roads> roads = CompareRoads(
          *checked.program->kernels.front(), &source, calls, folder_);
      for (size_t call = 0; call < roads.size(); ++call) {
        EXPECT_EQ(roads[call].difference, "")
            << "seed " << seed << ", call " << call << "\n"
            << text;
      }
    } catch (const crux::ir::Refusal&) {
      ++refused;  // more variants than there may be
    }
  }
  EXPECT_LE(refused, static_cast<int>(programs / 2));
}

std::string NameOfCase(const ::testing::TestParamInfo<RoadCase>& info) {
  return info.param.program + "_" + std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(
    Examples, CruxRoads,
    ::testing::Values(
        RoadCase{"swish", {"x=f32[7,131]"}},
        RoadCase{"swish", {"x=f16[1024,1024]"}},
        RoadCase{"softmax", {"x=f32[64,1000]"}},
        // One slot for results, then for what is loaded, too.
        RoadCase{"softmax", {"x=f32[200,12288]"}},
        RoadCase{"softmax", {"x=f32[200,16384]"}},
        RoadCase{"rms_norm", {"x=f16[150,12288]", "gamma=f16[12288]"}},
        RoadCase{"layer_norm",
                 {"x=f32[150,10240]", "gamma=f32[10240]", "beta=f32[10240]"}},
        RoadCase{"add_layer_norm",
                 {"x1=f16[40,512]", "x2=f16[40,512]", "gamma=f16[512]",
                  "beta=f16[512]"}},
        RoadCase{"layer_norm", {"x=bf16[40,512]", "gamma=bf16[512]"}},
        RoadCase{"layer_norm", {"x=f32[9,70]", "beta=f32[70]"}},
        RoadCase{"log_softmax", {"x=bf16[6,70]"}},
        RoadCase{"rms_norm_grad_gamma",
                 {"dy=f32[100,96]", "x=f32[100,96]", "rstd=f32[100]"}},
        RoadCase{"max_pool2d", {"x=f32[2,3,16,18]", "k=3", "s=2", "p=1"}}),
    NameOfCase);

}  // namespace
}  // namespace belay::testing::test_roads
