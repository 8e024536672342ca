// SPDX-License-Identifier: Apache-2.0
// Defines the function that guards memory.
// expect: not-compiled forbidden

#include "kernel_operator.h"

using namespace AscendC;

extern "C" void* belay_write(void* address, uint64_t bytes) { return address; }

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  *(volatile int*)0x400000 = 1;
}
