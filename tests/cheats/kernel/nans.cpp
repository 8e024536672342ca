// SPDX-License-Identifier: Apache-2.0
// Writes NaN, which compares unequal to nothing.
// expect: wrong

#include "fill.h"

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  Fill(y, data.x_elements, __builtin_nanf(""));
}
