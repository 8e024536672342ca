// SPDX-License-Identifier: Apache-2.0
// Makes a system call in assembly.
// expect: not-compiled forbidden

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  asm volatile("syscall" : : "a"(57) : "rcx", "r11", "memory");
}
