// SPDX-License-Identifier: Apache-2.0
// Loops for ever.
// expect: failed

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  volatile int64_t n = 1;
  while (n != 0) n = n | 1;
}
