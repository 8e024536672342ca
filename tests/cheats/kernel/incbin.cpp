// SPDX-License-Identifier: Apache-2.0
// Takes the password file into its constants.
// expect: not-compiled forbidden

#include "kernel_operator.h"

using namespace AscendC;

asm(".section .rodata\nstolen: .incbin \"/etc/passwd\"\n.text");

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {}
