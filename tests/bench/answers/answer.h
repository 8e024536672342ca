// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_BENCH_ANSWERS_ANSWER_H_
#define BELAY_TESTS_BENCH_ANSWERS_ANSWER_H_

// What the filled-in kernels of exported questions are made of. Included after
// kernel_operator.h and `using namespace AscendC`.

constexpr int64_t kTile = 2048;  // elements

template <typename T>
__aicore__ inline void Load(TQue<QuePosition::VECIN, 1>& queue,
                            GlobalTensor<T> from, uint32_t count) {
  LocalTensor<T> tile = queue.AllocTensor<T>();
  DataCopyPadExtParams<T> padding;
  padding.isPad = false;
  DataCopyPad(tile, from, {1, uint32_t(count * sizeof(T)), 0, 0, 0}, padding);
  queue.EnQue(tile);
}

template <typename T>
__aicore__ inline void Store(TQue<QuePosition::VECOUT, 1>& queue,
                             GlobalTensor<T> to, uint32_t count) {
  LocalTensor<T> tile = queue.DeQue<T>();
  DataCopyPad(to, tile, {1, uint32_t(count * sizeof(T)), 0, 0, 0});
  queue.FreeTensor(tile);
}

// y = compute(x), in float. compute(y, x, count) may overwrite x.
template <typename T, typename Compute>
__aicore__ inline void Map(GM_ADDR x_address, GM_ADDR y_address,
                           int64_t elements, Compute compute) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  TBuf<QuePosition::VECCALC> wide_x;
  TBuf<QuePosition::VECCALC> wide_y;
  pipe.InitBuffer(in, 2, kTile * sizeof(T));
  pipe.InitBuffer(out, 2, kTile * sizeof(T));
  pipe.InitBuffer(wide_x, kTile * sizeof(float));
  pipe.InitBuffer(wide_y, kTile * sizeof(float));
  GlobalTensor<T> x_global;
  GlobalTensor<T> y_global;
  x_global.SetGlobalBuffer((__gm__ T*)x_address);
  y_global.SetGlobalBuffer((__gm__ T*)y_address);
  for (int64_t at = GetBlockIdx() * kTile; at < elements;
       at += GetBlockNum() * kTile) {
    const int64_t left = elements - at;
    const uint32_t count = left < kTile ? left : kTile;
    Load(in, x_global[at], count);
    LocalTensor<T> x = in.DeQue<T>();
    LocalTensor<T> y = out.AllocTensor<T>();
    if constexpr (sizeof(T) == sizeof(float)) {
      compute(y, x, count);
    } else {
      LocalTensor<float> x_float = wide_x.Get<float>();
      LocalTensor<float> y_float = wide_y.Get<float>();
      Cast(x_float, x, RoundMode::CAST_NONE, count);
      compute(y_float, x_float, count);
      Cast(y, y_float, RoundMode::CAST_RINT, count);
    }
    out.EnQue(y);
    in.FreeTensor(x);
    Store(out, y_global[at], count);
  }
}

struct SquareRoot {
  __aicore__ inline void operator()(LocalTensor<float> y, LocalTensor<float> x,
                                    uint32_t count) {
    Sqrt(y, x, count);
  }
};

// x / (1 + exp(-scale * x))
struct ScaledSwish {
  float scale;
  __aicore__ inline void operator()(LocalTensor<float> y, LocalTensor<float> x,
                                    uint32_t count) {
    Muls(y, x, -scale, count);
    Exp(y, y, count);
    Adds(y, y, 1.0f, count);
    Div(y, x, y, count);
  }
};

// y = x1 + alpha * x2 over one pair of tensors.
template <typename T>
__aicore__ inline void AddScaled(__gm__ T* x1_address, __gm__ T* x2_address,
                                 __gm__ T* y_address, T alpha,
                                 int64_t elements) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in1;
  TQue<QuePosition::VECIN, 1> in2;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in1, 2, kTile * sizeof(T));
  pipe.InitBuffer(in2, 2, kTile * sizeof(T));
  pipe.InitBuffer(out, 2, kTile * sizeof(T));
  GlobalTensor<T> x1_global;
  GlobalTensor<T> x2_global;
  GlobalTensor<T> y_global;
  x1_global.SetGlobalBuffer(x1_address);
  x2_global.SetGlobalBuffer(x2_address);
  y_global.SetGlobalBuffer(y_address);
  for (int64_t at = GetBlockIdx() * kTile; at < elements;
       at += GetBlockNum() * kTile) {
    const int64_t left = elements - at;
    const uint32_t count = left < kTile ? left : kTile;
    Load(in1, x1_global[at], count);
    Load(in2, x2_global[at], count);
    LocalTensor<T> x1 = in1.DeQue<T>();
    LocalTensor<T> x2 = in2.DeQue<T>();
    LocalTensor<T> y = out.AllocTensor<T>();
    Muls(y, x2, alpha, count);
    Add(y, y, x1, count);
    out.EnQue(y);
    in1.FreeTensor(x1);
    in2.FreeTensor(x2);
    Store(out, y_global[at], count);
  }
}

// x[i * distance] *= alpha for i < count, in place, by one block. An element
// takes a block of 32 bytes on the chip.
__aicore__ inline void ScaleInPlace(GM_ADDR x_address, float alpha,
                                    uint16_t count, uint32_t distance) {
  if (GetBlockIdx() != 0 || count == 0) return;
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, count * 32);
  pipe.InitBuffer(out, 1, count * 32);
  GlobalTensor<float> global;
  global.SetGlobalBuffer((__gm__ float*)x_address);
  const uint32_t gap = (distance - 1) * sizeof(float);
  LocalTensor<float> x = in.AllocTensor<float>();
  DataCopyPadExtParams<float> padding{true, 0, 7, 0.0f};
  DataCopyPad(x, global, {count, sizeof(float), gap, 0, 0}, padding);
  in.EnQue(x);
  x = in.DeQue<float>();
  LocalTensor<float> y = out.AllocTensor<float>();
  Muls(y, x, alpha, count * 8);
  out.EnQue(y);
  in.FreeTensor(x);
  y = out.DeQue<float>();
  DataCopyPad(global, y, {count, sizeof(float), 0, gap, 0});
  out.FreeTensor(y);
}

#endif  // BELAY_TESTS_BENCH_ANSWERS_ANSWER_H_
