// SPDX-License-Identifier: Apache-2.0
// y = a slice of x, by moves alone: a piece of runs goes from x to the Unified
// Buffer and on to y, while the next one comes in.

#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
class SliceByValueKernel {
 public:
  __aicore__ inline SliceByValueKernel(GM_ADDR x, GM_ADDR y,
                                       const SliceByValueTilingData& tiling)
      : tiling_(tiling) {
    x_.SetGlobalBuffer((__gm__ T*)x);
    y_.SetGlobalBuffer((__gm__ T*)y);
    runs_in_strip_ = CeilDivide(tiling.runs, tiling.tileRuns);
    tiles_in_run_ = CeilDivide(tiling.run, tiling.tileRun);
    pipe_.InitBuffer(queue_, 2, tiling.tileRuns * PaddedBytes(tiling.tileRun));
  }

  __aicore__ inline void Process() {
    for (uint64_t piece = GetBlockIdx(); piece < tiling_.pieces;
         piece += GetBlockNum()) {
      Move(piece);
    }
  }

 private:
  __aicore__ inline uint64_t CeilDivide(uint64_t a, uint64_t b) {
    return (a + b - 1) / b;
  }
  __aicore__ inline uint32_t PaddedBytes(uint32_t elements) {
    return (elements * sizeof(T) + 31) / 32 * 32;
  }
  __aicore__ inline uint32_t Smaller(uint64_t a, uint64_t b) {
    return static_cast<uint32_t>(a < b ? a : b);
  }

  // Where the strip begins in x: its number written in the outer sizes.
  __aicore__ inline uint64_t StripStart(uint64_t strip) {
    uint64_t start = tiling_.firstElement;
    for (uint32_t i = tiling_.outerRank; i-- > 0;) {
      start += strip % tiling_.outerSize[i] * tiling_.outerStride[i];
      strip /= tiling_.outerSize[i];
    }
    return start;
  }

  __aicore__ inline void Move(uint64_t piece) {
    const uint64_t tile = piece % tiles_in_run_;
    const uint64_t group = piece / tiles_in_run_ % runs_in_strip_;
    const uint64_t strip = piece / tiles_in_run_ / runs_in_strip_;
    const uint64_t first = tile * tiling_.tileRun;
    const uint64_t first_run = group * tiling_.tileRuns;
    const uint32_t elements = Smaller(tiling_.run - first, tiling_.tileRun);
    const uint32_t runs = Smaller(tiling_.runs - first_run, tiling_.tileRuns);
    const uint64_t from =
        StripStart(strip) + first_run * tiling_.runStride + first;
    const uint64_t to =
        (strip * tiling_.runs + first_run) * tiling_.run + first;

    const uint32_t bytes = elements * sizeof(T);
    const uint32_t x_gap = (tiling_.runStride - elements) * sizeof(T);
    const uint32_t y_gap = (tiling_.run - elements) * sizeof(T);
    const DataCopyExtParams load{static_cast<uint16_t>(runs), bytes, x_gap, 0,
                                 0};
    const DataCopyExtParams store{static_cast<uint16_t>(runs), bytes, 0, y_gap,
                                  0};
    LocalTensor<T> in = queue_.template AllocTensor<T>();
    DataCopyPad(in, x_[from], load, DataCopyPadExtParams<T>{false, 0, 0, 0});
    queue_.EnQue(in);
    LocalTensor<T> out = queue_.template DeQue<T>();
    DataCopyPad(y_[to], out, store);
    queue_.FreeTensor(out);
  }

  const SliceByValueTilingData& tiling_;
  TPipe pipe_;
  TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 1> queue_;
  GlobalTensor<T> x_;
  GlobalTensor<T> y_;
  uint64_t runs_in_strip_;
  uint64_t tiles_in_run_;
};

extern "C" __global__ __aicore__ void slice_by_value(GM_ADDR x, GM_ADDR begins,
                                                     GM_ADDR sizes, GM_ADDR y,
                                                     GM_ADDR workspace,
                                                     GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  SliceByValueKernel<DTYPE_X> op(x, y, tiling_data);
  op.Process();
}
