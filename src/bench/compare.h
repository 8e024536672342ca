// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_COMPARE_H_
#define BELAY_BENCH_COMPARE_H_

// Judges all outputs of a kernel on one case: count, shapes, dtypes, then
// values by the precision each output declares, then check() of the reference.

#include <string>
#include <vector>

#include "bench/precision.h"
#include "bench/reference_runner.h"

namespace belay::bench {

// What a case is judged by; made once for any number of candidates.
struct Truth {
  const Task* task = nullptr;
  Case one_case;
  Arguments inputs;
  Arguments golden;   // as reference() left them
  Arguments rounded;  // in the declared dtypes: what a perfect kernel writes
  Arguments scale;    // present where the output has a scale
};

Truth MakeTruth(const Task& task, const Case& one_case,
                ReferenceRunner& runner);

struct OutputVerdict {
  std::string output;
  bool accepted = true;
  double mean = 0;     // the worst over the tensors of a list
  double largest = 0;  // the same
  int64_t elements = 0;
  int64_t wrong = 0;  // that alone make their tensor wrong
  // The element furthest off, and in which tensor; -1 where none is off.
  size_t worst_tensor = 0;
  int64_t worst = -1;
};

struct Verdict {
  bool accepted = true;
  std::string reason;  // the first thing wrong, naming the output; "" if right
  std::vector<OutputVerdict> outputs;
};

// `candidate` has the outputs in the order of the signature; absent ones are
// not present. `runner` is asked for check() only when everything else holds.
Verdict Judge(const Truth& truth, const Arguments& candidate,
              ReferenceRunner& runner);

// Whether two sets of outputs can be compared element by element: "" or what
// differs in count, shape or dtype.
std::string DifferenceInForm(const Arguments& expected,
                             const Arguments& candidate);

}  // namespace belay::bench

#endif  // BELAY_BENCH_COMPARE_H_
