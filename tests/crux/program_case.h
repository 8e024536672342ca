// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_PROGRAM_CASE_H_
#define BELAY_TESTS_CRUX_PROGRAM_CASE_H_

// A program of examples/crux with arguments and the results of libtorch.

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "crux/interpret/interpret.h"
#include "torch_reference.h"

namespace belay::testing {

// A tensor for both sides: what the program gets, and the same numbers.
struct Input {
  Array array;
  Real real;
};

// Random tensors; the seed is printed.
class Inputs {
 public:
  Inputs();

  Input Normal(DType dtype, const Shape& shape, double deviation = 1);
  // From low to high, both included.
  Input Integers(DType dtype, const Shape& shape, int64_t low, int64_t high);
  Input Mask(const Shape& shape, double share);

 private:
  std::mt19937_64 random_;
};

Input InputOf(DType dtype, const Shape& shape,
              const std::vector<double>& numbers);

struct ProgramCase {
  std::string program;  // examples/crux/<program>.crux, kernel <program>
  std::string what;     // of failure messages
  crux::interpret::Arguments arguments;
  std::vector<std::pair<std::string, Real>> expected;
  // Above zero: the relative error allowed in place of the bounds, for
  // iterations that damp errors which the bounds let grow.
  double relative = 0;

  void Add(const std::string& name, const Input& input);
  void AddList(const std::string& name, const std::vector<Input>& inputs);
};

// The kernel <program> of examples/crux/<program>.crux, checked once. A program
// that does not check is a failure of the test and a std::runtime_error.
const crux::typed::Kernel& ExampleKernel(const std::string& program);

// Runs it once. Exact results must lie within their own bounds of libtorch's,
// float64 ones within a few roundings; integers must be equal; every element
// must be stored.
void ExpectAsTorch(const ProgramCase& program_case,
                   const crux::interpret::Options& options);

// Runs it with both answers of fits() and several auto tiles, in both
// arithmetics.
void ExpectAsTorch(const ProgramCase& program_case);

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_PROGRAM_CASE_H_
