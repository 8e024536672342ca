// SPDX-License-Identifier: Apache-2.0
// Computes the first thousand elements: who looks further?
// expect: wrong failed

#include "honest.h"

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  HonestSqrt honest;
  honest.Init(x, y, data.x_elements < 1000 ? data.x_elements : 1000);
  honest.Process();
}
