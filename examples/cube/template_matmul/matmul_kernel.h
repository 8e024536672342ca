// SPDX-License-Identifier: Apache-2.0
#ifndef TEMPLATE_MATMUL_MATMUL_KERNEL_H_
#define TEMPLATE_MATMUL_MATMUL_KERNEL_H_

// The upper layer: all tiles of a product, on cube cores and on the vector
// cores beside them. Sums go through two tiles of workspace a block: the cube
// core fills one while its two vector cores finish the other.

#include "block_mmad.h"

namespace template_matmul {

// Where a problem lies. `workspace` holds two tiles of float for each block.
struct Problem {
  GM_ADDR a;
  GM_ADDR b;
  GM_ADDR bias;
  GM_ADDR out;
  GM_ADDR workspace;
  uint32_t m;
  uint32_t n;
  uint32_t k;
  float slope;
};

// out = leaky_relu(sums + bias, slope) in half, for lines of one tile.
template <uint32_t lines, uint32_t width>
class LeakyReluEpilogue {
 public:
  __aicore__ inline explicit LeakyReluEpilogue(const Problem& problem)
      : n_(problem.n), slope_(problem.slope) {
    bias_.SetGlobalBuffer((__gm__ float*)problem.bias, problem.n);
    out_.SetGlobalBuffer((__gm__ half*)problem.out,
                         (uint64_t)problem.m * problem.n);
    pipe_.InitBuffer(sums_, 2, lines * width * sizeof(float));
    pipe_.InitBuffer(row_, 2, width * sizeof(float));
    pipe_.InitBuffer(result_, 2, lines * width * sizeof(half));
  }

  // `m` × `n` sums at `tile`, in lines of `width`; the first stands for
  // (row, column) of the output.
  __aicore__ inline void Load(const AscendC::GlobalTensor<float>& tile,
                              uint32_t column, uint32_t m, uint32_t n) {
    const uint32_t bytes = n * sizeof(float);
    AscendC::LocalTensor<float> sums = sums_.AllocTensor<float>();
    AscendC::DataCopyExtParams params;
    params.blockCount = m;
    params.blockLen = bytes;
    params.srcStride = (width - n) * sizeof(float);
    params.dstStride = (width * sizeof(float) - RoundUp(bytes, 32)) / 32;
    const AscendC::DataCopyPadExtParams<float> no_padding{false, 0, 0, 0};
    AscendC::DataCopyPad(sums, tile, params, no_padding);
    sums_.EnQue(sums);

    AscendC::LocalTensor<float> row = row_.AllocTensor<float>();
    params.blockCount = 1;
    AscendC::DataCopyPad(row, bias_[column], params, no_padding);
    row_.EnQue(row);
  }

  __aicore__ inline void Finish(uint32_t row, uint32_t column, uint32_t m,
                                uint32_t n) {
    AscendC::LocalTensor<float> sums = sums_.DeQue<float>();
    AscendC::LocalTensor<float> bias = row_.DeQue<float>();
    AscendC::LocalTensor<half> result = result_.AllocTensor<half>();
    // The bias has no repeat stride: every line adds the same one.
    const AscendC::BinaryRepeatParams params(1, 1, 1, width / 8, width / 8, 0);
    for (uint32_t first = 0; first < n; first += 64) {
      AscendC::Add(sums[first], sums[first], bias[first],
                   (uint64_t)Least(64, n - first), m, params);
    }
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::LeakyRelu(sums, sums, slope_, m * width);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Cast(result, sums, AscendC::RoundMode::CAST_RINT, m * width);
    result_.EnQue(result);
    sums_.FreeTensor(sums);
    row_.FreeTensor(bias);
    Store(row, column, m, n);
  }

 private:
  __aicore__ inline void Store(uint32_t row, uint32_t column, uint32_t m,
                               uint32_t n) {
    const uint32_t bytes = n * sizeof(half);
    AscendC::LocalTensor<half> result = result_.DeQue<half>();
    AscendC::DataCopyExtParams params;
    params.blockCount = m;
    params.blockLen = bytes;
    params.srcStride = (width * sizeof(half) - RoundUp(bytes, 32)) / 32;
    params.dstStride = (n_ - n) * sizeof(half);
    AscendC::DataCopyPad(out_[(uint64_t)row * n_ + column], result, params);
    result_.FreeTensor(result);
  }

