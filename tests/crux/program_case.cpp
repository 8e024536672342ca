// SPDX-License-Identifier: Apache-2.0
#include "program_case.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>

#include "call.h"
#include "crux/check.h"
#include "files.h"

namespace belay::testing {
namespace {

namespace interpret = crux::interpret;

bool Same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

void CompareOutput(const interpret::OutputTensor& output, const Real& expected,
                   bool exact, double relative, const std::string& what) {
  ASSERT_EQ(output.array.shape, expected.shape) << what;
  const std::vector<double> numbers = NumbersOf(output.array);
  std::vector<double> bounds(numbers.size(), 0);
  if (exact) bounds = NumbersOf(output.bounds);
  if (exact && relative > 0) {
    for (size_t i = 0; i < bounds.size(); ++i) {
      bounds[i] = relative * std::fabs(expected.values[i]);
    }
  }
  const bool floating = IsFloating(output.array.dtype);
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (Same(numbers[i], expected.values[i])) continue;
    const double apart = std::fabs(numbers[i] - expected.values[i]);
    // libtorch and float64 arithmetic round in double.
    const double doubles =
        floating ? 1e-11 * (1 + std::fabs(expected.values[i])) : 0;
    ASSERT_TRUE(std::isfinite(bounds[i])) << what << ", element " << i;
    ASSERT_LE(apart, bounds[i] + doubles)
        << what << ", element " << i << ": " << numbers[i] << " against "
        << expected.values[i];
  }
}

}  // namespace

const crux::typed::Kernel& ExampleKernel(const std::string& program) {
  static std::map<std::string, crux::Checked> checked;
  auto found = checked.find(program);
  if (found == checked.end()) {
    const std::string path =
        InSourceTree("examples/crux/" + program + ".crux").string();
    found = checked.emplace(program, crux::CheckFile(path)).first;
    for (const Diagnostic& diagnostic : found->second.diagnostics) {
      ADD_FAILURE() << ToText(diagnostic);
    }
  }
  if (!found->second.ok()) {
    throw std::runtime_error(program + " does not check");
  }
  return *found->second.program->FindKernel(program);
}

Inputs::Inputs() {
  const char* text = std::getenv("BELAY_SEED");
  const uint64_t seed = text ? std::strtoull(text, nullptr, 0) : 20260207;
  std::cout << "seed: " << seed << " (set BELAY_SEED to change)\n";
  random_.seed(seed);
}

Input InputOf(DType dtype, const Shape& shape,
              const std::vector<double>& numbers) {
  Input input;
  input.array = ArrayOf(dtype, shape, numbers);
  input.real = {shape, NumbersOf(input.array)};
  return input;
}

Input Inputs::Normal(DType dtype, const Shape& shape, double deviation) {
  std::normal_distribution<double> normal(0, deviation);
  std::vector<double> numbers(static_cast<size_t>(ElementCount(shape)));
  for (double& number : numbers) number = normal(random_);
  return InputOf(dtype, shape, numbers);
}

Input Inputs::Integers(DType dtype, const Shape& shape, int64_t low,
                       int64_t high) {
  std::uniform_int_distribution<int64_t> uniform(low, high);
  std::vector<double> numbers(static_cast<size_t>(ElementCount(shape)));
  for (double& number : numbers) number = static_cast<double>(uniform(random_));
  return InputOf(dtype, shape, numbers);
}

Input Inputs::Mask(const Shape& shape, double share) {
  std::bernoulli_distribution kept(share);
  std::vector<double> numbers(static_cast<size_t>(ElementCount(shape)));
  for (double& number : numbers) number = kept(random_) ? 1 : 0;
  return InputOf(DType::kBool, shape, numbers);
}

void ProgramCase::Add(const std::string& name, const Input& input) {
  arguments.tensors[name] = {{input.array}, false};
}

void ProgramCase::AddList(const std::string& name,
                          const std::vector<Input>& inputs) {
  interpret::TensorArgument& argument = arguments.tensors[name];
  argument.list = true;
  for (const Input& input : inputs) argument.arrays.push_back(input.array);
}

void ExpectAsTorch(const ProgramCase& program_case,
                   const interpret::Options& options) {
  const bool exact = options.arithmetic == interpret::Arithmetic::kExact;
  const std::string what = fmt::format(
      "{} ({}; {}, auto {}, fits {})", program_case.program, program_case.what,
      exact ? "exact" : "float64", options.auto_tile, options.fits);
  const interpret::Results results = Interpret(
      ExampleKernel(program_case.program), program_case.arguments, options);
  for (const Diagnostic& diagnostic : results.diagnostics) {
    ADD_FAILURE() << what << "\n" << ToText(diagnostic);
  }
  for (const auto& [name, expected] : program_case.expected) {
    const interpret::OutputTensor* output = results.Find(name);
    ASSERT_NE(output, nullptr) << what << ", " << name;
    CompareOutput(*output, expected, exact, program_case.relative,
                  what + ", " + name);
  }
}

void ExpectAsTorch(const ProgramCase& program_case) {
  for (const bool fits : {true, false}) {
    for (const int64_t tile : {5, 64, 251}) {
      for (const auto arithmetic :
           {interpret::Arithmetic::kExact, interpret::Arithmetic::kFloat64}) {
        interpret::Options options;
        options.arithmetic = arithmetic;
        options.fits = fits;
        options.auto_tile = tile;
        options.file = program_case.program + ".crux";
        ExpectAsTorch(program_case, options);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace belay::testing
