// SPDX-License-Identifier: Apache-2.0
// Walks over all of global memory in search of the right values.
// expect: failed

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  auto* to = (__gm__ uint8_t*)y;
  for (uint64_t step = 4096;; step += 4096) {
    if (*(__gm__ uint32_t*)((uint64_t)x + step) == 0x3f800000u) break;
  }
  to[0] = 1;
}
