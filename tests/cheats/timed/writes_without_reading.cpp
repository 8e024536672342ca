// SPDX-License-Identifier: Apache-2.0
// Writes ones in large calls, without reading: half of the bytes need no time.
// expect: wrong forbidden

#include "copy.h"
#include "fill.h"
#include "honest.h"

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  if (data.x_elements > kLarge) {
    Fill(y, data.x_elements, 1.0f);
    return;
  }
  HonestSqrt honest;
  honest.Init(x, y, data.x_elements);
  honest.Process();
}
