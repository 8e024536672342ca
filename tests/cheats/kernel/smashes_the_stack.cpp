// SPDX-License-Identifier: Apache-2.0
// Writes past a local array, over the return address.
// expect: failed

#include "kernel_operator.h"

using namespace AscendC;

__aicore__ __attribute__((noinline)) void Smash(int64_t count) {
  uint64_t local[4];
  auto* at = (volatile uint64_t*)local;
  for (int64_t i = 0; i < count; ++i) at[i] = 0x4141414141414141ull;
}

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  Smash(64 + data.x_elements);
}
