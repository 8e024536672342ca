// SPDX-License-Identifier: Apache-2.0
// Calls a function of the C library it has declared itself.
// expect: not-compiled

#include "kernel_operator.h"

using namespace AscendC;

extern "C" void* memfd_create(const char*, unsigned);

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  memfd_create("x", 0);
}
