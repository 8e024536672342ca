// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_CUBE_FLAT_MMAD_H_
#define BELAY_NPU_CUBE_FLAT_MMAD_H_

// The inner part of Mmad: one column of fractals of C, 16 wide.

#include <cstddef>
#include <cstdint>

namespace belay::npu {

// A in ZZ as elements of C's type: element (row, k) lies at
//   row / 16 * row_step + k / columns * 16 * columns + row % 16 * columns
//     + k % columns.
struct FlatLeft {
  const void* elements;
  size_t columns;
  size_t row_step;
};

// c[row][j] += Σ a[row][k] · b[k][j] for j < 16, k ascending, each product
// rounded and added by itself. `b` and `c` are rows of 16 elements.
using FlatMmad = void (*)(void* c, const FlatLeft& a, const void* b,
                          size_t rows, size_t k);

struct FlatMmadTable {
  FlatMmad rounded = nullptr;   // float
  FlatMmad exact = nullptr;     // float whose products all are exact
  FlatMmad integers = nullptr;  // int32, wrapping
};

}  // namespace belay::npu

#endif  // BELAY_NPU_CUBE_FLAT_MMAD_H_
