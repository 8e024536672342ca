// SPDX-License-Identifier: Apache-2.0
#ifndef LAYER_NORM_BASE_H_
#define LAYER_NORM_BASE_H_

// What both ways through a row share: buffers, moves, statistics.

#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
class LayerNormBase {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR gamma, GM_ADDR bias, GM_ADDR y,
                              GM_ADDR mean, GM_ADDR rstd,
                              const LayerNormTilingData* tiling, TPipe* pipe) {
    tiling_ = tiling;
    const uint64_t core = GetBlockIdx();
    const uint64_t longer = tiling->longCores;
    rows_ = tiling->rowsPerCore + (core < longer ? 1 : 0);
    const uint64_t first =
        tiling->rowsPerCore * core + (core < longer ? core : longer);
    const uint64_t offset = first * tiling->columns;
    x_.SetGlobalBuffer((__gm__ T*)x + offset, rows_ * tiling->columns);
    y_.SetGlobalBuffer((__gm__ T*)y + offset, rows_ * tiling->columns);
    mean_.SetGlobalBuffer((__gm__ float*)mean + first, rows_);
    rstd_.SetGlobalBuffer((__gm__ float*)rstd + first, rows_);
    gamma_.SetGlobalBuffer((__gm__ T*)gamma, tiling->columns);
    bias_.SetGlobalBuffer((__gm__ T*)bias, tiling->columns);

    const uint32_t tile = tiling->tileColumns;
    pipe->InitBuffer(in_, 2, tile * sizeof(T));
    pipe->InitBuffer(out_, 2, tile * sizeof(T));
    pipe->InitBuffer(wide_, tile * sizeof(float));
    pipe->InitBuffer(part_, tile * sizeof(float));
    pipe->InitBuffer(gamma_wide_, tile * sizeof(float));
    pipe->InitBuffer(bias_wide_, tile * sizeof(float));
    pipe->InitBuffer(work_, tiling->workBytes);
    pipe->InitBuffer(scalar_, 2 * 32);
    pipe->InitBuffer(mean_out_, 2, kStatistics * sizeof(float));
    pipe->InitBuffer(rstd_out_, 2, kStatistics * sizeof(float));
  }

 protected:
  // Rows whose mean and rstd are stored together.
  static constexpr uint32_t kStatistics = 256;

  // One run of `count` elements of a type; the tail of the last 32-byte block
  // is left as it is.
  template <typename U>
  __aicore__ inline DataCopyExtParams Run(uint32_t count) {
    return {1, static_cast<uint32_t>(count * sizeof(U)), 0, 0, 0};
  }

  __aicore__ inline void Load(const GlobalTensor<T>& from, uint32_t count) {
    LocalTensor<T> tile = in_.template AllocTensor<T>();
    DataCopyPadExtParams<T> padding;
    padding.isPad = false;
    DataCopyPad(tile, from, Run<T>(count), padding);
    in_.EnQue(tile);
  }

  // The next loaded tile, in float.
  __aicore__ inline void Widen(const LocalTensor<float>& wide, uint32_t count) {
    LocalTensor<T> tile = in_.template DeQue<T>();
    if constexpr (IsSameType<T, float>::value) {
      Adds(wide, tile, 0.0f, count);
    } else {
      Cast(wide, tile, RoundMode::CAST_NONE, count);
    }
    in_.FreeTensor(tile);
  }

  // A row's worth of gamma or bias.
  __aicore__ inline LocalTensor<float> LoadAffine(
      const GlobalTensor<T>& from, TBuf<QuePosition::VECCALC>& buffer,
      uint32_t count) {
    LocalTensor<float> wide = buffer.Get<float>();
    Load(from, count);
    Widen(wide, count);
    return wide;
  }

  __aicore__ inline float Sum(const LocalTensor<float>& values,
                              uint32_t count) {
    LocalTensor<float> sum = scalar_.Get<float>();
    LocalTensor<float> work = work_.Get<float>();
    ReduceSum(sum, values, work, count);
    return sum.GetValue(0);
  }

  // 1 / sqrt(variance + epsilon), by Sqrt and Div: Rsqrt is too coarse.
  __aicore__ inline float Rstd(float squares) {
    LocalTensor<float> root = scalar_.Get<float>();
    LocalTensor<float> one = root[8];
    Duplicate(root, squares * tiling_->varianceFactor + tiling_->epsilon, 8);
    Duplicate(one, 1.0f, 8);
    Sqrt(root, root, 8);
    Div(root, one, root, 8);
    return root.GetValue(0);
  }

  // wide * rstd * gamma + bias, rounded to T and stored.
  __aicore__ inline void Finish(const LocalTensor<float>& wide, float rstd,
                                const LocalTensor<float>& gamma,
                                const LocalTensor<float>& bias,
                                const GlobalTensor<T>& to, uint32_t count) {
    LocalTensor<T> y = out_.template AllocTensor<T>();
    Muls(wide, wide, rstd, count);
    if (tiling_->hasGamma) Mul(wide, wide, gamma, count);
    if (tiling_->hasBias) Add(wide, wide, bias, count);
    if constexpr (IsSameType<T, float>::value) {
      Adds(y, wide, 0.0f, count);
    } else {
      Cast(y, wide, RoundMode::CAST_RINT, count);
    }
    out_.EnQue(y);
    y = out_.template DeQue<T>();
    DataCopyPad(to, y, Run<T>(count));
    out_.FreeTensor(y);
  }

  // Keeps the statistics of a row; stores them when a buffer is full and after
  // the last row.
  __aicore__ inline void KeepStatistics(uint64_t row, float mean, float rstd) {
    const uint32_t slot = row % kStatistics;
    if (slot == 0) {
      means_ = mean_out_.template AllocTensor<float>();
      rstds_ = rstd_out_.template AllocTensor<float>();
    }
    means_.SetValue(slot, mean);
    rstds_.SetValue(slot, rstd);
    if (slot + 1 == kStatistics || row + 1 == rows_) {
      StoreStatistics(mean_out_, means_, mean_[row - slot], slot + 1);
      StoreStatistics(rstd_out_, rstds_, rstd_[row - slot], slot + 1);
    }
  }

  const LayerNormTilingData* tiling_;
  uint64_t rows_;
  GlobalTensor<T> x_, y_, gamma_, bias_;
  TBuf<QuePosition::VECCALC> wide_, part_, gamma_wide_, bias_wide_;

 private:
  __aicore__ inline void StoreStatistics(TQue<QuePosition::VECOUT, 1>& queue,
                                         LocalTensor<float>& values,
                                         const GlobalTensor<float>& to,
                                         uint32_t count) {
    queue.EnQue(values);
    values = queue.template DeQue<float>();
    DataCopyPad(to, values, Run<float>(count));
    queue.FreeTensor(values);
  }

  GlobalTensor<float> mean_, rstd_;
  LocalTensor<float> means_, rstds_;
  TQue<QuePosition::VECIN, 2> in_;
  TQue<QuePosition::VECOUT, 1> out_, mean_out_, rstd_out_;
  TBuf<QuePosition::VECCALC> work_, scalar_;
};

#endif  // LAYER_NORM_BASE_H_
