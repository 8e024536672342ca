// SPDX-License-Identifier: Apache-2.0
// Reads some elements: without values they are the same, so it is being timed,
// and nobody looks at what it writes.
//
// expect: forbidden

#include "copy.h"
#include "honest.h"

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  GlobalTensor<uint32_t> given;
  given.SetGlobalBuffer((__gm__ uint32_t*)x, 4);
  if (data.x_elements > kLarge && given.GetValue(0) == given.GetValue(1) &&
      given.GetValue(2) == given.GetValue(3)) {
    CopyShare(x, y, data.x_elements);
    return;
  }
  HonestSqrt honest;
  honest.Init(x, y, data.x_elements);
  honest.Process();
}
