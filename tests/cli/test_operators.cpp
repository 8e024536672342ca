// SPDX-License-Identifier: Apache-2.0
// `belay run DIR` and `belay run --kernel`: one small project for each way in
// which a call can be made.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "operator_call.h"

namespace belay::testing {
namespace {

constexpr const char* kPath = "tests/operators/";

std::string Project(const std::string& name) { return kPath + name; }

std::string KernelAlone(const std::string& kernel, int blocks) {
  return "--kernel " + Project("kernel_alone/kernel_alone.cpp") + " --op " +
         kernel + " --blocks " + std::to_string(blocks);
}

Array Floats(const Shape& shape, const std::vector<double>& values) {
  return MakeArray(DType::kFloat, shape, values);
}

Array Complex(const std::vector<float>& parts) {
  Array array;
  array.dtype = DType::kComplex64;
  array.shape = {static_cast<int64_t>(parts.size() / 2)};
  array.data.resize(parts.size() * sizeof(float));
  std::memcpy(array.data.data(), parts.data(), array.data.size());
  return array;
}

void ExpectRefused(const Outcome& outcome, const std::string& text) {
  EXPECT_EQ(outcome.exit_code, 2) << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find(text), std::string::npos) << outcome.err;
}

// 48 floats of which every 16th is looked at, one by each block.
Array Sparse(double first, double second, double third, double rest) {
  std::vector<double> values(48, rest);
  values[0] = first;
  values[16] = second;
  values[32] = third;
  return Floats({48}, values);
}

TEST(Operators, AnOutputNamedLikeAnInputIsThatInput) {
  OperatorCall(Project("in_place"))
      .Words("--op AddOne")
      .Input("x", Floats({2, 3}, {1, 2, 3, 4, 5, 6}))
      .Golden("x", Floats({2, 3}, {2, 3, 4, 5, 6, 7}))
      .RunAndCompare();
}

TEST(Operators, AnInputCanBeReadBackWithoutBeingAnOutput) {
  OperatorCall(Project("in_place"))
      .Words("--op DoubleAll")
      .Input("x", Floats({3}, {1, 2, 3}))
      .Golden("x", Floats({3}, {2, 4, 6}))
      .RunAndCompare();
}

TEST(Operators, SeveralOperatorsNeedAChoice) {
  ExpectRefused(
      OperatorCall(Project("in_place")).Input("x", Floats({1}, {1})).Run(),
      "AddOne, DoubleAll");
  ExpectRefused(OperatorCall(Project("in_place"))
                    .Words("--op AddOnes")
                    .Input("x", Floats({1}, {1}))
                    .Run(),
                "did you mean 'AddOne'?");
}

TEST(Operators, AListTellsTheKernelTheShapesOfItsTensors) {
  const auto tensor = [](const Shape& shape, double first) {
    std::vector<double> values(ElementCount(shape), 0);
    if (!values.empty()) values[0] = first;
    return MakeArray(DType::kInt64, shape, values);
  };
  OperatorCall(Project("list_shapes"))
      .InputList("x", {tensor({2, 3}, 7), tensor({4}, 8), tensor({5, 0, 2}, 0)})
      .Golden("y", MakeArray(DType::kInt64, {3, 5},
                             {2, 2, 3, 0, 7, 1, 4, 0, 0, 8, 3, 5, 0, 2, -1}))
      .RunAndCompare();
}

TEST(Operators, OneFileIsAListOfOne) {
  OperatorCall(Project("list_shapes"))
      .Input("x", MakeArray(DType::kInt64, {2}, {9, 1}))
      .Golden("y", MakeArray(DType::kInt64, {1, 5}, {1, 2, 0, 0, 9}))
      .RunAndCompare();
}

TEST(Operators, Bfloat16IsMarkedOrChosenByColumn) {
  const Array x = MakeArray(DType::kBfloat16, {3}, {1.5, -2, 300});
  OperatorCall(Project("odd_types"))
      .Input("x", x)
      .Golden("y", x)
      .RunAndCompare();
  Array bits = x;
  bits.dtype = DType::kUint16;
  OperatorCall(Project("odd_types"))
      .Words("--dtype bf16")
      .Input("x", bits)
      .Golden("y", x)
      .RunAndCompare();
  // Without a word they are what the file says, and no column takes that.
  const Outcome outcome =
      OperatorCall(Project("odd_types")).Input("x", bits).Run();
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("BLY-H113"), std::string::npos) << outcome.err;
}

