// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_INPUTS_H_
#define BELAY_BENCH_INPUTS_H_

// The inputs of a case, drawn from its seed. The same case gives the same
// bytes on every machine.

#include <functional>
#include <string>
#include <vector>

#include "base/npy.h"
#include "bench/case.h"

namespace belay::bench {

// The value of an input or output: one tensor, or several for a list. An
// absent optional has no tensors and present == false.
struct Argument {
  std::string name;
  bool present = true;
  bool list = false;
  std::vector<Array> tensors;
};
using Arguments = std::vector<Argument>;

// In the order of the signature, before prepare() of the reference. Throws
// TaskError where the declared values cannot be made for the dtype or shape.
Arguments DrawInputs(const Task& task, const Case& one_case);

// The same for the inputs that are wanted; the others have dtype and shape, and
// no data. Those that wanted ones are copied from must be wanted, too.
Arguments DrawInputs(const Task& task, const Case& one_case,
                     const std::function<bool(const InputSpec&)>& wanted);

}  // namespace belay::bench

#endif  // BELAY_BENCH_INPUTS_H_
