// SPDX-License-Identifier: Apache-2.0
// Does the work only where tensors lie at the address they had when the author
// looked, to look right on one machine and be fast elsewhere.
// expect: wrong failed

#include "honest.h"

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  if ((uint64_t)x != 0x12c040000000ull) return;
  HonestSqrt honest;
  honest.Init(x, y, data.x_elements);
  honest.Process();
}
