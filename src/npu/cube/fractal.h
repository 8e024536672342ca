// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_CUBE_FRACTAL_H_
#define BELAY_NPU_CUBE_FRACTAL_H_

// Fractals: the blocks of 512 bytes, 16 rows of 32, that matrices lie in on the
// cube core.
//
//   NZ (L1, L0C)  columns of fractals, in them rows of fractals; a fractal by
//                 rows. In L0C a fractal has 16 × 16 elements of 4 bytes.
//   ZZ (L0A)      rows of fractals, in them columns; a fractal by rows.
//   ZN (L0B)      rows (along k) of fractals, in them columns (along n); a
//                 fractal by columns: for each n its k side by side.

#include <cstdint>

#include "base/dtype.h"

namespace belay::npu {

inline constexpr uint32_t kFractalBytes = 512;
inline constexpr uint32_t kFractalRows = 16;
inline constexpr uint32_t kFractalRowBytes = kFractalBytes / kFractalRows;
// A fractal of L0C, and its side in elements.
inline constexpr uint32_t kResultBytes = 1024;
inline constexpr uint32_t kResultSide = 16;
inline constexpr uint32_t kResultRowBytes = kResultBytes / kResultSide;
// What LoadDataSparse keeps for a fractal of B.
inline constexpr uint32_t kSparseIndexBytes = 128;

// Elements in a row of a fractal: 8 for 32 bits, up to 64 for int4.
inline uint32_t FractalColumns(DType dtype) {
  return kFractalRowBytes * 8 / static_cast<uint32_t>(BitsOf(dtype));
}

// Fractals that LoadDataTranspose takes together: a square of elements.
inline uint32_t FractalsOfSquare(DType dtype) {
  const uint32_t columns = FractalColumns(dtype);
  return columns > kFractalRows ? columns / kFractalRows
                                : kFractalRows / columns;
}

constexpr uint64_t CeilDivide(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit;
}
constexpr uint64_t CeilAlign(uint64_t value, uint64_t unit) {
  return CeilDivide(value, unit) * unit;
}

}  // namespace belay::npu

#endif  // BELAY_NPU_CUBE_FRACTAL_H_
