// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_EXPERT_CASES_H_
#define BELAY_TESTS_CRUX_EXPERT_CASES_H_

// The expert kernels of examples/crux and calls of them with the results that
// libtorch gives: one list for every runner.

#include <iosfwd>
#include <string>
#include <vector>

#include "program_case.h"

namespace belay::testing {

enum class Regime { kTiny, kAligned, kOdd, kLong };

struct ExpertKernel {
  std::string name;      // of the file and the kernel
  std::string category;  // as in docs/crux_kernels.md
  bool in_benchmark = false;
  double relative = 0;  // as ProgramCase::relative
};

// Its name, for messages of GoogleTest.
void PrintTo(const ExpertKernel& kernel, std::ostream* stream);

// All of them, in the order of docs/crux_kernels.md.
const std::vector<ExpertKernel>& ExpertKernels();

// One line of the table of cases. Arguments are separated by blanks. A tensor
// is "x=T[7,131]", or with values "x=T[7]:uniform,0,1": normal (deviation),
// uniform (low, high), integers (low, high), mask (share), values (each). T
// stands for each of f16, bf16 and f32. An attribute is "alpha=0.5".
struct ExpertLine {
  std::string kernel;
  Regime regime;
  std::string arguments;
};

const std::vector<ExpertLine>& ExpertLines();

// The cases of a kernel, one for each line and dtype. Inputs depend on the
// seed (BELAY_SEED) and on the line alone.
std::vector<ProgramCase> ExpertCasesOf(const std::string& kernel,
                                       Regime regime);

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_EXPERT_CASES_H_
