// SPDX-License-Identifier: Apache-2.0
// LayerNorm over rows: a row that fits the Unified Buffer is read once (key 1),
// a longer one three times in tiles (key 2). All sums are in float.

#include "layer_norm_rows.h"
#include "layer_norm_tiled.h"

extern "C" __global__ __aicore__ void layer_norm(GM_ADDR x, GM_ADDR gamma,
                                                 GM_ADDR bias, GM_ADDR y,
                                                 GM_ADDR mean, GM_ADDR rstd,
                                                 GM_ADDR workspace,
                                                 GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  TPipe pipe;
  if (TILING_KEY_IS(1)) {
    LayerNormRows<DTYPE_X> op;
    op.Init(x, gamma, bias, y, mean, rstd, &tiling_data, &pipe);
    op.Process();
  } else if (TILING_KEY_IS(2)) {
    LayerNormTiled<DTYPE_X> op;
    op.Init(x, gamma, bias, y, mean, rstd, &tiling_data, &pipe);
    op.Process();
  }
}
