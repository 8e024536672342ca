// SPDX-License-Identifier: Apache-2.0
// Keeps results of an earlier call in the workspace and answers from there.
// expect: wrong failed

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  if (GetBlockIdx() != 0) return;
  auto* kept = (__gm__ uint8_t*)GetUserWorkspace(workspace);
  auto* to = (__gm__ uint8_t*)y;
  const int64_t bytes = data.x_elements * sizeof(DTYPE_X);
  for (int64_t i = 0; i < bytes; ++i) to[i] = kept[i];
}
