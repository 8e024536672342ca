// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_TORCH_SIGNATURE_H_
#define BELAY_BENCH_TORCH_SIGNATURE_H_

// Whether the functions of a reference.py fit the signature of the task.

#include <torch/csrc/jit/api/compilation_unit.h>

#include "bench/task.h"

namespace belay::bench {

// reference() and eager() must be there; every known function must take the
// inputs, then the attributes (check() also the outputs), by the names and
// types of the task. Throws TaskError BLY-K113.
void RequireSignatures(const Task& task, torch::jit::CompilationUnit& unit);

}  // namespace belay::bench

#endif  // BELAY_BENCH_TORCH_SIGNATURE_H_
