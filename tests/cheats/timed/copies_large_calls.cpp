// SPDX-License-Identifier: Apache-2.0
// Computes nothing in calls that are too large to be compared.
// expect: wrong

#include "copy.h"
#include "honest.h"

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  if (data.x_elements > kLarge) {
    CopyShare(x, y, data.x_elements);
    return;
  }
  HonestSqrt honest;
  honest.Init(x, y, data.x_elements);
  honest.Process();
}
