// SPDX-License-Identifier: Apache-2.0
// y = x + 1 on the vector unit.

#include "kernel_operator.h"

extern "C" __global__ __aicore__ void flat_one(GM_ADDR x, GM_ADDR y,
                                               GM_ADDR workspace,
                                               GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  AscendC::TPipe pipe;
  AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 1024);
  AscendC::GlobalTensor<half> from, to;
  from.SetGlobalBuffer((__gm__ half*)x, data.count);
  to.SetGlobalBuffer((__gm__ half*)y, data.count);
  AscendC::LocalTensor<half> values = buffer.Get<half>();
  const AscendC::DataCopyExtParams run{
      1, static_cast<uint32_t>(data.count * sizeof(half)), 0, 0, 0};
  AscendC::DataCopyPad(values, from, run, {false, 0, 0, 0});
  AscendC::PipeBarrier<PIPE_ALL>();
  AscendC::Adds(values, values, static_cast<half>(1.0f), data.count);
  AscendC::PipeBarrier<PIPE_ALL>();
  AscendC::DataCopyPad(to, values, run);
}
