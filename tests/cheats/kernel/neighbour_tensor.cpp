// SPDX-License-Identifier: Apache-2.0
// Reads past the end of x into whatever lies behind.
// expect: failed

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  if (GetBlockIdx() != 0) return;
  GlobalTensor<DTYPE_X> from, to;
  from.SetGlobalBuffer((__gm__ DTYPE_X*)x);
  to.SetGlobalBuffer((__gm__ DTYPE_X*)y);
  TPipe pipe;
  TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 1> through;
  pipe.InitBuffer(through, 1, 65536);
  LocalTensor<DTYPE_X> tile = through.AllocTensor<DTYPE_X>();
  DataCopy(tile, from[data.x_elements], 32768);
  through.EnQue(tile);
  tile = through.DeQue<DTYPE_X>();
  DataCopy(to, tile, 32768);
  through.FreeTensor(tile);
}
