// SPDX-License-Identifier: Apache-2.0
// A kernel that bears a name of the C library.

#include <cmath>

#include "kernel_operator.h"

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           uint32_t count) {
  AscendC::TPipe pipe;
  AscendC::TBuf<AscendC::TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, count * sizeof(float));
  AscendC::GlobalTensor<float> from;
  AscendC::GlobalTensor<float> to;
  from.SetGlobalBuffer((__gm__ float*)x, count);
  to.SetGlobalBuffer((__gm__ float*)y, count);
  AscendC::LocalTensor<float> local = buffer.Get<float>();
  AscendC::DataCopy(local, from, count);
  AscendC::PipeBarrier<PIPE_ALL>();
  AscendC::Sqrt(local, local, count);
  AscendC::PipeBarrier<PIPE_ALL>();
  AscendC::DataCopy(to, local, count);
}
