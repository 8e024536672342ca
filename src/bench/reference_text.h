// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_REFERENCE_TEXT_H_
#define BELAY_BENCH_REFERENCE_TEXT_H_

// The text of a reference.py as TorchScript takes it.

#include <string>

#include "base/npy.h"
#include "bench/task.h"

namespace belay::bench {

// The text with its import lines blanked, so that lines keep their numbers.
// Only the fixed header of docs/tasks.md is allowed: BLY-K111.
std::string DropImports(const Task& task);

// A golden array (f64, f64 pairs, i64, bool) as `dtype` stores it.
Array RoundTo(const Array& golden, DType dtype);

}  // namespace belay::bench

#endif  // BELAY_BENCH_REFERENCE_TEXT_H_
