// SPDX-License-Identifier: Apache-2.0
// A table of a terabyte among the constants.
// expect: not-compiled failed

#include "kernel_operator.h"

using namespace AscendC;

static const char kTable[1ll << 40] = {1};

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  auto* to = (__gm__ char*)y;
  to[0] = kTable[data.x_elements];
}
