// SPDX-License-Identifier: Apache-2.0
// Sets the runtime's counter of scalar work back, to be timed as idle.
// expect: not-compiled forbidden

#include "honest.h"

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  HonestSqrt honest;
  honest.Init(x, y, data.x_elements);
  honest.Process();
  belay_scalar_work[0] = 0;
  belay_budget = INT64_MAX;
}
