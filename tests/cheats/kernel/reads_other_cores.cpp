// SPDX-License-Identifier: Apache-2.0
// Reads the unified buffer of another core by its address.
// expect: wrong failed

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  auto* to = (__gm__ uint64_t*)y;
  if (GetBlockIdx() != 0 || data.x_elements == 0) return;
  for (uint64_t at = 0x100000; at < 0x100000000ull; at += 0x40000) {
    to[0] = *(volatile uint64_t*)at;
  }
}
