// SPDX-License-Identifier: Apache-2.0
// Knows the answer for one shape by heart, and does no other.
// expect: wrong failed

#include "honest.h"

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  if (data.x_elements != 1) return;
  HonestSqrt honest;
  honest.Init(x, y, 1);
  honest.Process();
}
