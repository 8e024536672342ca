// SPDX-License-Identifier: Apache-2.0
// Stores through printf's %n.
// expect: failed

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  printf("%1234d%n", 1, (int*)((uint64_t)&data + 4096));
}