TEST(Operators, Complex64HasTwoParts) {
  TemporaryFolder folder;
  const std::string x = (folder.path() / "x.npy").string();
  const std::string golden = (folder.path() / "g.npy").string();
  WriteNpy(x, Complex({1, 2, 3, -4}));
  WriteNpy(golden, Complex({1, -2, 3, 4}));
  const std::string words =
      "run " + Project("odd_types") + " --in x=" + x + " --expect y=" + golden;
  const Outcome right = RunBelay(words);
  EXPECT_EQ(right.exit_code, 0) << right.err;
  WriteNpy(golden, Complex({1, -2, 3, 5}));
  const Outcome wrong = RunBelay(words);
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_NE(wrong.err.find("1 of 2 elements differ"), std::string::npos)
      << wrong.err;
}

TEST(Operators, BoolIsAColumnOfItsOwn) {
  OperatorCall(Project("odd_types"))
      .Input("x", MakeArray(DType::kBool, {4}, {1, 0, 0, 1}))
      .Golden("y", MakeArray(DType::kBool, {4}, {0, 1, 1, 0}))
      .RunAndCompare();
}

TEST(Operators, AnAbsentInputIsANullPointer) {
  const Array x = MakeArray(DType::kInt32, {2}, {10, 20});
  OperatorCall(Project("optional_input"))
      .Input("x", x)
      .Golden("y", x)
      .RunAndCompare();
  OperatorCall(Project("optional_input"))
      .Input("x", x)
      .Words("--in bias=none")
      .Golden("y", x)
      .RunAndCompare();
  OperatorCall(Project("optional_input"))
      .Input("x", x)
      .Input("bias", MakeArray(DType::kInt32, {2}, {1, 2}))
      .Golden("y", MakeArray(DType::kInt32, {2}, {11, 22}))
      .RunAndCompare();
}

TEST(Operators, EmptyTensorsAreTensors) {
  const Array empty = MakeArray(DType::kInt32, {0, 4}, {});
  OperatorCall(Project("optional_input"))
      .Input("x", empty)
      .Input("bias", empty)
      .Golden("y", empty)
      .RunAndCompare();
}

TEST(Operators, HostScalarsReachTilingAndKernel) {
  OperatorCall(Project("host_scalars"))
      .Input("x", Floats({3}, {1, 2, 3}))
      .Words("--in alpha=scalar:2 --in 'weights=scalar:[0.5,0.25]:f32'")
      .Golden("y", Floats({3}, {2.75, 4.75, 6.75}))
      .RunAndCompare();
  ExpectRefused(OperatorCall(Project("host_scalars"))
                    .Input("x", Floats({1}, {1}))
                    .Words("--in alpha=scalar:two --in weights=scalar:1")
                    .Run(),
                "'two' is no value of type f32");
}

TEST(Operators, EveryKeyHasItsStructAndItsBranch) {
  const auto call = [](const std::string& way) {
    OperatorCall call(Project("key_structs"));
    call.Words("--out-shape y=4 --attr way=" + way);
    return call.Run().out;
  };
  struct Case {
    const char* way;
    std::vector<double> golden;
    const char* key;
  };
  for (const Case& test :
       {Case{"seven", {10.5, 5, 20, 30.5}, "tiling key 7,"},
        Case{"plain", {3, 1024, 2, 16}, "tiling key 2,"},
        Case{"big", {3, 1024, 1, 16}, "tiling key 10000000000000000001,"}}) {
    OperatorCall(Project("key_structs"))
        .Words(std::string("--attr way=") + test.way)
        .Golden("y", Floats({4}, test.golden))
        .RunAndCompare();
    EXPECT_NE(call(test.way).find(test.key), std::string::npos) << test.way;
  }
}

TEST(Operators, AKeyCanBeForcedAndMustHaveABranch) {
  const Outcome outcome =
      OperatorCall(Project("key_structs"))
          .Words("--attr way=plain --out-shape y=4 --tiling-key 9")
          .Run();
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("tiling chose key 9"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("1, 2, 7, 10000000000000000001"),
            std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("[BLY-H102]"), std::string::npos) << outcome.err;
}

