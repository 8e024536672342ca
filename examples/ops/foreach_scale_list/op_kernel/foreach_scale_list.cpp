// SPDX-License-Identifier: Apache-2.0
// y[i] = scale * x[i] over a list of tensors. Types of 16 bits are multiplied
// in float.

#include "kernel_operator.h"

using namespace AscendC;

constexpr int32_t kBuffers = 2;

template <typename T, typename Scalar>
class ForeachScaleListKernel {
 public:
  __aicore__ inline ForeachScaleListKernel(
      GM_ADDR x, GM_ADDR scale, GM_ADDR y,
      const ForeachScaleListTilingData* tiling, TPipe* pipe)
      : tiling_(tiling), inputs_((__gm__ void*)x), outputs_((__gm__ void*)y) {
    GlobalTensor<Scalar> scale_gm;
    scale_gm.SetGlobalBuffer((__gm__ Scalar*)scale, 1);
    scale_ = scale_gm.GetValue(0);
    const uint32_t tile = tiling->tileElements;
    pipe->InitBuffer(in_, kBuffers, tile * sizeof(T));
    pipe->InitBuffer(out_, kBuffers, tile * sizeof(T));
    if constexpr (kIsNarrow) pipe->InitBuffer(wide_, tile * sizeof(float));
  }

  __aicore__ inline void Process() {
    const int64_t core = GetBlockIdx();
    const uint32_t first = tiling_->firstTensor[core];
    const uint32_t last = tiling_->lastTensor[core];
    for (uint32_t tensor = first; tensor <= last; ++tensor) {
      const int64_t begin = tensor == first ? tiling_->firstElement[core] : 0;
      const int64_t end = tensor == last ? tiling_->endElement[core]
                                         : tiling_->elements[tensor];
      ScalePart(tensor, begin, end);
    }
  }

 private:
  static constexpr bool kIsNarrow = sizeof(T) == 2;

  __aicore__ inline void ScalePart(uint32_t tensor, int64_t begin,
                                   int64_t end) {
    if (begin >= end) return;
    x_.SetGlobalBuffer(inputs_.GetDataPtr<__gm__ T>(tensor));
    y_.SetGlobalBuffer(outputs_.GetDataPtr<__gm__ T>(tensor));
    for (int64_t at = begin; at < end; at += tiling_->tileElements) {
      const int64_t left = end - at;
      const uint32_t count = left < tiling_->tileElements
                                 ? static_cast<uint32_t>(left)
                                 : tiling_->tileElements;
      Load(at, count);
      Scale(count);
      Store(at, count);
    }
  }

  __aicore__ inline DataCopyExtParams Run(uint32_t count) {
    return {1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0};
  }

  __aicore__ inline void Load(int64_t at, uint32_t count) {
    LocalTensor<T> x = in_.template AllocTensor<T>();
    DataCopyPadExtParams<T> padding;
    padding.isPad = false;
    DataCopyPad(x, x_[at], Run(count), padding);
    in_.EnQue(x);
  }

  __aicore__ inline void Scale(uint32_t count) {
    LocalTensor<T> x = in_.template DeQue<T>();
    LocalTensor<T> y = out_.template AllocTensor<T>();
    if constexpr (kIsNarrow) {
      LocalTensor<float> wide = wide_.Get<float>();
      Cast(wide, x, RoundMode::CAST_NONE, count);
      Muls(wide, wide, scale_, count);
      Cast(y, wide, RoundMode::CAST_RINT, count);
    } else {
      Muls(y, x, scale_, count);
    }
    out_.EnQue(y);
    in_.FreeTensor(x);
  }

  __aicore__ inline void Store(int64_t at, uint32_t count) {
    LocalTensor<T> y = out_.template DeQue<T>();
    DataCopyPad(y_[at], y, Run(count));
    out_.FreeTensor(y);
  }

  const ForeachScaleListTilingData* tiling_;
  ListTensorDesc inputs_;
  ListTensorDesc outputs_;
  GlobalTensor<T> x_;
  GlobalTensor<T> y_;
  TQue<QuePosition::VECIN, 1> in_;
  TQue<QuePosition::VECOUT, 1> out_;
  TBuf<QuePosition::VECCALC> wide_;
  Scalar scale_;
};

extern "C" __global__ __aicore__ void foreach_scale_list(
    GM_ADDR x, GM_ADDR scale, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  TPipe pipe;
  if (TILING_KEY_IS(0)) {
    ForeachScaleListKernel<DTYPE_X, DTYPE_SCALE> op(x, scale, y, &tiling_data,
                                                    &pipe);
    op.Process();
  }
}
