// SPDX-License-Identifier: Apache-2.0
#ifndef TEMPLATE_MATMUL_BLOCK_MMAD_H_
#define TEMPLATE_MATMUL_BLOCK_MMAD_H_

// The middle layer: the product of one tile of C on one cube core, two buffers
// a stage at fixed places, ordered by flags; and in which order tiles are
// taken.

#include "tile_copy.h"

namespace template_matmul {

template <uint32_t m, uint32_t n, uint32_t l1_k, uint32_t l0_k>
struct TileShape {
  static constexpr uint32_t kM = m;
  static constexpr uint32_t kN = n;
  static constexpr uint32_t kL1K = l1_k;
  static constexpr uint32_t kL0K = l0_k;
  static_assert(m % 16 == 0 && n % 16 == 0 && l0_k % 16 == 0 &&
                    l1_k % l0_k == 0,
                "tiles are made of whole fractals, L1 of whole tiles of L0");
};

// Strips of `width` rows of tiles, each column by column; every other strip
// from right to left, so that neighbours in time share operands in L2.
template <uint32_t width>
struct Serpentine {
  uint32_t rows;
  uint32_t columns;

  __aicore__ inline void TileOf(uint32_t index, uint32_t& row,
                                uint32_t& column) const {
    const uint32_t strip = index / (width * columns);
    const uint32_t first = strip * width;
    const uint32_t height = Least(width, rows - first);
    const uint32_t inside = index - first * columns;
    row = first + inside % height;
    column = inside / height;
    if (strip % 2 == 1) column = columns - 1 - column;
  }
};

template <typename Shape_, typename Element_, typename LayoutA_,
          typename LayoutB_>
class BlockMmad {
 public:
  using Shape = Shape_;
  using Element = Element_;
  using LayoutA = LayoutA_;
  using LayoutB = LayoutB_;

  // Every buffer is free at first.
  __aicore__ inline BlockMmad() {
    for (int32_t stage = 0; stage < 2; ++stage) {
      AscendC::SetFlag<AscendC::HardEvent::MTE1_MTE2>(stage);
      AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(stage);
      AscendC::SetFlag<AscendC::HardEvent::FIX_M>(stage);
    }
  }
  // No flag is left behind.
  __aicore__ inline ~BlockMmad() {
    for (int32_t stage = 0; stage < 2; ++stage) {
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_MTE2>(stage);
      AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(stage);
      AscendC::WaitFlag<AscendC::HardEvent::FIX_M>(stage);
    }
  }

  // The m × n tile at `c`, in lines of `stride` elements: k products each.
  __aicore__ inline void operator()(const AscendC::GlobalTensor<Element>& a,
                                    const LayoutA& layout_a,
                                    const AscendC::GlobalTensor<Element>& b,
                                    const LayoutB& layout_b,
                                    const AscendC::GlobalTensor<float>& c,
                                    uint32_t stride, uint32_t m, uint32_t n,
                                    uint32_t k) {
    AscendC::WaitFlag<AscendC::HardEvent::FIX_M>(l0c_stage_);
    for (uint32_t depth = 0; depth < k; depth += Shape::kL1K) {
      const uint32_t l1_k = Least(Shape::kL1K, k - depth);
      AscendC::WaitFlag<AscendC::HardEvent::MTE1_MTE2>(l1_stage_);
      CopyToL1(L1A(), a[layout_a.Offset(0, depth)], layout_a, m, l1_k);
      CopyToL1(L1B(), b[layout_b.Offset(depth, 0)], layout_b, l1_k, n);
      AscendC::SetFlag<AscendC::HardEvent::MTE2_MTE1>(l1_stage_);
      AscendC::WaitFlag<AscendC::HardEvent::MTE2_MTE1>(l1_stage_);
      for (uint32_t inner = 0; inner < l1_k; inner += Shape::kL0K) {
        Multiply(m, n, Least(Shape::kL0K, l1_k - inner), inner, l1_k,
                 depth + inner == 0);
      }
      AscendC::SetFlag<AscendC::HardEvent::MTE1_MTE2>(l1_stage_);
      l1_stage_ ^= 1;
    }
    AscendC::SetFlag<AscendC::HardEvent::M_FIX>(l0c_stage_);
    AscendC::WaitFlag<AscendC::HardEvent::M_FIX>(l0c_stage_);
    CopyOutOfL0C(c, L0C(), m, n, stride);
    AscendC::SetFlag<AscendC::HardEvent::FIX_M>(l0c_stage_);
    l0c_stage_ ^= 1;
  }

 private:
  static constexpr uint32_t kL1A = Shape::kM * Shape::kL1K * sizeof(Element);
  static constexpr uint32_t kL1B = Shape::kL1K * Shape::kN * sizeof(Element);
  static constexpr uint32_t kL0A = Shape::kM * Shape::kL0K * sizeof(Element);
  static constexpr uint32_t kL0B = Shape::kL0K * Shape::kN * sizeof(Element);
  static constexpr uint32_t kL0C = Shape::kM * Shape::kN * sizeof(float);

  __aicore__ inline AscendC::LocalTensor<Element> L1A() const {
    return {AscendC::TPosition::A1, l1_stage_ * kL1A, kL1A / 2};
  }
  __aicore__ inline AscendC::LocalTensor<Element> L1B() const {
    return {AscendC::TPosition::B1, 2 * kL1A + l1_stage_ * kL1B, kL1B / 2};
  }
  __aicore__ inline AscendC::LocalTensor<float> L0C() const {
    return {AscendC::TPosition::CO1, l0c_stage_ * kL0C, kL0C / 4};
  }

  __aicore__ inline void Multiply(uint32_t m, uint32_t n, uint32_t k,
                                  uint32_t inner, uint32_t l1_k,
                                  bool is_first) {
    const AscendC::LocalTensor<Element> l0a(AscendC::TPosition::A2,
                                            l0_stage_ * kL0A, kL0A / 2);
    const AscendC::LocalTensor<Element> l0b(AscendC::TPosition::B2,
                                            l0_stage_ * kL0B, kL0B / 2);
    AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>(l0_stage_);
    CopyToL0A<LayoutA>(l0a, L1A(), m, k, inner, l1_k);
    CopyToL0B<LayoutB>(l0b, L1B(), n, k, inner, l1_k);
    AscendC::SetFlag<AscendC::HardEvent::MTE1_M>(l0_stage_);
    AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>(l0_stage_);
    AscendC::MmadParams params;
    // One row alone would be read as a plain vector.
    params.m = m == 1 ? 2 : m;
    params.n = n;
    params.k = k;
    params.cmatrixInitVal = is_first;
    AscendC::Mmad(L0C(), l0a, l0b, params);
    // A small product does not wait for the sums of the one before.
    if (m / kSide * (n / kSide) < 10) {
      AscendC::PipeBarrier<PIPE_M>();
    }
    AscendC::SetFlag<AscendC::HardEvent::M_MTE1>(l0_stage_);
    l0_stage_ ^= 1;
  }

  uint32_t l1_stage_ = 0;
  uint32_t l0_stage_ = 0;
  uint32_t l0c_stage_ = 0;
};

}  // namespace template_matmul

#endif  // TEMPLATE_MATMUL_BLOCK_MMAD_H_
