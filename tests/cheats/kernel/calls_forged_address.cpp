// SPDX-License-Identifier: Apache-2.0
// Calls into the simulator through a number.
// expect: failed

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  auto* target = (void (*)(int))(0x401000ull + data.x_elements);
  target(0);
}
