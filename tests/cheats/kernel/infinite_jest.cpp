// SPDX-License-Identifier: Apache-2.0
// Writes the input's infinities and leaves the rest, for tolerances that
// infinity swallows. expect: wrong failed

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  if (GetBlockIdx() != 0) return;
  auto* from = (__gm__ uint16_t*)x;
  auto* to = (__gm__ uint16_t*)y;
  for (int64_t i = 0; i < data.x_elements; ++i) to[i] = from[i] | 0x7f80;
}
