// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_CUBE_FIXPIPE_H_
#define BELAY_NPU_CUBE_FIXPIPE_H_

// Where the elements of a Fixpipe come from and go to.

#include <algorithm>
#include <cstdint>

#include "base/dtype.h"
#include "npu/cube/fractal.h"

namespace belay::npu {

// Up to 16 elements of a row: offsets in bytes from source and destination.
struct FixpipePiece {
  uint64_t source;
  uint64_t destination;
  uint32_t elements;
  uint32_t column;  // of the first
};

// Where a column of fractals of L0C goes, row by row.
struct FixpipeColumn {
  uint64_t offset;
  uint64_t row_step;
  uint32_t elements;
};

// Of `width` columns from column block `block` on: 16, or 8 with channel
// split. By NZ, 8-bit elements of two neighbouring blocks share rows of 32
// bytes; a last block without a neighbour keeps rows of 16.
inline FixpipeColumn FixpipeColumnAt(const abi::Instruction& instruction,
                                     uint64_t block, uint32_t width) {
  const abi::Fixpipe& fixpipe = instruction.fixpipe;
  const uint64_t element = BytesOf(instruction.dst.dtype);
  const auto elements = static_cast<uint32_t>(
      std::min<uint64_t>(fixpipe.n - block * width, width));
  const uint64_t stride = fixpipe.destination_stride;
  if (fixpipe.nz2nd != 0) {
    return {block * width * element, stride * element, elements};
  }
  if (element == 1) {
    const bool alone = block % 2 == 0 && (block + 1) * width >= fixpipe.n;
    return {block / 2 * stride * kFractalRowBytes + block % 2 * width,
            alone ? width : kFractalRowBytes, elements};
  }
  return {block * stride * kFractalRowBytes, width * element, elements};
}

inline uint32_t FixpipeWidth(const abi::Instruction& instruction) {
  return instruction.fixpipe.channel_split != 0 ? kResultSide / 2 : kResultSide;
}

// Calls f(FixpipePiece) for all there are.
template <typename F>
void ForEachPiece(const abi::Instruction& instruction, F f) {
  const abi::Fixpipe& fixpipe = instruction.fixpipe;
  const uint32_t width = FixpipeWidth(instruction);
  const uint64_t element = BytesOf(instruction.dst.dtype);
  const uint64_t blocks = CeilDivide(fixpipe.n, width);
  for (uint64_t matrix = 0; matrix < fixpipe.matrices; ++matrix) {
    for (uint64_t block = 0; block < blocks; ++block) {
      const FixpipeColumn column = FixpipeColumnAt(instruction, block, width);
      const uint64_t columns = block * width;
      FixpipePiece piece{
          matrix * fixpipe.source_matrix_stride * kResultBytes +
              columns / kResultSide * fixpipe.source_stride * kResultRowBytes +
              columns % kResultSide * sizeof(float),
          matrix * fixpipe.destination_matrix_stride * element + column.offset,
          column.elements, static_cast<uint32_t>(columns)};
      for (uint64_t row = 0; row < fixpipe.m; ++row) {
        f(piece);
        piece.source += kResultRowBytes;
        piece.destination += column.row_step;
      }
    }
  }
}

}  // namespace belay::npu

#endif  // BELAY_NPU_CUBE_FIXPIPE_H_
