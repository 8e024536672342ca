// SPDX-License-Identifier: Apache-2.0
// Adds to what y holds, relying on zeros there (atomic addition).
// expect: wrong failed

#include "honest.h"

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  SetAtomicAdd<DTYPE_X>();
  HonestSqrt honest;
  honest.Init(x, y, data.x_elements);
  honest.Process();
  SetAtomicNone();
}
