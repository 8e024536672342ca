// SPDX-License-Identifier: Apache-2.0
// Leaves the last elements out where they do not fill 32 bytes.
// expect: wrong failed

#include "honest.h"

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  constexpr int64_t kWhole = 32 / sizeof(DTYPE_X);
  HonestSqrt honest;
  honest.Init(x, y, data.x_elements / kWhole * kWhole);
  honest.Process();
}
