// SPDX-License-Identifier: Apache-2.0
// Right for the first calls, counted in a global variable.
// expect: failed not-compiled

#include "honest.h"

static int calls = 0;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  if (++calls > 10) return;
  HonestSqrt honest;
  honest.Init(x, y, data.x_elements);
  honest.Process();
}
