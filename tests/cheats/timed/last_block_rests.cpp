// SPDX-License-Identifier: Apache-2.0
// Leaves the last of the blocks of a large call without work.
// expect: wrong

#include "copy.h"
#include "honest.h"

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  const bool is_last = GetBlockIdx() == GetBlockNum() - 1;
  if (data.x_elements > kLarge && is_last) return;
  HonestSqrt honest;
  honest.Init(x, y, data.x_elements);
  honest.Process();
}
