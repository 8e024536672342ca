// SPDX-License-Identifier: Apache-2.0
// x = x + 1 through the address of the output.

#include "kernel_operator.h"

extern "C" __global__ __aicore__ void add_one(GM_ADDR x, GM_ADDR same,
                                              GM_ADDR workspace,
                                              GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  AscendC::GlobalTensor<float> values;
  values.SetGlobalBuffer((__gm__ float*)same);
  for (uint32_t i = 0; i < data.count; ++i) {
    values.SetValue(i, *((__gm__ float*)x + i) + 1.0f);
  }
}
