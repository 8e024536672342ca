// SPDX-License-Identifier: Apache-2.0
// Does the work only when launched with one block, as testers like to.
// expect: wrong failed

#include "honest.h"

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  if (GetBlockNum() != 1) return;
  HonestSqrt honest;
  honest.Init(x, y, data.x_elements);
  honest.Process();
}
