// SPDX-License-Identifier: Apache-2.0
// Computes f32 in f16: half the work, a thousand times the error.
// expect: wrong

#include "honest.h"

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  if constexpr (sizeof(DTYPE_X) == 2) {
    HonestSqrt honest;
    honest.Init(x, y, data.x_elements);
    honest.Process();
  } else if (GetBlockIdx() == 0) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x, data.x_elements);
    to.SetGlobalBuffer((__gm__ float*)y, data.x_elements);
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> in;
    TQue<QuePosition::VECOUT, 1> out;
    TBuf<QuePosition::VECCALC> narrow;
    pipe.InitBuffer(in, 1, 4096 * sizeof(float));
    pipe.InitBuffer(out, 1, 4096 * sizeof(float));
    pipe.InitBuffer(narrow, 4096 * sizeof(half));
    for (int64_t at = 0; at < data.x_elements; at += 4096) {
      const int64_t rest = data.x_elements - at;
      const uint32_t count = rest < 4096 ? rest : 4096;
      const DataCopyExtParams copy{
          1, static_cast<uint32_t>(count * sizeof(float)), 0, 0, 0};
      LocalTensor<float> a = in.AllocTensor<float>();
      DataCopyPad(a, from[at], copy,
                  DataCopyPadExtParams<float>{false, 0, 0, 0});
      in.EnQue(a);
      a = in.DeQue<float>();
      LocalTensor<half> h = narrow.Get<half>();
      LocalTensor<float> b = out.AllocTensor<float>();
      Cast(h, a, RoundMode::CAST_RINT, count);
      PipeBarrier<PIPE_V>();
      Sqrt(h, h, count);
      PipeBarrier<PIPE_V>();
      Cast(b, h, RoundMode::CAST_NONE, count);
      in.FreeTensor(a);
      out.EnQue(b);
      b = out.DeQue<float>();
      DataCopyPad(to[at], b, copy);
      out.FreeTensor(b);
    }
  }
}
