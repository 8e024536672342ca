// SPDX-License-Identifier: Apache-2.0
// Reads the simulator by a forged pointer.
// expect: failed

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  auto* program = (volatile uint64_t*)0x400000ull;
  auto* to = (__gm__ uint64_t*)y;
  to[0] = program[0];
}
