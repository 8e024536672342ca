// SPDX-License-Identifier: Apache-2.0
// Tests `belay tasks export`: exported questions with the kernel's body filled
// in run and give what the reference says.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "../cli/run_belay.h"
#include "bench/export_project.h"
#include "bench/export_signature.h"
#include "bench/suite.h"

namespace belay::bench::test_export {
namespace {

namespace fs = std::filesystem;
using belay::testing::Outcome;
using belay::testing::ReadFile;
using belay::testing::RunBelay;
using belay::testing::SourcePath;

void Replace(const fs::path& file, const std::string& from,
             const std::string& to) {
  std::string text = ReadFile(file);
  const size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << file << " lacks " << from;
  text.replace(at, from.size(), to);
  std::ofstream(file) << text;
}

// An exported task in a folder of its own.
class Question {
 public:
  Question(const std::string& task, const std::string& flags)
      : task_(task),
        folder_(fs::temp_directory_path() /
                ("belay_export_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    const Outcome outcome = RunBelay("tasks export " + task + " --to " +
                                     folder_.string() + " " + flags);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  }
  ~Question() { fs::remove_all(folder_); }

  fs::path Path(const std::string& file) const { return folder_ / file; }

  // Fills in the kernel.
  void Answer(const std::string& kernel, const std::string& body) const {
    const fs::path file = Path("op_kernel/" + kernel + ".cpp");
    Replace(file, "  // Write the kernel here.\n", body);
    Replace(file, "using namespace AscendC;\n",
            "using namespace AscendC;\n#include \"answer.h\"\n");
    fs::copy(SourcePath("tests/bench/answers/answer.h"), Path("op_kernel"));
  }

  // Makes the files of the cases and runs calls.sh on them.
  void Check(const std::vector<std::string>& cases) const {
    for (const std::string& name : cases) {
      const Outcome made = RunBelay("tasks run " + task_ + " --case " + name +
                                    " --write " + Path("data").string());
      ASSERT_EQ(made.exit_code, 0) << made.out << made.err;
      const Outcome outcome = Call(name);
      EXPECT_EQ(outcome.exit_code, 0)
          << task_ << " " << name << outcome.out << outcome.err;
      EXPECT_NE(outcome.out.find("as expected"), std::string::npos)
          << outcome.out << outcome.err;
    }
  }

  // The call of one case as calls.sh has it.
  Outcome Call(const std::string& name) const {
    const std::string script = ReadFile(Path("calls.sh"));
    const std::string start = "if wanted " + name + "; then\nbelay ";
    const size_t from = script.find(start);
    EXPECT_NE(from, std::string::npos) << name;
    const size_t to = script.find("\nfi\n", from);
    std::string words =
        script.substr(from + start.size(), to - from - start.size());
    const std::pair<std::string, std::string> kHere[] = {
        {"run .", "run " + folder_.string()},
        {"=data/", "=" + Path("data").string() + "/"},
        {"[data/", "[" + Path("data").string() + "/"},
        {",data/", "," + Path("data").string() + "/"}};
    for (const auto& [relative, absolute] : kHere) {
      for (size_t at = 0;
           (at = words.find(relative, at)) != std::string::npos;) {
        words.replace(at, relative.size(), absolute);
        at += absolute.size();
      }
    }
    return RunBelay(words);
  }

