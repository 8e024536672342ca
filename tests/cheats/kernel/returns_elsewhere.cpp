// SPDX-License-Identifier: Apache-2.0
// Finds its return address above a local variable, and puts another one there.
// expect: failed wrong

#include "kernel_operator.h"

using namespace AscendC;

__aicore__ __attribute__((noinline)) void Leave(uint64_t module) {
  uint64_t local[2] = {module, module};
  auto* at = (volatile uint64_t*)local;
  for (int i = 2; i < 32; ++i) {
    if (at[i] >> 40 == module >> 40) at[i] = 0x401000;
  }
}

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  Leave((uint64_t)&Leave);
  *(volatile uint64_t*)0x10 = 0;
}
