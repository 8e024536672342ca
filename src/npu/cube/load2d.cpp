// SPDX-License-Identifier: Apache-2.0
// LoadData2D, LoadDataTranspose, LoadDataSparse: whole fractals.

#include <cstring>

#include "npu/cube/cube.h"
#include "npu/cube/fractal.h"

namespace belay::npu {
namespace {

// A square of `side` elements by rows, its columns as rows of fractals.
// Elements of 4 bytes lie in two fractals side by side, those of 1 byte in two
// below each other, those of half a byte in four.
template <typename T>
void TransposeSquare(std::byte* to, uint64_t fractal_step,
                     const std::byte* from, uint32_t side) {
  constexpr uint32_t kColumns = kFractalRowBytes / sizeof(T);
  const auto source = [&](uint32_t row, uint32_t column) {
    return (column / kColumns * kFractalRows + row) * kColumns +
           column % kColumns;
  };
  for (uint32_t row = 0; row < side; ++row) {
    for (uint32_t column = 0; column < side; ++column) {
      const uint32_t fractal = row / kFractalRows + column / kColumns;
      std::memcpy(
          to + fractal * fractal_step +
              (row % kFractalRows * kColumns + column % kColumns) * sizeof(T),
          from + source(column, row) * sizeof(T), sizeof(T));
    }
  }
}

void TransposeInt4(std::byte* to, uint64_t fractal_step,
                   const std::byte* from) {
  constexpr uint32_t kSide = 64;
  const auto nibble = [&](uint32_t row, uint32_t column) {
    const auto pair =
        std::to_integer<uint32_t>(from[(row * kSide + column) / 2]);
    return column % 2 == 0 ? pair & 15u : pair >> 4;
  };
  for (uint32_t row = 0; row < kSide; ++row) {
    std::byte* line = to + row / kFractalRows * fractal_step +
                      row % kFractalRows * kFractalRowBytes;
    for (uint32_t column = 0; column < kSide; column += 2) {
      line[column / 2] = static_cast<std::byte>(nibble(column, row) |
                                                nibble(column + 1, row) << 4);
    }
  }
}

void CopySquare(DType dtype, std::byte* to, uint64_t fractal_step,
                const std::byte* from) {
  switch (BitsOf(dtype)) {
    case 4:
      return TransposeInt4(to, fractal_step, from);
    case 8:
      return TransposeSquare<uint8_t>(to, fractal_step, from, 32);
    case 16:
      return TransposeSquare<uint16_t>(to, fractal_step, from, 16);
    default:
      return TransposeSquare<uint32_t>(to, fractal_step, from, 16);
  }
}

}  // namespace

void ExecuteLoad2D(const abi::Instruction& instruction) {
  const abi::Load2D& load = instruction.load2d;
  const bool sparse = instruction.op == abi::Op::kLoadDataSparse;
  const bool squares = instruction.op == abi::Op::kLoadDataTranspose;
  const int64_t unit =
      kFractalBytes *
      (squares ? FractalsOfSquare(instruction.dst.dtype) : int64_t{1});
  const int64_t step = sparse ? 1
                              : (load.descending ? -int64_t{load.source_stride}
                                                 : load.source_stride);
  const uint64_t gap = sparse ? 0 : load.destination_gap;
  const auto* from =
      reinterpret_cast<const std::byte*>(instruction.src0.address);
  auto* to = reinterpret_cast<std::byte*>(instruction.dst.address);
  for (uint32_t repeat = 0; repeat < load.repeat; ++repeat) {
    const std::byte* source = from + (load.start + repeat * step) * unit;
    if (squares) {
      CopySquare(instruction.dst.dtype, to,
                 (uint64_t{load.fractal_gap} + 1) * kFractalBytes, source);
    } else if (load.transpose != 0 && !sparse) {
      TransposeSquare<uint16_t>(to, kFractalBytes, source, kFractalRows);
    } else {
      std::memcpy(to, source, kFractalBytes);
    }
    to += (gap + 1) * kFractalBytes;
  }
}

void KeepSparseIndices(const abi::Instruction& instruction,
                       const CubePlaces& places, CubeState& state) {
  const abi::Load2D& load = instruction.load2d;
  constexpr uint64_t kRatio = kFractalBytes / kSparseIndexBytes;
  state.sparse_indices.resize(places.l0b_bytes / kRatio);
  const uint64_t at = (instruction.dst.address - places.l0b) / kRatio;
  std::memcpy(state.sparse_indices.data() + at,
              reinterpret_cast<const std::byte*>(instruction.src1.address) +
                  uint64_t{load.start} * kSparseIndexBytes,
              uint64_t{load.repeat} * kSparseIndexBytes);
}

}  // namespace belay::npu
