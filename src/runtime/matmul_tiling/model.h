// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_MATMUL_TILING_MODEL_H_
#define BELAY_RUNTIME_MATMUL_TILING_MODEL_H_

// What a split of one core's share of a matrix product takes: memory, and
// modelled time.

#include <cstdint>

#include "npu/chip_spec.h"
#include "runtime/matmul_tiling/problem.h"

namespace belay::runtime {

// One core's share, cut into base blocks. L1 holds step_m × step_ka blocks of A
// and step_kb × step_n of B, `depth_*` times over.
struct MatmulSplit {
  Extent single;
  Extent base;
  int64_t step_m = 1, step_n = 1, step_ka = 1, step_kb = 1;
  int buffers_a1 = 1, buffers_b1 = 1;
  int buffers_l0a = 1, buffers_l0b = 1, buffers_l0c = 1;
  bool first_m = true;  // blocks of C follow each other along M

  int64_t BlocksM() const { return CeilDivide(single.m, base.m); }
  int64_t BlocksN() const { return CeilDivide(single.n, base.n); }
  int64_t BlocksK() const { return CeilDivide(single.k, base.k); }
};

// Bytes of one base block in L1.
int64_t BlockBytesA(const MatmulProblem& problem, const Extent& base);
int64_t BlockBytesB(const MatmulProblem& problem, const Extent& base);

// Bytes of L1 beside the blocks: bias and quantisation of one block of C.
int64_t BesideBlocks(const MatmulProblem& problem, const Extent& base);

// All of L1 and L0C that the split takes, in bytes.
int64_t L1Bytes(const MatmulProblem& problem, const MatmulSplit& split);
int64_t L0cBytes(const MatmulSplit& split);

// Whether every memory holds its part.
bool Fits(const MatmulProblem& problem, const MatmulSplit& split);

// The pipes' work for one core, in cycles: nothing is faster than the slowest.
struct MatmulWork {
  double cube = 0;
  double load = 0;    // L1 to L0
  double copy_a = 0;  // GM to L1
  double copy_b = 0;
  double result = 0;  // L0C to GM
  // Pieces in which A and B are copied, and blocks of C.
  double pieces_a = 1;
  double pieces_b = 1;
  double results = 1;
};

// What any split with this share and base block takes at least: its copies are
// those of a core that reads everything once.
MatmulWork LeastWork(const MatmulProblem& problem, const Extent& single,
                     const Extent& base,
                     const npu::ChipSpec::MatmulRates& rates);

// Cycles of one core. Copies, loads, products and results overlap as far as
// there are two buffers of what they hand on; a block of A or B stays in L1
// until another one is needed in its place.
double ModelledCycles(const MatmulProblem& problem, const MatmulSplit& split,
                      const npu::ChipSpec::MatmulRates& rates);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_MATMUL_TILING_MODEL_H_