  AscendC::TPipe pipe_;
  AscendC::TQue<AscendC::TPosition::VECIN, 2> sums_;
  AscendC::TQue<AscendC::TPosition::VECIN, 2> row_;
  AscendC::TQue<AscendC::TPosition::VECOUT, 2> result_;
  AscendC::GlobalTensor<float> bias_;
  AscendC::GlobalTensor<half> out_;
  uint32_t n_;
  float slope_;
};

template <typename Mmad, typename Epilogue, typename Order>
class MatmulKernel {
 public:
  __aicore__ inline explicit MatmulKernel(const Problem& problem)
      : problem_(problem),
        order_{CeilDiv(problem.m, kM), CeilDiv(problem.n, kN)} {}

  __aicore__ inline void operator()() {
    if ASCEND_IS_AIC {
      Multiply();
    }
    if ASCEND_IS_AIV {
      Finish();
    }
  }

 private:
  using Element = typename Mmad::Element;
  static constexpr uint32_t kM = Mmad::Shape::kM;
  static constexpr uint32_t kN = Mmad::Shape::kN;
  // Flags between the cores of a block, one for each tile of workspace.
  static constexpr uint16_t kFilled = 0;
  static constexpr uint16_t kEmptied = 2;

  __aicore__ inline uint32_t Tiles() const {
    return order_.rows * order_.columns;
  }
  __aicore__ inline AscendC::GlobalTensor<float> Workspace(
      uint32_t block, uint32_t stage) const {
    AscendC::GlobalTensor<float> tile;
    tile.SetGlobalBuffer(
        (__gm__ float*)problem_.workspace + (block * 2 + stage) * kM * kN,
        kM * kN);
    return tile;
  }

  __aicore__ inline void Multiply() {
    const typename Mmad::LayoutA layout_a{
        Mmad::LayoutA::kIsRowMajor ? problem_.k : problem_.m};
    const typename Mmad::LayoutB layout_b{
        Mmad::LayoutB::kIsRowMajor ? problem_.n : problem_.k};
    AscendC::GlobalTensor<Element> a, b;
    a.SetGlobalBuffer((__gm__ Element*)problem_.a,
                      (uint64_t)problem_.m * problem_.k);
    b.SetGlobalBuffer((__gm__ Element*)problem_.b,
                      (uint64_t)problem_.k * problem_.n);
    Mmad mmad;
    const uint32_t block = AscendC::GetBlockIdx();
    uint32_t done = 0;
    for (uint32_t tile = block; tile < Tiles();
         tile += AscendC::GetBlockNum(), ++done) {
      uint32_t row, column;
      order_.TileOf(tile, row, column);
      const uint32_t stage = done % 2;
      if (done >= 2) AscendC::CrossCoreWaitFlag(kEmptied + stage);
      mmad(a[layout_a.Offset(row * kM, 0)], layout_a,
           b[layout_b.Offset(0, column * kN)], layout_b,
           Workspace(block, stage), kN, Least(kM, problem_.m - row * kM),
           Least(kN, problem_.n - column * kN), problem_.k);
      AscendC::CrossCoreSetFlag<2, PIPE_FIX>(kFilled + stage);
    }
    for (uint32_t left = done < 2 ? done : 2; left > 0; --left) {
      AscendC::CrossCoreWaitFlag(kEmptied + (done - left) % 2);
    }
  }

  // Each vector core takes one half of the lines of a tile.
  __aicore__ inline void Finish() {
    Epilogue epilogue(problem_);
    const uint32_t block = AscendC::GetBlockIdx() / 2;
    uint32_t done = 0;
    for (uint32_t tile = block; tile < Tiles();
         tile += AscendC::GetBlockNum(), ++done) {
      uint32_t row, column;
      order_.TileOf(tile, row, column);
      const uint32_t stage = done % 2;
      const uint32_t n = Least(kN, problem_.n - column * kN);
      const uint32_t m = Least(kM, problem_.m - row * kM);
      const uint32_t first = AscendC::GetSubBlockIdx() * (kM / 2);
      const uint32_t lines = m > first ? Least(kM / 2, m - first) : 0;
      AscendC::CrossCoreWaitFlag(kFilled + stage);
      if (lines > 0) {
        epilogue.Load(Workspace(block, stage)[first * kN], column * kN, lines,
                      n);
      }
      AscendC::CrossCoreSetFlag<2, PIPE_MTE2>(kEmptied + stage);
      if (lines > 0) {
        epilogue.Finish(row * kM + first, column * kN, lines, n);
      }
    }
  }

  Problem problem_;
  Order order_;
};

}  // namespace template_matmul

#endif  // TEMPLATE_MATMUL_MATMUL_KERNEL_H_
