// SPDX-License-Identifier: Apache-2.0
// Gives a function of its own the guard's name for the linker.
// expect: not-compiled forbidden

#include "kernel_operator.h"

using namespace AscendC;

extern "C" void* mine(void* address, uint64_t bytes) asm("\01belay_write");
extern "C" void* mine(void* address, uint64_t bytes) { return address; }

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  *(volatile int*)0x400000 = 1;
}