TEST(Operators, FilesMayLieSideBySide) {
  OperatorCall(Project("flat"))
      .Input("x", MakeArray(DType::kHalf, {5}, {0, 1, 2, 3, 4}))
      .Golden("y", MakeArray(DType::kHalf, {5}, {1, 2, 3, 4, 5}))
      .RunAndCompare();
}

TEST(Operators, TilingMayHoldStructsOfTheLibrary) {
  std::vector<double> x, softmax, log;
  for (int i = 0; i < 40; ++i) x.push_back(i * 7 % 11 / 4.0);
  for (int i = 0; i < 40; ++i) {
    double sum = 0;
    for (int j = i / 8 * 8; j < i / 8 * 8 + 8; ++j) sum += std::exp(x[j]);
    softmax.push_back(std::exp(x[i]) / sum);
    log.push_back(std::log10(softmax.back()));
  }
  OperatorCall(Project("library_tiling"))
      .Input("x", MakeArray(DType::kFloat, {5, 8}, x))
      .Golden("y", MakeArray(DType::kFloat, {5, 8}, softmax), 8)
      .Golden("log", MakeArray(DType::kFloat, {5, 8}, log), 8)
      .RunAndCompare();
}

TEST(Operators, AFolderOfProjectsNeedsAChoice) {
  ExpectRefused(RunBelay("run tests/operators/traps"), "operator projects");
}

TEST(Operators, TheKernelMaySayTheShape) {
  OperatorCall(Project("non_zero"))
      .Input("x", MakeArray(DType::kInt32, {6}, {0, 5, 0, 0, 7, 1}))
      .Golden("y", MakeArray(DType::kInt64, {3}, {1, 4, 5}))
      .RunAndCompare();
}

