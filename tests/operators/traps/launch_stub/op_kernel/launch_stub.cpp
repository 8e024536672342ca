// SPDX-License-Identifier: Apache-2.0
// y = x / 2, and the function that launches it where no CPU mode is built.

#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void launch_stub(GM_ADDR x, GM_ADDR y,
                                                  GM_ADDR workspace,
                                                  GM_ADDR tiling) {
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
  Muls(tile, tile, 0.5f, data.count);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(to, tile, copy);
}

#define LAUNCH(name, blocks, l2ctrl, stream, ...) \
  name<<<blocks, l2ctrl, stream>>>(__VA_ARGS__)

// Belay builds operator projects in CPU mode: this is left out ...
#ifndef ASCENDC_CPU_DEBUG
void launch_stub_do(uint32_t blocks, void* l2ctrl, void* stream, uint8_t* x,
                    uint8_t* y, uint8_t* workspace, uint8_t* tiling) {
  LAUNCH(launch_stub, blocks, l2ctrl, stream, x, y, workspace, tiling);
}
#endif

// ... and this is compiled.
#ifndef __CCE_KT_TEST__
void launch_stub_on_card(uint32_t blocks, void* l2ctrl, void* stream,
                         uint8_t* x, uint8_t* y, uint8_t* workspace,
                         uint8_t* tiling) {
  LAUNCH(launch_stub, blocks, l2ctrl, stream, x, y, workspace, tiling);
}
#endif
