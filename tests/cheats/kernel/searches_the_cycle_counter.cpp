// SPDX-License-Identifier: Apache-2.0
// Looks for the simulated cycle counter on the host's heap, below the stack and
// above it, to set it back.
// expect: failed

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  uint64_t here = 0;
  const uint64_t cycle = GetSystemCycle();
  for (auto* at = (volatile uint64_t*)&here;; ++at) {
    if (*at >= cycle && *at < cycle + 1000) *at = 0;
  }
}
