// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_IMPORT_SHAPES_H_
#define BELAY_BENCH_IMPORT_SHAPES_H_

// Finds the shape of an output as an expression of sizes, from examples.

#include <string>
#include <vector>

#include "bench/import_model.h"
#include "bench/inputs.h"

namespace belay::bench {

// Sizes on which a model ran, and what came out.
struct Observation {
  Value sizes;
  int64_t elements = 0;  // of inputs and outputs
  Arguments outputs;
};

// An expression that holds for all observations: the shape of an input, or
// for each axis a size, a number, or (size + a) // b + 1. "?" if there is none.
std::string FindShape(const Model& model,
                      const std::vector<Observation>& observations,
                      size_t output);

}  // namespace belay::bench

#endif  // BELAY_BENCH_IMPORT_SHAPES_H_
