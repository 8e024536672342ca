// SPDX-License-Identifier: Apache-2.0
// `belay crux run` as a user calls it.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "../cli/run_belay.h"
#include "base/npy.h"
#include "call.h"

namespace belay::testing::test_crux_run {
namespace {

class CruxRun : public ::testing::Test {
 protected:
  CruxRun()
      : folder_(std::filesystem::temp_directory_path() /
                ("belay_crux_run_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~CruxRun() override { std::filesystem::remove_all(folder_); }

  std::string File(const std::string& name) const {
    return (folder_ / name).string();
  }
  std::string Write(const std::string& name, DType dtype, const Shape& shape,
                    const std::vector<double>& numbers) const {
    WriteNpy(File(name), ArrayOf(dtype, shape, numbers));
    return File(name);
  }
  std::string WriteText(const std::string& name, const std::string& text) {
    std::ofstream(File(name)) << text;
    return File(name);
  }

 private:
  std::filesystem::path folder_;
};

const char kSoftmax[] = "crux run examples/crux/softmax.crux --interpret ";

TEST_F(CruxRun, ComputesAndCompares) {
  Write("x.npy", DType::kFloat, {1, 2}, {0, std::log(3.0)});
  Write("g.npy", DType::kFloat, {1, 2}, {0.25, 0.75});
  const Outcome outcome = RunBelay(
      kSoftmax +
      ("--in x=" + File("x.npy") + " --out y=" + File("y.npy") +
       " --expect y=" + File("g.npy") + " --bounds y=" + File("e.npy")));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("y: f32 (1,2), error at most "), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("2 elements as expected"), std::string::npos);
  const Array y = ReadNpy(File("y.npy"));
  EXPECT_NEAR(NumbersOf(y)[1], 0.75, 1e-6);
  const Array bounds = ReadNpy(File("e.npy"));
  EXPECT_EQ(bounds.dtype, DType::kDouble);
  EXPECT_LE(std::fabs(NumbersOf(y)[1] - 0.75), NumbersOf(bounds)[1] + 1e-7);
}

TEST_F(CruxRun, DifferenceIsAFinding) {
  Write("x.npy", DType::kFloat, {1, 2}, {0, 0});
  Write("g.npy", DType::kFloat, {1, 2}, {0.5, 0.6});
  const Outcome outcome =
      RunBelay(kSoftmax + ("--json --in x=" + File("x.npy") +
                           " --expect y=" + File("g.npy")));
  EXPECT_EQ(outcome.exit_code, 1);
  const auto json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["exit_code"], 1);
  EXPECT_EQ(json["kernel"], "softmax");
  EXPECT_EQ(json["outputs"][0]["comparison"]["differing"], 1);
  EXPECT_EQ(json["diagnostics"][0]["code"], "BLY-H114");
}

TEST_F(CruxRun, Float64AndBfloat16Files) {
  // 1.0 and 2.0 as bf16 in a uint16 file; T has no u16, so they are bf16.
  Write("x.npy", DType::kUint16, {2}, {0x3f80, 0x4000});
  const std::string call =
      "crux run examples/crux/swish.crux --interpret "
      "--attr scale=1 --in x=" +
      File("x.npy") + " --out y=" + File("y.npy");
  const Outcome exact = RunBelay(call);
  EXPECT_EQ(exact.exit_code, 0) << exact.err;
  EXPECT_EQ(ReadNpy(File("y.npy")).dtype, DType::kUint16);
  const Outcome real = RunBelay(call + " --arithmetic float64");
  EXPECT_EQ(real.exit_code, 0) << real.err;
  const Array y = ReadNpy(File("y.npy"));
  EXPECT_EQ(y.dtype, DType::kDouble);
  EXPECT_NEAR(NumbersOf(y)[0], 1 / (1 + std::exp(-1.0)), 1e-15);
}

TEST_F(CruxRun, ListsAndOptionalOutputs) {
  Write("a.npy", DType::kFloat, {2}, {1, 2});
  Write("b.npy", DType::kFloat, {1, 1}, {5});
  const Outcome outcome = RunBelay(
      "crux run examples/crux/foreach_add_scalar.crux --interpret --attr "
      "value=0.5 --in x=[" +
      File("a.npy") + "," + File("b.npy") + "] --out y=[" + File("c.npy") +
      "," + File("d.npy") + "]");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(NumbersOf(ReadNpy(File("c.npy"))), (std::vector<double>{1.5, 2.5}));
  EXPECT_EQ(NumbersOf(ReadNpy(File("d.npy"))), (std::vector<double>{5.5}));
}

TEST_F(CruxRun, FaultsNameThePlace) {
  WriteText("k.crux",
            "@kernel\n"
            "def k(x: f32[N], y: out(f32[N])):\n"
            "    for c in cores(N, tile=auto):\n"
            "        store(y[c], load(x[c + 1]))\n");
  Write("x.npy", DType::kFloat, {3}, {1, 2, 3});
  const std::string call = "crux run " + File("k.crux") +
                           " --interpret --tile 2 --in x=" + File("x.npy");
  const Outcome outcome = RunBelay(call);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("k.crux:4:"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("[BLY-X181]"), std::string::npos);
  EXPECT_NE(outcome.err.find("in the iteration c = 2:3"), std::string::npos);
  const auto json = nlohmann::json::parse(RunBelay(call + " --json").out);
  EXPECT_EQ(json["diagnostics"][0]["code"], "BLY-X181");
  EXPECT_EQ(json["diagnostics"][0]["location"]["line"], 4);
}

TEST_F(CruxRun, BadCallsAreRefused) {
  const auto expect = [&](const std::string& words, const std::string& text) {
    const Outcome outcome = RunBelay(words);
    EXPECT_EQ(outcome.exit_code, 2) << words;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  };
  Write("x.npy", DType::kFloat, {1, 2}, {0, 0});
  expect("crux run examples/crux/softmax.crux --in x=" + File("x.npy"),
         "add --interpret");
  expect(kSoftmax + ("--in z=" + File("x.npy")), "no parameter of that name");
  expect(kSoftmax + ("--in x=" + File("x.npy") + " --out x=y.npy"),
         "not written");
  expect(kSoftmax + std::string("--kernel relu"), "the file has softmax");
  expect("crux run examples/crux/swish.crux --interpret --attr scale=much",
         "a number, like 1e-5");
}

TEST_F(CruxRun, LimitsEndTheRun) {
  Write("x.npy", DType::kFloat, {64, 64}, std::vector<double>(4096, 1));
  const Outcome outcome =
      RunBelay(kSoftmax + ("--steps 100 --in x=" + File("x.npy")));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("BLY-X185"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace belay::testing::test_crux_run