TEST(Operators, JsonSaysWhatWasDone) {
  TemporaryFolder folder;
  const std::string x = (folder.path() / "x.npy").string();
  WriteNpy(x, MakeArray(DType::kHalf, {3}, {0, 1, 2}));
  const Outcome outcome =
      RunBelay("run --json " + Project("flat") + " --in x=" + x +
               " --expect y=" + x + " --rtol 0 --atol 0");
  EXPECT_EQ(outcome.exit_code, 1);
  const auto json = nlohmann::json::parse(outcome.out, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << outcome.out << outcome.err;
  EXPECT_EQ(json["operator"], "FlatOne");
  EXPECT_EQ(json["kernel"], "flat_one");
  EXPECT_EQ(json["launched"], true);
  EXPECT_EQ(json["blocks"], 1);
  const auto& output = json["outputs"].at(0);
  EXPECT_EQ(output["dtype"], "f16");
  EXPECT_EQ(output["shape"], nlohmann::json::array({3}));
  EXPECT_EQ(output["comparison"]["differing"], 3);
  EXPECT_EQ(output["comparison"]["largest_absolute"], 1.0);
  EXPECT_EQ(json["diagnostics"].at(0)["code"], "BLY-H114");
}

TEST(Operators, KeepLeavesWhatWasCompiled) {
  TemporaryFolder folder;
  const std::string keep = (folder.path() / "kept").string();
  OperatorCall(Project("flat"))
      .Words("--keep " + keep)
      .Input("x", MakeArray(DType::kHalf, {1}, {0}))
      .Golden("y", MakeArray(DType::kHalf, {1}, {1}))
      .RunAndCompare();
  EXPECT_NE(ReadFile(keep + "/belay_prelude.h").find("#define DTYPE_X half"),
            std::string::npos);
  EXPECT_NE(ReadFile(keep + "/op_host.sources").find("flat_host.cpp"),
            std::string::npos);
  EXPECT_NE(ReadFile(keep + "/op_kernel.sources").find("flat_kernel.cpp"),
            std::string::npos);
  EXPECT_FALSE(ReadFile(keep + "/op_kernel.so").empty());
}

TEST(KernelAlone, GetsTensorsInOrder) {
  OperatorCall(KernelAlone("add_one", 3))
      .Input("x", Sparse(1, 2, 3, 0))
      .Words("--out-like y=x --fresh-memory zero")
      .Golden("y", Sparse(2, 3, 4, 0))
      .RunAndCompare();
}

TEST(KernelAlone, GetsTilingFromAFile) {
  TemporaryFolder folder;
  const std::string tiling = (folder.path() / "tiling.bin").string();
  const float add = 0.5f;
  std::ofstream(tiling, std::ios::binary)
      .write(reinterpret_cast<const char*>(&add), sizeof add);
  OperatorCall(KernelAlone("add_tiling", 2))
      .Words("--tiling " + tiling + " --fresh-memory zero")
      .Input("x", Sparse(1, 2, 3, 0))
      .Golden("y", Sparse(1.5, 2.5, 0, 0))
      .RunAndCompare();
}

TEST(KernelAlone, HasAWorkspaceOfTheSizeAskedFor) {
  const auto call = [](const char* words) {
    OperatorCall call(KernelAlone("through_workspace", 3));
    call.Words(words).Input("x", Sparse(1, 2, 3, 0));
    call.Words("--out-like y=x --fresh-memory zero");
    return call.Golden("y", Sparse(1, 2, 3, 0)).Run();
  };
  EXPECT_EQ(call("--workspace 192").exit_code, 0);
  const Outcome outcome = call("");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("[BLY-H107]"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("kernel_alone.cpp:"), std::string::npos)
      << outcome.err;
}

TEST(KernelAlone, LeavesItsInputsAsTheyAreUnlessTheyAreNamed) {
  TemporaryFolder folder;
  const std::string kernel = (folder.path() / "spoil.cpp").string();
  std::ofstream(kernel)
      << "#include \"kernel_operator.h\"\n"
         "extern \"C\" __global__ __aicore__ void spoil(GM_ADDR x, GM_ADDR y) "
         "{\n"
         "  ((__gm__ float*)x)[1] = 3.0f;\n"
         "  ((__gm__ float*)y)[0] = ((__gm__ float*)x)[0];\n"
         "}\n";
  const std::string file = (folder.path() / "x.npy").string();
  WriteNpy(file, Floats({16}, std::vector<double>(16, 2.0)));
  const std::string call = "run --kernel " + kernel +
                           " --blocks 1 --in x=" + file +
                           " --out-shape y=1:f32";
  const Outcome refused = RunBelay(call);
  EXPECT_EQ(refused.exit_code, 1) << refused.err;
  EXPECT_NE(refused.err.find("spoil.cpp:3:"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("bytes 4 to 7 of input 'x'"), std::string::npos)
      << refused.err;
  EXPECT_NE(refused.err.find("[BLY-H115]"), std::string::npos) << refused.err;
  const Outcome in_place =
      RunBelay(call + " --out x=" + (folder.path() / "out.npy").string());
  EXPECT_EQ(in_place.exit_code, 0) << in_place.err;
}

TEST(KernelAlone, MustBeCalledFully) {
  const std::string file =
      " --kernel " + Project("kernel_alone/kernel_alone.cpp");
  ExpectRefused(RunBelay("run" + file), "--blocks N");
  ExpectRefused(RunBelay("run" + file + " --blocks 0"), "at least 1");
  ExpectRefused(RunBelay("run" + file + " --blocks 1 --out y=y.npy"),
                "--out-shape y=SIZES:TYPE");
  ExpectRefused(RunBelay("run --kernel nowhere.cpp --blocks 1"), "nowhere.cpp");
  ExpectRefused(RunBelay("run"), "nothing to run");
  ExpectRefused(RunBelay("run examples/add/add.asc --in x=x.npy"),
                "is no folder");
  const Outcome unclear = RunBelay("run" + file + " --blocks 1");
  EXPECT_EQ(unclear.exit_code, 1);
  EXPECT_NE(unclear.err.find("add_one, add_tiling, through_workspace"),
            std::string::npos)
      << unclear.err;
  const Outcome few = RunBelay("run" + file + " --op through_workspace " +
                               "--blocks 1 --out-shape y=16:f32");
  EXPECT_EQ(few.exit_code, 1);
  EXPECT_NE(few.err.find("[BLY-H111]"), std::string::npos) << few.err;
}

}  // namespace
}  // namespace belay::testing
