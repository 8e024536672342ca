// SPDX-License-Identifier: Apache-2.0
// Writes nonsense over the state of a queue, for the runtime to follow.
// expect: failed

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 1024);
  auto* bytes = (volatile uint8_t*)&queue;
  for (uint32_t i = 0; i < sizeof(queue); ++i) bytes[i] = 0xff;
  LocalTensor<DTYPE_X> tile = queue.AllocTensor<DTYPE_X>();
  queue.FreeTensor(tile);
}
