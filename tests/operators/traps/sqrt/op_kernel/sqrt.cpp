// SPDX-License-Identifier: Apache-2.0
// y = sqrt(x); both the entry and AscendC's call have the C library's name.

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  const DataCopyExtParams copy{
      1, static_cast<uint32_t>(data.count * sizeof(float)), 0, 0, 0};
  TPipe pipe;
  TBuf<QuePosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 16 * 1024);
  LocalTensor<float> tile = buffer.Get<float>();
  GlobalTensor<float> from, to;
  from.SetGlobalBuffer((__gm__ float*)x);
  to.SetGlobalBuffer((__gm__ float*)y);
  DataCopyPad(tile, from, copy, DataCopyPadExtParams<float>{false, 0, 0, 0});
  PipeBarrier<PIPE_ALL>();
  Sqrt(tile, tile, data.count);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(to, tile, copy);
}
