// SPDX-License-Identifier: Apache-2.0
// Works in the first and the last block of a large call, which are looked at.
// expect: wrong

#include "copy.h"
#include "honest.h"

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  const bool is_watched =
      GetBlockIdx() == 0 || GetBlockIdx() == GetBlockNum() - 1;
  if (data.x_elements > kLarge && !is_watched) {
    CopyShare(x, y, data.x_elements);
    return;
  }
  HonestSqrt honest;
  honest.Init(x, y, data.x_elements);
  honest.Process();
}
