// SPDX-License-Identifier: Apache-2.0
// What the checkers cost: the shipped examples and operators on large tensors,
// with and without them, in turn. Prints the speed under all checkers as a
// share of the unchecked speed, and the geometric mean.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/npy.h"

namespace belay::benchmarks {
namespace {

namespace fs = std::filesystem;

constexpr int kRounds = 5;

struct Case {
  std::string name;
  std::string call;  // what stands behind `belay run`
};

// Tensors for the operators, in a folder that goes with the process.
class Inputs {
 public:
  Inputs()
      : folder_(fs::temp_directory_path() /
                fmt::format("belay_check_cost_{}", getpid())) {
    fs::create_directories(folder_);
  }
  ~Inputs() { fs::remove_all(folder_); }
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;

  std::string Floats(const std::string& name, const Shape& shape) const {
    Array array;
    array.dtype = DType::kFloat;
    array.shape = shape;
    array.data.resize(static_cast<size_t>(ElementCount(shape)) * sizeof(float));
    auto* values = reinterpret_cast<float*>(array.data.data());
    for (int64_t i = 0; i < ElementCount(shape); ++i) {
      values[i] = static_cast<float>(i % 251) / 251;
    }
    return Write(name, array);
  }
  std::string Integers(const std::string& name,
                       const std::vector<int64_t>& values) const {
    Array array;
    array.dtype = DType::kInt64;
    array.shape = {static_cast<int64_t>(values.size())};
    array.data.resize(values.size() * sizeof(int64_t));
    std::memcpy(array.data.data(), values.data(), array.data.size());
    return Write(name, array);
  }
  std::string Path(const std::string& name) const {
    return (folder_ / name).string();
  }

 private:
  std::string Write(const std::string& name, const Array& array) const {
    WriteNpy(Path(name), array);
    return Path(name);
  }
  fs::path folder_;
};

std::vector<Case> Cases(const Inputs& inputs) {
  const std::string examples = BELAY_SOURCE_DIR "/examples/";
  const std::string x = inputs.Floats("x.npy", {4096, 1024});
  const std::string gamma = inputs.Floats("gamma.npy", {1024});
  return {
      {"add", examples + "add/add.asc -- 48 16000000"},
      {"softmax", examples + "softmax/softmax.asc -- 48 4000 1003"},
      {"sum", examples + "sum/sum.asc -- 48 16000000"},
      {"foreach_scale_list",
       fmt::format("{0}ops/foreach_scale_list --in x=[{1},{1}] --in "
                   "scale=scalar:1.5:f32",
                   examples, x)},
      {"layer_norm", fmt::format("{}ops/layer_norm --in x={} --in gamma={}",
                                 examples, x, gamma)},
      {"cast_columns",
       fmt::format("{}ops/cast_columns --in x={} --attr dst_type=1", examples,
                   x)},
      {"slice_by_value",
       fmt::format("{}ops/slice_by_value --in x={} --in begins={} --in "
                   "sizes={}",
                   examples, x, inputs.Integers("begins.npy", {3, 5}),
                   inputs.Integers("sizes.npy", {4000, 1001}))},
      {"reduce_two_ways",
       fmt::format("{}ops/reduce_two_ways --in x={} --attr axes=[1] --attr "
                   "mode=sum",
                   examples, x)},
  };
}

// Milliseconds the launches of one run took.
double Run(const Inputs& inputs, const Case& what, bool checked) {
  const std::string out = inputs.Path("out.json");
  const size_t own = what.call.find(" -- ");
  const std::string call =
      what.call.substr(0, own) + (checked ? " --json" : " --json --no-check") +
      (own == std::string::npos ? "" : what.call.substr(own));
  const std::string command =
      fmt::format("{} run {} >{} 2>/dev/null", BELAY_PROGRAM, call, out);
  const int status = std::system(command.c_str());
  std::ifstream in(out);
  const auto json = nlohmann::json::parse(in, nullptr, false);
  if (status != 0 || !json.is_object()) {
    throw UserError(fmt::format("'belay run {}' failed: {}", call,
                                json.is_object() ? json.dump() : ""));
  }
  return json.at("launch_milliseconds").get<double>();
}

int Main() {
  const Inputs inputs;
  double logarithms = 0;
  const std::vector<Case> cases = Cases(inputs);
  fmt::print("{:<20}{:>14}{:>14}{:>10}\n", "", "unchecked ms", "checked ms",
             "speed");
  for (const Case& what : cases) {
    double plain = 1e300;
    double checked = 1e300;
    for (int round = 0; round < kRounds; ++round) {
      plain = std::min(plain, Run(inputs, what, false));
      checked = std::min(checked, Run(inputs, what, true));
    }
    logarithms += std::log(plain / checked);
    fmt::print("{:<20}{:>14.1f}{:>14.1f}{:>10.2f}\n", what.name, plain, checked,
               plain / checked);
  }
  fmt::print("geometric mean of the speed under all checkers: {:.2f}\n",
             std::exp(logarithms / static_cast<double>(cases.size())));
  return 0;
}

}  // namespace
}  // namespace belay::benchmarks

int main() {
  try {
    return belay::benchmarks::Main();
  } catch (const belay::UserError& error) {
    fmt::print(stderr, "check_cost: {}\n", error.what());
    return 2;
  }
}
