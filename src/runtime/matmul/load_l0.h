// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_MATMUL_LOAD_L0_H_
#define BELAY_RUNTIME_MATMUL_LOAD_L0_H_

// Base blocks from L1 to L0A and L0B, transposed where rows run along k.

#include "runtime/matmul/slabs.h"

namespace belay::runtime::matmul {

// What of a block is multiplied, in elements.
struct L0Block {
  int32_t outer = 0;
  int32_t k = 0;
  // Floats that are transposed come in steps of 16 along k; the other matrix
  // must then lie so too.
  bool k_by_16 = false;
};

void LoadLeft(Instructions& instructions, const Input& input,
              const L1Block& from, const L0Block& block,
              const abi::Operand& to);
void LoadRight(Instructions& instructions, const Input& input,
               const L1Block& from, const L0Block& block,
               const abi::Operand& to);
// Packed halves of B, with the indices of the block's fractals at `index`.
void LoadSparse(Instructions& instructions, const Input& input,
                const L1Block& from, const L0Block& block,
                const abi::Operand& index, const abi::Operand& to);
inline constexpr int32_t kIndexBytes = 128;  // of a fractal

}  // namespace belay::runtime::matmul

#endif  // BELAY_RUNTIME_MATMUL_LOAD_L0_H_
