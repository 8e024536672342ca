// SPDX-License-Identifier: Apache-2.0
// Puts a kernel of its own making into the table of kernels.
// expect: not-compiled forbidden

#include "kernel_operator.h"

using namespace AscendC;

__attribute__((section("belay_kernels"), used)) void* forged[6] = {
    (void*)0x400000, (void*)0x400000, (void*)0x400000};

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {}
