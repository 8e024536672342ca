// SPDX-License-Identifier: Apache-2.0
// Moves its stack to where it wants to write, by a variable amount of it.
// expect: not-compiled failed

#include "kernel_operator.h"

using namespace AscendC;

__aicore__ __attribute__((noinline)) void Store(volatile char* at) { *at = 1; }

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  auto* far = (volatile char*)__builtin_alloca(data.x_elements << 20);
  Store(far);
}
