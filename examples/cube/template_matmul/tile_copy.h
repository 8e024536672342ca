// SPDX-License-Identifier: Apache-2.0
#ifndef TEMPLATE_MATMUL_TILE_COPY_H_
#define TEMPLATE_MATMUL_TILE_COPY_H_

// The lowest layer: matrices in global memory, and how a tile of one gets from
// there through L1 to L0A or L0B, whichever way the matrix lies.

#include "kernel_operator.h"

namespace template_matmul {

constexpr uint32_t kSide = 16;      // of a fractal of 16-bit elements
constexpr uint32_t kFractal = 256;  // elements of one

__aicore__ inline constexpr uint32_t CeilDiv(uint32_t x, uint32_t y) {
  return (x + y - 1) / y;
}
__aicore__ inline constexpr uint32_t RoundUp(uint32_t x, uint32_t y) {
  return CeilDiv(x, y) * y;
}
__aicore__ inline constexpr uint32_t Least(uint32_t x, uint32_t y) {
  return x < y ? x : y;
}

// Where element (row, column) lies; `stride` elements from line to line.
struct RowMajor {
  static constexpr bool kIsRowMajor = true;
  uint32_t stride;
  __aicore__ inline uint64_t Offset(uint32_t row, uint32_t column) const {
    return (uint64_t)row * stride + column;
  }
};
struct ColumnMajor {
  static constexpr bool kIsRowMajor = false;
  uint32_t stride;
  __aicore__ inline uint64_t Offset(uint32_t row, uint32_t column) const {
    return (uint64_t)column * stride + row;
  }
};

// rows × columns elements at `tile` to L1: NZ of the matrix or, column-major,
// of its transpose.
template <typename Element, typename Layout>
__aicore__ inline void CopyToL1(const AscendC::LocalTensor<Element>& l1,
                                const AscendC::GlobalTensor<Element>& tile,
                                const Layout& layout, uint32_t rows,
                                uint32_t columns) {
  const uint32_t lines = Layout::kIsRowMajor ? rows : columns;
  AscendC::Nd2NzParams params;
  params.ndNum = 1;
  params.nValue = lines;
  params.dValue = Layout::kIsRowMajor ? columns : rows;
  params.srcDValue = layout.stride;
  params.dstNzC0Stride = RoundUp(lines, kSide);
  params.dstNzNStride = 1;
  AscendC::DataCopy(l1, tile, params);
}

// m × k elements of A from depth `depth` on, out of a tile of L1 that is
// `l1_m` × `l1_k`, to rows of fractals (ZZ).
template <typename Layout, typename Element>
__aicore__ inline void CopyToL0A(const AscendC::LocalTensor<Element>& l0a,
                                 const AscendC::LocalTensor<Element>& l1,
                                 uint32_t m, uint32_t k, uint32_t depth,
                                 uint32_t l1_k) {
  const uint32_t rows = CeilDiv(m, kSide);
  const uint32_t columns = CeilDiv(k, kSide);
  AscendC::LoadData2DParams params;
  params.repeatTimes = columns;
  params.srcStride = Layout::kIsRowMajor ? rows : 1;
  params.ifTranspose = !Layout::kIsRowMajor;
  const uint32_t first = depth / kSide;
  for (uint32_t i = 0; i < rows; ++i) {
    const uint32_t from = Layout::kIsRowMajor
                              ? first * rows + i
                              : i * CeilDiv(l1_k, kSide) + first;
    AscendC::LoadData(l0a[i * columns * kFractal], l1[from * kFractal], params);
  }
}

// k × n elements of B, to rows of transposed fractals (ZN).
template <typename Layout, typename Element>
__aicore__ inline void CopyToL0B(const AscendC::LocalTensor<Element>& l0b,
                                 const AscendC::LocalTensor<Element>& l1,
                                 uint32_t n, uint32_t k, uint32_t depth,
                                 uint32_t l1_k) {
  const uint32_t rows = CeilDiv(k, kSide);
  const uint32_t columns = CeilDiv(n, kSide);
  AscendC::LoadData2DParams params;
  params.repeatTimes = columns;
  params.srcStride = Layout::kIsRowMajor ? CeilDiv(l1_k, kSide) : 1;
  params.ifTranspose = Layout::kIsRowMajor;
  const uint32_t first = depth / kSide;
  for (uint32_t i = 0; i < rows; ++i) {
    const uint32_t from =
        Layout::kIsRowMajor ? first + i : (first + i) * columns;
    AscendC::LoadData(l0b[i * columns * kFractal], l1[from * kFractal], params);
  }
}

// m × n sums of L0C to lines of `stride` elements in global memory.
__aicore__ inline void CopyOutOfL0C(const AscendC::GlobalTensor<float>& to,
                                    const AscendC::LocalTensor<float>& l0c,
                                    uint32_t m, uint32_t n, uint32_t stride) {
  AscendC::FixpipeParamsV220 params;
  params.nSize = n;
  params.mSize = m;
  params.srcStride = RoundUp(m, kSide);
  params.dstStride = stride;
  AscendC::Fixpipe(to, l0c, params);
}

}  // namespace template_matmul

#endif  // TEMPLATE_MATMUL_TILE_COPY_H_
