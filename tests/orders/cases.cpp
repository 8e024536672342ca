// SPDX-License-Identifier: Apache-2.0
#include "cases.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/npy.h"
#include "guest/operator_request.h"

namespace belay::orders {
namespace {

std::string SourcePath(const std::string& relative) {
  return std::string(BELAY_SOURCE_DIR) + "/" + relative;
}

// A folder for tensors that goes away with the object.
class Folder {
 public:
  Folder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "orders.XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  // A tensor of small whole numbers that differ from place to place.
  template <typename T>
  std::string Write(const std::string& name, DType dtype, const Shape& shape,
                    const std::vector<T>& values) const {
    Array array{dtype, shape, {}};
    array.data.resize(values.size() * sizeof(T));
    std::memcpy(array.data.data(), values.data(), array.data.size());
    const std::string file = (path_ / (name + ".npy")).string();
    WriteNpy(file, array);
    return file;
  }
  std::string Floats(const std::string& name, const Shape& shape) const {
    std::vector<float> values(ElementCount(shape));
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<float>(static_cast<int>(i * 37 % 251) - 125);
    }
    return Write(name, DType::kFloat, shape, values);
  }

 private:
  std::filesystem::path path_;
};

// A seeded program names the flags it is to be checked with in a comment.
bool SaysNoAutoSync(const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("// flags:") &&
        line.find("--auto-sync off") != std::string::npos) {
      return true;
    }
  }
  return false;
}

using Prepare = std::function<void(const Folder&, guest::OperatorOptions&)>;

Case OperatorCase(const std::string& name, const std::string& folder,
                  const Prepare& prepare) {
  return {name, [folder, prepare](const JudgeOptions& options) {
            const Folder tensors;
            guest::OperatorOptions call;
            call.folder = SourcePath(folder);
            call.output_to_stderr = true;
            prepare(tensors, call);
            return JudgeOperator(call, options);
          }};
}

void AddInput(guest::OperatorOptions& call, const std::string& text) {
  call.inputs.push_back(guest::ParseInput(text));
}
void AddAttribute(guest::OperatorOptions& call, const std::string& text) {
  call.attributes.push_back(guest::ParseAttribute(text));
}

}  // namespace

Case ProgramCase(const std::string& name, const std::string& file,
                 const std::vector<std::string>& arguments, bool auto_sync,
                 const std::vector<std::string>& defines) {
  return {name,
          [file, arguments, defines](const JudgeOptions& options) {
            guest::ProgramOptions program;
            program.sources = {SourcePath(file)};
            program.arguments = arguments;
            program.defines = defines;
            return JudgeProgram(program, options);
          },
          auto_sync};
}

std::vector<Case> ProgramCases() {
  const std::string kernels = "tests/orders/kernels/";
  return {
      ProgramCase("add", "examples/add/add.asc", {"2", "20000"}),
      ProgramCase("softmax", "examples/softmax/softmax.asc", {"2", "5", "303"}),
      ProgramCase("sum", "examples/sum/sum.asc", {"3", "7001"}),
      ProgramCase("chosen_lanes", kernels + "chosen_lanes.asc", {}),
      ProgramCase("ping_pong", kernels + "ping_pong.asc", {}, false),
      ProgramCase("relay", kernels + "relay.asc", {}, false),
      ProgramCase("scalar_unit", kernels + "scalar_unit.asc", {}, false),
      ProgramCase("scalar_unit_auto", kernels + "scalar_unit.asc", {}),
  };
}

std::vector<Case> OperatorCases() {
  const std::string ops = "examples/ops/";
  return {
      OperatorCase("cast_columns", ops + "cast_columns",
                   [](const Folder& folder, guest::OperatorOptions& call) {
                     AddInput(call, "x=" + folder.Floats("x", {3, 1001}));
                     AddAttribute(call, "dst_type=1");
                   }),
      OperatorCase("foreach_scale_list", ops + "foreach_scale_list",
                   [](const Folder& folder, guest::OperatorOptions& call) {
                     AddInput(call, "x=[" + folder.Floats("a", {3, 5}) + "," +
                                        folder.Floats("b", {4099}) + "]");
                     AddInput(call, "scale=scalar:1.25:f32");
                   }),
      OperatorCase("layer_norm_rows", ops + "layer_norm",
                   [](const Folder& folder, guest::OperatorOptions& call) {
                     AddInput(call, "x=" + folder.Floats("x", {5, 77}));
                     AddInput(call, "gamma=" + folder.Floats("g", {77}));
                     AddInput(call, "bias=" + folder.Floats("b", {77}));
                   }),
      OperatorCase("layer_norm_tiled", ops + "layer_norm",
                   [](const Folder& folder, guest::OperatorOptions& call) {
                     AddInput(call, "x=" + folder.Floats("x", {2, 20011}));
                   }),
      OperatorCase("reduce_own", ops + "reduce_two_ways",
                   [](const Folder& folder, guest::OperatorOptions& call) {
                     AddInput(call, "x=" + folder.Floats("x", {6, 35}));
                     AddAttribute(call, "axes=[1]");
                     AddAttribute(call, "mode=sum");
                   }),
      OperatorCase("reduce_split", ops + "reduce_two_ways",
                   [](const Folder& folder, guest::OperatorOptions& call) {
                     AddInput(call, "x=" + folder.Floats("x", {4001, 3}));
                     AddAttribute(call, "axes=[0]");
                     AddAttribute(call, "mode=max");
                   }),
      OperatorCase(
          "slice_by_value", ops + "slice_by_value",
          [](const Folder& folder, guest::OperatorOptions& call) {
            AddInput(call, "x=" + folder.Floats("x", {6, 40}));
            AddInput(call, "begins=" + folder.Write<int64_t>("b", DType::kInt64,
                                                             {2}, {1, 3}));
            AddInput(call, "sizes=" + folder.Write<int64_t>("s", DType::kInt64,
                                                            {2}, {4, 29}));
          }),
  };
}

std::vector<Case> SeededCases(bool repaired) {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(SourcePath("tests/seeded"))) {
    if (entry.path().extension() == ".asc") {
      names.push_back(entry.path().stem().string());
    }
  }
  std::ranges::sort(names);
  std::vector<Case> cases;
  for (const std::string& name : names) {
    const std::string file = "tests/seeded/" + name + ".asc";
    cases.push_back(ProgramCase(name, file, {},
                                !SaysNoAutoSync(SourcePath(file)),
                                repaired ? std::vector<std::string>{"REPAIRED"}
                                         : std::vector<std::string>{}));
  }
  return cases;
}

uint64_t Seed() {
  const char* text = std::getenv("BELAY_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

}  // namespace belay::orders
