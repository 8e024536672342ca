// SPDX-License-Identifier: Apache-2.0
// Writes on and on above its frame, through the launcher's.
// expect: failed

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  uint64_t local[2] = {};
  for (auto* at = (volatile uint64_t*)local;; ++at) *at = 0;
}
