// SPDX-License-Identifier: Apache-2.0
// y = x + 3; the tiling data are read word by word, without GET_TILING_DATA.

#include "kernel_operator.h"

using namespace AscendC;

struct OwnData {
  uint32_t count;
};

__aicore__ inline void ReadTiling(OwnData* data, GM_ADDR tiling) {
  __gm__ uint32_t* from = (__gm__ uint32_t*)tiling;
  uint32_t* to = (uint32_t*)data;
  for (uint32_t i = 0; i < sizeof(OwnData) / sizeof(uint32_t); ++i) {
    to[i] = from[i];
  }
}

extern "C" __global__ __aicore__ void own_parser(GM_ADDR x, GM_ADDR y,
                                                 GM_ADDR workspace,
                                                 GM_ADDR tiling) {
  OwnData data;
  ReadTiling(&data, tiling);
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
  Adds(tile, tile, 3.0f, data.count);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(to, tile, copy);
}
