// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_IMPORT_MODEL_H_
#define BELAY_BENCH_IMPORT_MODEL_H_

// A KernelBench or MultiKernelBench file, taken apart: a class Model with
// forward(), get_inputs(), get_init_inputs() and constants of the module.

#include <filesystem>
#include <string>
#include <vector>

#include "bench/expression.h"

namespace belay::bench {

// A tensor that get_inputs() makes.
struct ModelInput {
  enum class Kind { kUniform, kNormal, kInteger, kMask, kProbability };
  std::string name;   // as forward() calls it
  std::string shape;  // an expression of task.toml
  Kind kind = Kind::kNormal;
  std::string low;   // kInteger
  std::string high;  // kInteger, one past the end
  std::string factor = "1";
};

// A constant of the module that shapes depend on: an integer or a list.
struct ModelSize {
  std::string name;
  Value value;
};

// What forward() needs and what depends on sizes.
struct ModelAttribute {
  std::string name;
  std::string expression;
  Value value;  // with the sizes of the file
};

struct Model {
  std::filesystem::path file;
  std::vector<ModelInput> inputs;
  std::vector<ModelSize> sizes;
  std::vector<ModelAttribute> attributes;
  std::vector<std::string> helpers;  // functions beside the class, as lines
  std::vector<std::string> body;     // of forward(), without `self`
  size_t outputs = 1;
};

// Throws TaskError: BLY-K160 where a part of the file is missing, K161 for a
// statement, K162 for an input and K163 for a module that is not supported.
Model ReadModel(const std::filesystem::path& file);

}  // namespace belay::bench

#endif  // BELAY_BENCH_IMPORT_MODEL_H_
