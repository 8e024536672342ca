// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_CUBE_MMAD_H_
#define BELAY_NPU_CUBE_MMAD_H_

// How the operands of an Mmad lie in fractals.

#include <cstdint>

#include "belay/instruction.h"
#include "npu/cube/fractal.h"

namespace belay::npu {

struct MmadShape {
  uint64_t m;
  uint64_t n;
  uint64_t k;
  uint64_t columns;  // elements in a row of a fractal of A, B
  uint64_t m_blocks;
  uint64_t n_blocks;
  bool gemv;  // A is one row of k elements side by side
  // Fractals of A in a row of them, and of B along k.
  uint64_t left_fractals;
  uint64_t right_fractals;
  // Elements from the start of A, B to the end of the last fractal that is
  // read; of a gemv, of the row.
  uint64_t left_elements;
  uint64_t right_elements;
};

inline MmadShape MmadShapeOf(const abi::Instruction& instruction) {
  const abi::Mmad& mmad = instruction.mmad;
  const bool sparse = instruction.op == abi::Op::kMmadSparse;
  MmadShape shape{};
  shape.m = mmad.m;
  shape.n = mmad.n;
  shape.k = mmad.k;
  shape.columns = FractalColumns(instruction.src0.dtype);
  shape.m_blocks = CeilDivide(mmad.m, kFractalRows);
  shape.n_blocks = CeilDivide(mmad.n, kFractalRows);
  shape.gemv = mmad.m == 1 && !sparse;
  const bool wide =
      mmad.k_align_16 != 0 && instruction.src0.dtype == DType::kFloat;
  const uint64_t used = CeilDivide(mmad.k, shape.columns);
  shape.left_fractals = wide ? 2 * CeilDivide(mmad.k, 16) : used;
  shape.right_fractals =
      sparse ? CeilDivide(CeilDivide(mmad.k, 2), shape.columns) : used;
  const uint64_t fractal = kFractalRows * shape.columns;
  shape.left_elements =
      shape.gemv
          ? shape.k
          : ((shape.m_blocks - 1) * shape.left_fractals + used) * fractal;
  shape.right_elements = shape.right_fractals * shape.n_blocks * fractal;
  return shape;
}

}  // namespace belay::npu

#endif  // BELAY_NPU_CUBE_MMAD_H_
