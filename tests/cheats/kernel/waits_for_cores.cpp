// SPDX-License-Identifier: Apache-2.0
// One block waits for all others, which have gone home.
// expect: failed

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  if (GetBlockIdx() == 0) SyncAll();
}
