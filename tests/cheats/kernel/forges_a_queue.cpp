// SPDX-License-Identifier: Apache-2.0
// Has the runtime write where it likes, by a queue at a forged address.
// expect: failed

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  auto* queue = (TQue<QuePosition::VECIN, 1>*)(uint64_t)0x400000;
  pipe.InitBuffer(*queue, 1, 1024);
}