 private:
  std::string task_;
  fs::path folder_;
};

TEST(Export, KernelOnlyDynamic) {
  const Question question("level1/Math/Sqrt", "--shapes dynamic");
  question.Answer("sqrt",
                  "  Map<DTYPE_X>(x, y, tiling_data.x_elements, "
                  "SquareRoot{});\n");
  // Empty, then three dtypes with a tail.
  question.Check({"edge-0", "edge-8", "edge-17", "edge-26"});
}

TEST(Export, FullStatic) {
  const Question question("level2/Activation/Swish",
                          "--template full --case edge-29");
  question.Answer("swish",
                  "  Map<DTYPE_X>(x, y, kXElements,\n"
                  "               ScaledSwish{kScale * tiling_data.sign});\n");
  // A field and a number of blocks of one's own.
  Replace(question.Path("op_host/swish_tiling.h"),
          "// Fields of your own go here.\n",
          "TILING_DATA_FIELD_DEF(float, sign);\n");
  Replace(question.Path("op_host/swish.cpp"),
          "  context->SetBlockDim(platform.GetCoreNumAiv());\n",
          "  context->SetBlockDim(1);\n  tiling.set_sign(1.0f);\n");
  question.Check({"edge-29"});
}

TEST(Export, ListsOfTensors) {
  const Question question("level2/Foreach/ForeachAddList",
                          "--template full --shapes dynamic");
  question.Answer("foreach_add_list", R"(
  ListTensorDesc x1_list((__gm__ void*)x1);
  ListTensorDesc x2_list((__gm__ void*)x2);
  ListTensorDesc y_list((__gm__ void*)y);
  GlobalTensor<DTYPE_X1> factor;
  factor.SetGlobalBuffer((__gm__ DTYPE_X1*)alpha, 1);
  for (uint32_t i = 0; i < tiling_data.x1_count; ++i) {
    AddScaled(x1_list.GetDataPtr<__gm__ DTYPE_X1>(i),
              x2_list.GetDataPtr<__gm__ DTYPE_X1>(i),
              y_list.GetDataPtr<__gm__ DTYPE_X1>(i), factor.GetValue(0),
              tiling_data.y_elements[i]);
  }
)");
  question.Check({"edge-22", "edge-24"});
}

TEST(Export, InPlaceWithAttributes) {
  const Question question("level1/Math/Sscal", "--shapes dynamic");
  question.Answer("sscal",
                  "  ScaleInPlace(x_out, tiling_data.alpha, tiling_data.n, "
                  "tiling_data.incx);\n");
  question.Check({"edge-11", "edge-13"});
}

// An unanswered question compiles and is launched; its result is wrong.
TEST(Export, TemplateRunsAsItIs) {
  const Question question("level1/Math/Sqrt", "--case edge-17");
  const Outcome made = RunBelay(
      "tasks run level1/Math/Sqrt --case edge-17 "
      "--write " +
      question.Path("data").string());
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Outcome outcome = question.Call("edge-17");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.out.find("kernel sqrt on 48 blocks"), std::string::npos)
      << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find("BLY-H114"), std::string::npos) << outcome.err;
}

TEST(Export, RefusesAnUnknownCase) {
  const Outcome outcome =
      RunBelay("tasks export Sqrt --to /nowhere --case edge-9999");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("has no case 'edge-9999'"), std::string::npos)
      << outcome.err;
}

TEST(Export, NamesAreThoseOfCann) {
  EXPECT_EQ(TypeName("mse_loss"), "MseLoss");
  EXPECT_EQ(TypeName("LayerNormV4"), "LayerNormV4");
}

// Every parameter and attribute of a task is in the definition, and every
// shape and attribute in the tiling data.
TEST(Export, CarriesTheWholeSignature) {
  const Task task = LoadTask(fs::path(BELAY_TEST_TASKS) / "everything");
  const std::vector<ExportedFile> files = ExportTask(task, {});
  const std::string& tiling = files.at(0).text;
  const std::string& host = files.at(1).text;
  for (const InputSpec& input : task.inputs) {
    EXPECT_NE(host.find("Input(\"" + input.name + "\")"), std::string::npos);
    EXPECT_NE(tiling.find(" " + input.name + "_shape);"), std::string::npos);
    if (input.optional) {
      EXPECT_NE(tiling.find(" " + input.name + "_present);"),
                std::string::npos);
    }
    if (input.list) {
      EXPECT_NE(tiling.find(" " + input.name + "_count);"), std::string::npos);
    }
  }
  for (const AttributeSpec& attribute : task.attributes) {
    const bool scalar = !attribute.scalar.empty();
    EXPECT_NE(host.find((scalar ? "Input(\"" : "Attr(\"") + attribute.name),
              std::string::npos);
    EXPECT_EQ(tiling.find(" " + attribute.name + ");") != std::string::npos,
              !scalar);
  }
}

}  // namespace
}  // namespace belay::bench::test_export
