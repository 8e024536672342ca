// SPDX-License-Identifier: Apache-2.0
// The work, done honestly: y = √x for every dtype of the task. Cheats that need
// some right answers include this; the test puts the text in its place.

#include "share.h"

class HonestSqrt {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, int64_t elements) {
    x_.SetGlobalBuffer((__gm__ DTYPE_X*)x, elements);
    y_.SetGlobalBuffer((__gm__ DTYPE_X*)y, elements);
    share_ = ShareOf(elements);
    pipe_.InitBuffer(in_, 2, kTile * sizeof(DTYPE_X));
    pipe_.InitBuffer(out_, 2, kTile * sizeof(DTYPE_X));
    pipe_.InitBuffer(wide_, kTile * sizeof(float));
  }

  __aicore__ inline void Process() {
    for (int64_t at = share_.begin; at < share_.end; at += kTile) {
      const int64_t left = share_.end - at;
      Tile(at, left < kTile ? left : kTile);
    }
  }

 private:
  static constexpr int64_t kTile = 4096;

  __aicore__ inline void Tile(int64_t at, int64_t count) {
    const DataCopyExtParams copy{
        1, static_cast<uint32_t>(count * sizeof(DTYPE_X)), 0, 0, 0};
    LocalTensor<DTYPE_X> in = in_.AllocTensor<DTYPE_X>();
    DataCopyPad(in, x_[at], copy,
                DataCopyPadExtParams<DTYPE_X>{false, 0, 0, 0});
    in_.EnQue(in);
    in = in_.DeQue<DTYPE_X>();
    LocalTensor<DTYPE_X> out = out_.AllocTensor<DTYPE_X>();
    if constexpr (sizeof(DTYPE_X) == 4) {
      Sqrt(out, in, count);
    } else {
      LocalTensor<float> wide = wide_.Get<float>();
      Cast(wide, in, RoundMode::CAST_NONE, count);
      PipeBarrier<PIPE_V>();
      Sqrt(wide, wide, count);
      PipeBarrier<PIPE_V>();
      Cast(out, wide, RoundMode::CAST_RINT, count);
    }
    out_.EnQue(out);
    in_.FreeTensor(in);
    out = out_.DeQue<DTYPE_X>();
    DataCopyPad(y_[at], out, copy);
    out_.FreeTensor(out);
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, 2> in_;
  TQue<QuePosition::VECOUT, 2> out_;
  TBuf<QuePosition::VECCALC> wide_;
  GlobalTensor<DTYPE_X> x_;
  GlobalTensor<DTYPE_X> y_;
  Share share_;
};
