// SPDX-License-Identifier: Apache-2.0
// Leaves the kernel by longjmp.
// expect: not-compiled

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  void* buffer[5] = {(void*)0x400000, (void*)0x400000, (void*)0x400000};
  __builtin_longjmp(buffer, 1);
}
