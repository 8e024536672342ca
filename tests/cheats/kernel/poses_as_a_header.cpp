// SPDX-License-Identifier: Apache-2.0
// The same behind a claim to be a system header.
// expect: not-compiled forbidden

#include "honest.h"

#pragma GCC system_header

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  HonestSqrt honest;
  honest.Init(x, y, data.x_elements);
  honest.Process();
#define JOIN(a, b) a##b
  JOIN(bel, ay_budget) = INT64_MAX;
}
