// SPDX-License-Identifier: Apache-2.0
// y = x in another type. Pairs without a Cast instruction go through a third
// type: bfloat16 to half through float, int8 to float through half. Floating
// values become integers by truncation.

#include "cast_columns_tiling.h"
#include "kernel_operator.h"

using namespace AscendC;

#if ORIG_DTYPE_X == DT_BF16 && ORIG_DTYPE_Y == DT_FLOAT16
using Between = float;
#define HAS_BETWEEN 1
#elif ORIG_DTYPE_X == DT_INT8 && ORIG_DTYPE_Y == DT_FLOAT
using Between = half;
#define HAS_BETWEEN 1
#else
#define HAS_BETWEEN 0
#endif

template <typename From, typename To>
__aicore__ inline constexpr RoundMode ModeFor() {
  constexpr bool is_from_floating =
      IsSameType<From, half>::value || IsSameType<From, float>::value;
  constexpr bool is_to_integer =
      IsSameType<To, int8_t>::value || IsSameType<To, int32_t>::value;
  if (is_from_floating && is_to_integer) return RoundMode::CAST_TRUNC;
  if (IsSameType<From, float>::value) return RoundMode::CAST_RINT;
  if (IsSameType<From, int32_t>::value) return RoundMode::CAST_RINT;
  return RoundMode::CAST_NONE;
}

template <typename X, typename Y>
class CastColumnsKernel {
 public:
  __aicore__ inline CastColumnsKernel(GM_ADDR x, GM_ADDR y,
                                      const CastColumnsTilingData& tiling)
      : elements_(tiling.elements), tile_(tiling.tileElements) {
    x_.SetGlobalBuffer((__gm__ X*)x, elements_);
    y_.SetGlobalBuffer((__gm__ Y*)y, elements_);
    pipe_.InitBuffer(in_, 2, tile_ * sizeof(X));
    pipe_.InitBuffer(out_, 2, tile_ * sizeof(Y));
#if HAS_BETWEEN
    pipe_.InitBuffer(between_, tile_ * sizeof(Between));
#endif
  }

  __aicore__ inline void Process(uint32_t cores) {
    const uint64_t step = static_cast<uint64_t>(cores) * tile_;
    for (uint64_t at = GetBlockIdx() * static_cast<uint64_t>(tile_);
         at < elements_; at += step) {
      const uint64_t left = elements_ - at;
      const uint32_t count = left < tile_ ? left : tile_;
      Load(at, count);
      Convert(count);
      Store(at, count);
    }
  }

 private:
  __aicore__ inline void Load(uint64_t at, uint32_t count) {
    LocalTensor<X> x = in_.template AllocTensor<X>();
    const DataCopyExtParams run{1, static_cast<uint32_t>(count * sizeof(X)), 0,
                                0, 0};
    DataCopyPad(x, x_[at], run, DataCopyPadExtParams<X>{false, 0, 0, 0});
    in_.EnQue(x);
  }

  __aicore__ inline void Convert(uint32_t count) {
    LocalTensor<X> x = in_.template DeQue<X>();
    LocalTensor<Y> y = out_.template AllocTensor<Y>();
#if HAS_BETWEEN
    LocalTensor<Between> between = between_.Get<Between>();
    Cast(between, x, ModeFor<X, Between>(), count);
    Cast(y, between, ModeFor<Between, Y>(), count);
#else
    Cast(y, x, ModeFor<X, Y>(), count);
#endif
    out_.EnQue(y);
    in_.FreeTensor(x);
  }

  __aicore__ inline void Store(uint64_t at, uint32_t count) {
    LocalTensor<Y> y = out_.template DeQue<Y>();
    const DataCopyExtParams run{1, static_cast<uint32_t>(count * sizeof(Y)), 0,
                                0, 0};
    DataCopyPad(y_[at], y, run);
    out_.FreeTensor(y);
  }

  TPipe pipe_;
  GlobalTensor<X> x_;
  GlobalTensor<Y> y_;
  TQue<QuePosition::VECIN, 1> in_;
  TQue<QuePosition::VECOUT, 1> out_;
#if HAS_BETWEEN
  TBuf<QuePosition::VECCALC> between_;
#endif
  uint64_t elements_;
  uint32_t tile_;
};

extern "C" __global__ __aicore__ void cast_columns(GM_ADDR x, GM_ADDR y,
                                                   GM_ADDR workspace,
                                                   GM_ADDR tiling) {
  REGISTER_TILING_DEFAULT(CastColumnsTilingData);
  GET_TILING_DATA(tiling_data, tiling);
  CastColumnsKernel<DTYPE_X, DTYPE_Y> op(x, y, tiling_data);
  op.Process(tiling_data.cores);
}
