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

TEST_F(CruxRun, CompiledByDefault) {
  Write("x.npy", DType::kFloat, {1, 2}, {0, std::log(3.0)});
  Write("g.npy", DType::kFloat, {1, 2}, {0.25, 0.75});
  const std::string call =
      "crux run examples/crux/softmax.crux --in x=" + File("x.npy") +
      " --expect y=" + File("g.npy");
  const Outcome outcome = RunBelay(call + " --out y=" + File("y.npy"));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("2 elements as expected"), std::string::npos)
      << outcome.out;
  EXPECT_NEAR(NumbersOf(ReadNpy(File("y.npy")))[1], 0.75, 1e-6);
  const auto json =
      nlohmann::json::parse(RunBelay(call + " --time --json").out);
  EXPECT_EQ(json["road"], "compiled");
  EXPECT_TRUE(json["diagnostics"].empty()) << json["diagnostics"];
  EXPECT_GT(json["simulated_us"], 0);
  EXPECT_GT(json["share_of_bound"], 0);
  const Outcome profile = RunBelay(call + " --profile");
  EXPECT_NE(profile.out.find("softmax.crux:"), std::string::npos)
      << profile.out;
}

TEST_F(CruxRun, TimesShapesWithoutValues) {
  const Outcome outcome = RunBelay(
      "crux run examples/crux/swish.crux --timing-only "
      "--in x=shape:16384,16384:f16");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("of the hardware bound"), std::string::npos)
      << outcome.out;
}

TEST_F(CruxRun, TimesThatDependOnValuesAreRefused) {
  const Outcome outcome = RunBelay(
      "crux run examples/crux/masked_select.crux --timing-only "
      "--in x=shape:1000:f32 --in mask=shape:1000:bool");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("BLY-T101"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("masked_select.crux:"), std::string::npos);
}

TEST_F(CruxRun, EmitsEveryForm) {
  const auto emit = [&](const std::string& words) {
    const Outcome outcome =
        RunBelay("crux emit examples/crux/softmax.crux " + words);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  const std::string plan = emit("--as plan --dtype T=f16");
  EXPECT_NE(plan.find("kernel softmax, T = f16"), std::string::npos) << plan;
  EXPECT_EQ(plan.find("T = f32"), std::string::npos);
  EXPECT_NE(plan.find("on chip, in bytes"), std::string::npos);
  const std::string second = emit("--as plan --dtype T=f16 --variant 2");
  EXPECT_NE(plan.find(second), std::string::npos) << second;
  EXPECT_EQ(second.find("kernel softmax", 1), std::string::npos) << second;
  EXPECT_GT(plan.find(second), 0u);
  const std::string ir = emit("--as ir --dtype T=f32 --dump-passes");
  EXPECT_NE(ir.find("# after lower"), std::string::npos);
  emit("--as ascendc -o " + File("softmax.asc"));
  EXPECT_TRUE(std::filesystem::exists(File("softmax.asc")));
  emit("--as project -o " + File("op"));
  EXPECT_TRUE(std::filesystem::exists(File("op/op_host/softmax.cpp")));
  EXPECT_TRUE(std::filesystem::exists(File("op/op_kernel/softmax.cpp")));
}

TEST_F(CruxRun, PassesBeforeOneThatRefusesAreShown) {
  WriteText("k.crux",
            "@kernel\n"
            "def k(a: f16[4, 4], y: out(f32[4, 4])):\n"
            "    t = load(a[:, :])\n"
            "    store(y[:, :], t @ t)\n");
  const Outcome outcome =
      RunBelay("crux emit " + File("k.crux") + " --as ir --dump-passes");
  EXPECT_EQ(outcome.exit_code, 1);
  const size_t last = outcome.err.find("# after units");
  EXPECT_NE(last, std::string::npos) << outcome.err;
  EXPECT_LT(last, outcome.err.find("[BLY-X301]")) << outcome.err;
}

TEST_F(CruxRun, PrintedSourcesRefuseOtherDtypes) {
  const std::string source = File("swish.asc");
  ASSERT_EQ(
      RunBelay("crux emit examples/crux/swish.crux -o " + source).exit_code, 0);
  std::ofstream(File("x.bin"), std::ios::binary) << std::string(8, '\0');
  const auto run = [&](const std::string& dtype) {
    return RunBelay("run " + source + " -- x=" + File("x.bin") + ":" + dtype +
                    ":2 y=" + File("y.bin"));
  };
  EXPECT_EQ(run("f32").exit_code, 0);
  const Outcome outcome = run("i32");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("no kernel has these dtypes"), std::string::npos)
      << outcome.err;
}

TEST_F(CruxRun, WhatCannotBeCompiledIsRefused) {
  const Outcome outcome = RunBelay("crux emit examples/crux/matmul_gelu.crux");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("matmul_gelu.crux:"), std::string::npos);
  EXPECT_NE(outcome.err.find("BLY-X301"), std::string::npos) << outcome.err;
}

