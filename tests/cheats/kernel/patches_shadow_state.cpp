// SPDX-License-Identifier: Apache-2.0
// Writes "initialised" over shadow memory, at the address such maps have.
// expect: failed

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  for (uint64_t at = 0x7ff000000000ull; at < 0x7fffffffffffull; at += 4096) {
    *(volatile uint64_t*)at = ~0ull;
  }
}
