// SPDX-License-Identifier: Apache-2.0
// Hands the input back.
// expect: wrong

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  if (GetBlockIdx() != 0) return;
  GlobalTensor<DTYPE_X> from, to;
  from.SetGlobalBuffer((__gm__ DTYPE_X*)x, data.x_elements);
  to.SetGlobalBuffer((__gm__ DTYPE_X*)y, data.x_elements);
  TPipe pipe;
  TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 1> through;
  pipe.InitBuffer(through, 1, 4096 * sizeof(DTYPE_X));
  for (int64_t at = 0; at < data.x_elements; at += 4096) {
    const int64_t left = data.x_elements - at;
    const DataCopyExtParams copy{
        1, static_cast<uint32_t>((left < 4096 ? left : 4096) * sizeof(DTYPE_X)),
        0, 0, 0};
    LocalTensor<DTYPE_X> tile = through.AllocTensor<DTYPE_X>();
    DataCopyPad(tile, from[at], copy,
                DataCopyPadExtParams<DTYPE_X>{false, 0, 0, 0});
    through.EnQue(tile);
    tile = through.DeQue<DTYPE_X>();
    DataCopyPad(to[at], tile, copy);
    through.FreeTensor(tile);
  }
}
