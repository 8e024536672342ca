// SPDX-License-Identifier: Apache-2.0
// y = x * x; helpers take, move and return addresses in global memory.

#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kPart = 256;

__aicore__ inline GM_ADDR PartOf(GM_ADDR base, uint32_t part) {
  return base + part * kPart * sizeof(float);
}

__aicore__ inline GlobalTensor<float> TensorAt(GM_ADDR address) {
  GlobalTensor<float> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(address));
  return tensor;
}

__aicore__ inline void SquarePart(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                  uint32_t count,
                                  const LocalTensor<float>& tile) {
  const DataCopyExtParams copy{1, static_cast<uint32_t>(count * sizeof(float)),
                               0, 0, 0};
  DataCopyPad(tile, TensorAt(x), copy,
              DataCopyPadExtParams<float>{false, 0, 0, 0});
  PipeBarrier<PIPE_ALL>();
  Mul(tile, tile, tile, count);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(TensorAt(y), tile, copy);
  PipeBarrier<PIPE_ALL>();
}

extern "C" __global__ __aicore__ void address_helpers(GM_ADDR x, GM_ADDR y,
                                                      GM_ADDR workspace,
                                                      GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  TBuf<QuePosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, kPart * sizeof(float));
  LocalTensor<float> tile = buffer.Get<float>();
  for (uint32_t part = 0; part * kPart < data.count; ++part) {
    const uint32_t left = data.count - part * kPart;
    SquarePart(PartOf(x, part), PartOf(y, part), workspace,
               left < kPart ? left : kPart, tile);
  }
}
