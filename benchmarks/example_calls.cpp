// SPDX-License-Identifier: Apache-2.0
#include "example_calls.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>

namespace belay::benchmarks {

namespace fs = std::filesystem;

CallInputs::CallInputs()
    : folder_(fs::temp_directory_path() /
              fmt::format("belay_example_calls_{}", getpid())) {
  fs::create_directories(folder_);
}

CallInputs::~CallInputs() { fs::remove_all(folder_); }

std::string CallInputs::Floats(const std::string& name,
                               const Shape& shape) const {
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

std::string CallInputs::Integers(const std::string& name,
                                 const std::vector<int64_t>& values) const {
  Array array;
  array.dtype = DType::kInt64;
  array.shape = {static_cast<int64_t>(values.size())};
  array.data.resize(values.size() * sizeof(int64_t));
  std::memcpy(array.data.data(), values.data(), array.data.size());
  return Write(name, array);
}

std::string CallInputs::Write(const std::string& name,
                              const Array& array) const {
  WriteNpy(Path(name), array);
  return Path(name);
}

std::vector<Call> ExampleCalls(const CallInputs& inputs) {
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

std::string WithOptions(const std::string& words, const std::string& options) {
  const size_t own = words.find(" -- ");
  return words.substr(0, own) + " " + options +
         (own == std::string::npos ? "" : words.substr(own));
}

}  // namespace belay::benchmarks
