// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_COMPILED_COVERAGE_H_
#define BELAY_TESTS_CRUX_COMPILED_COVERAGE_H_

// Which operations compiled programs were made of, on which dtypes and in
// which form of kernel, and what was refused.

#include <array>
#include <map>
#include <string>
#include <utility>

#include "compiled_case.h"
#include "crux/operations.h"

namespace belay::testing {

// How a kernel shares out its iterations.
enum class KernelForm : uint8_t {
  kRows,    // several iterations of a loop over cores run as one
  kPieces,  // rows in pieces
  kFlat,    // one iteration at a time, or pieces of a flat tensor
};

class CompiledCoverage {
 public:
  // Counts a program that was compiled, by its operations as they were lowered,
  // or by the reason why it was not.
  void Add(const crux::typed::Kernel& kernel,
           const crux::interpret::Arguments& arguments,
           const CompiledCase& result);

  // On standard output.
  void Print() const;

  int programs() const { return programs_; }
  int refused() const { return refused_; }
  // How many of the operations in the table of the language were met.
  size_t operations() const;

 private:
  using Counts = std::array<int, 3>;  // by KernelForm

  std::map<std::pair<crux::Op, DType>, Counts> counts_;
  std::map<std::string, int> refusals_;
  int programs_ = 0;
  int refused_ = 0;
  int in_doubt_ = 0;  // programs of which no element could be held to anything
  Compared compared_;
};

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_COMPILED_COVERAGE_H_