TEST_F(CruxRun, BadCallsAreRefused) {
  const auto expect = [&](const std::string& words, const std::string& text) {
    const Outcome outcome = RunBelay(words);
    EXPECT_EQ(outcome.exit_code, 2) << words;
    EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
  };
  Write("x.npy", DType::kFloat, {1, 2}, {0, 0});
  const std::string compiled =
      "crux run examples/crux/softmax.crux --in x=" + File("x.npy");
  expect(compiled + " --bounds y=" + File("e.npy"), "add --interpret");
  expect(compiled + " --time --interpret", "leave one of them out");
  expect(compiled + " --timing-only --out y=" + File("y.npy"),
         "leave --out away");
  expect("crux run examples/crux/softmax.crux --in x=shape:4,4:f32",
         "a shape has no values");
  expect("crux emit examples/crux/softmax.crux --as project", "with -o");
  expect("crux emit examples/crux/softmax.crux --dtype T=f7", "use T=f16");
  expect("crux emit examples/crux/softmax.crux --dtype T=f16 --variant 4",
         "the variants 1 to 3");
  expect("crux emit examples/crux/softmax.crux --dtype G=f16",
         "the dtype variables T");
  expect(kSoftmax + ("--in z=" + File("x.npy")), "no parameter of that name");
  expect(kSoftmax + ("--in x=" + File("x.npy") + " --out x=y.npy"),
         "not written");
  expect(kSoftmax + std::string("--kernel relu"), "the file has softmax");
  expect("crux run examples/crux/swish.crux --interpret --attr scale=much",
         "a number, like 1e-5");
  expect("crux run examples/crux", "it is a folder");
  expect("crux emit examples/crux", "it is a folder");
  expect(compiled + " --in x=" + File("x.npy"), "`x` is given twice");
  expect("crux run examples/crux/swish.crux --attr scale=1 --attr scale=2",
         "`scale` is given twice");
  expect(compiled + " --dtype G=f16", "the dtype variables T");
}

TEST_F(CruxRun, DtypesThatContradictTensorsAreRefused) {
  Write("x.npy", DType::kFloat, {1, 2}, {0, 0});
  for (const char* road : {"", " --interpret"}) {
    const std::string call =
        "crux run examples/crux/softmax.crux --in x=" + File("x.npy") + road +
        " --dtype T=";
    EXPECT_EQ(RunBelay(call + "f32").exit_code, 0);
    const Outcome outcome = RunBelay(call + "f16");
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_NE(outcome.err.find("a tensor makes it f32"), std::string::npos)
        << outcome.err;
  }
}

TEST_F(CruxRun, ErrorsOfCallsAreJsonToo) {
  const std::string call = "crux run examples/crux/softmax.crux --json ";
  for (const std::string& words :
       {call + "--in x=nowhere.npy", call + "--chip none --in x=nowhere.npy",
        call + "--no-such-option", std::string("crux run nowhere.crux --json"),
        std::string("crux check nowhere.crux --json")}) {
    const Outcome outcome = RunBelay(words);
    EXPECT_EQ(outcome.exit_code, 2) << words;
    const auto json = nlohmann::json::parse(outcome.out, nullptr, false);
    ASSERT_TRUE(json.is_object()) << words << "\n" << outcome.out;
    EXPECT_EQ(json["exit_code"], 2) << words;
    const std::string error = json["error"];
    EXPECT_FALSE(error.empty());
    EXPECT_NE(outcome.err.find(error), std::string::npos) << outcome.err;
  }
}

TEST_F(CruxRun, TilesThatAreNotPositiveAreRefused) {
  const std::string program =
      WriteText("tile.crux",
                "@kernel\n"
                "def f(x: f32[N], y: out(f32[N]), k: int = 0):\n"
                "    for c in cores(N, tile=k):\n"
                "        store(y[c], load(x[c]))\n");
  Write("x.npy", DType::kFloat, {7}, {1, 2, 3, 4, 5, 6, 7});
  const std::string call = " --in x=" + File("x.npy") + " --attr k=";
  for (const std::string k : {"0", "-3"}) {
    const Outcome outcome = RunBelay("crux run " + program + call + k);
    EXPECT_EQ(outcome.exit_code, 1) << k;
    EXPECT_NE(outcome.err.find("must be positive"), std::string::npos)
        << outcome.err;
  }
  EXPECT_EQ(RunBelay("crux run " + program + call + "2").exit_code, 0);
  const std::string project = File("tile");
  RunBelay("crux emit " + program + " --as project -o " + project);
  EXPECT_NE(RunBelay("run " + project + call + "0").exit_code, 0);
  EXPECT_EQ(RunBelay("run " + project + call + "2").exit_code, 0);
}

TEST_F(CruxRun, PrintedProjectsRefuseWhatHasNoMeaning) {
  const std::string program =
      WriteText("groups.crux",
                "@kernel\n"
                "def f(x: f32[M, N], y: out(f32[M, g]), g: int, a: int):\n"
                "    xs = x.view(M, g, N // g)\n"
                "    for r in cores(M):\n"
                "        for i in cores(g):\n"
                "            t = load(xs[r, i, :]) + 1.0\n"
                "            store(y[r, i], t[a])\n");
  Write("x.npy", DType::kFloat, {1, 6}, {1, 2, 3, 4, 5, 6});
  const std::string project = File("groups");
  RunBelay("crux emit " + program + " --as project -o " + project);
  const auto run = [&](const std::string& attributes) {
    return RunBelay("run " + project + " --in x=" + File("x.npy") +
                    attributes);
  };
  EXPECT_EQ(run(" --attr g=2 --attr a=2").exit_code, 0);
  const Outcome groups = run(" --attr g=4 --attr a=0");
  EXPECT_NE(groups.exit_code, 0);
  EXPECT_NE(groups.err.find("line 3: the sizes of a view"), std::string::npos)
      << groups.err;
  const Outcome element = run(" --attr g=2 --attr a=3");
  EXPECT_NE(element.exit_code, 0);
  EXPECT_NE(element.err.find("line 7: a position beyond the end of a tile"),
            std::string::npos)
      << element.err;
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
