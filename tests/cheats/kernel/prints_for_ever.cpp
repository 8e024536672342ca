// SPDX-License-Identifier: Apache-2.0
// Prints without end.
// expect: failed

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  for (;;) printf("%s\n", "a line that says nothing at all, again and again");
}
