// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_CUBE_LOAD3D_H_
#define BELAY_NPU_CUBE_LOAD3D_H_

// What part of the im2col matrix a LoadData3D takes, repeats together: they
// form one matrix at the destination. Rows count up to a multiple of 16,
// columns to whole blocks of 32 bytes.

#include <cstdint>

#include "belay/instruction.h"
#include "npu/cube/fractal.h"

namespace belay::npu {

struct Load3DPart {
  uint64_t rows;    // taken: m
  uint64_t blocks;  // taken: k in blocks
  bool transposed;  // L0B, or L0A with transpose
  uint64_t bytes;   // at the destination, up to the end of the last fractal

  // Row and block of the im2col matrix for a row and block taken.
  uint64_t SourceRow(uint64_t row) const {
    return row_start + row / rows_per_repeat * row_step + row % rows_per_repeat;
  }
  uint64_t SourceBlock(uint64_t block) const {
    return block_start + block / blocks_per_repeat * block_step +
           block % blocks_per_repeat;
  }

  uint64_t row_start;
  uint64_t rows_per_repeat;
  uint64_t row_step;
  uint64_t block_start;
  uint64_t blocks_per_repeat;
  uint64_t block_step;
};

inline Load3DPart Load3DPartOf(const abi::Instruction& instruction) {
  const abi::Load3D& load = instruction.load3d;
  const uint32_t columns = FractalColumns(instruction.src0.dtype);
  Load3DPart part{};
  part.transposed =
      instruction.dst.memory == abi::Memory::kL0b || load.transpose != 0;
  part.row_start = load.m_start;
  part.rows_per_repeat = CeilAlign(load.m_extension, kFractalRows);
  part.block_start = load.k_start / columns;
  part.blocks_per_repeat = CeilDivide(load.k_extension, columns);
  part.rows = part.rows_per_repeat;
  part.blocks = part.blocks_per_repeat;
  if (load.repeat.along_k != 0) {
    part.blocks *= load.repeat.times;
    part.block_step = load.repeat.stride;
  } else {
    part.rows *= load.repeat.times;
    part.row_step = uint64_t{load.repeat.stride} * kFractalRows;
  }
  const uint64_t taken = part.blocks * kFractalRowBytes;
  // Transposed, the columns are the 16 rows of fractals.
  const uint64_t across = part.transposed
                              ? CeilAlign(part.blocks * columns, kFractalRows) *
                                    (taken / (part.blocks * columns))
                              : taken;
  part.bytes = part.rows * across;
  return part;
}

}  // namespace belay::npu

#endif  // BELAY_NPU_CUBE_LOAD3D_H_
