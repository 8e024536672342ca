// SPDX-License-Identifier: Apache-2.0
// Waits for a flag nobody sets.
// expect: failed

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID3);
}
