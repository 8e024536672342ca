// SPDX-License-Identifier: Apache-2.0
// y = x < other ? 1 : 0, with all names of both libraries in sight.

#include <functional>

#include "kernel_operator.h"

using namespace AscendC;
using namespace std;

extern "C" __global__ __aicore__ void less(GM_ADDR x, GM_ADDR other, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  const uint32_t count = tiling_data.count;
  // Compare takes whole repeats of 256 bytes.
  const uint32_t whole = (count + 63) / 64 * 64;
  const DataCopyExtParams copy{1, static_cast<uint32_t>(count * sizeof(float)),
                               0, 0, 0};
  TPipe pipe;
  TBuf<QuePosition::VECCALC> left_buffer, right_buffer, bits_buffer;
  pipe.InitBuffer(left_buffer, 16 * 1024);
  pipe.InitBuffer(right_buffer, 16 * 1024);
  pipe.InitBuffer(bits_buffer, 1024);
  LocalTensor<float> left = left_buffer.Get<float>();
  LocalTensor<float> right = right_buffer.Get<float>();
  LocalTensor<uint8_t> bits = bits_buffer.Get<uint8_t>();
  Duplicate(left, 0.0f, whole);
  Duplicate(right, 0.0f, whole);
  PipeBarrier<PIPE_ALL>();
  GlobalTensor<float> left_gm, right_gm, to;
  left_gm.SetGlobalBuffer((__gm__ float*)x);
  right_gm.SetGlobalBuffer((__gm__ float*)other);
  to.SetGlobalBuffer((__gm__ float*)y);
  const DataCopyPadExtParams<float> padding{false, 0, 0, 0};
  DataCopyPad(left, left_gm, copy, padding);
  DataCopyPad(right, right_gm, copy, padding);
  PipeBarrier<PIPE_ALL>();
  Compare(bits, left, right, CMPMODE::LT, whole);
  Duplicate(left, 1.0f, whole);
  Select(left, bits, left, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, whole);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(to, left, copy);
}
