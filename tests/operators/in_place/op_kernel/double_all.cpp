// SPDX-License-Identifier: Apache-2.0
// x = 2 x.

#include "kernel_operator.h"

extern "C" __global__ __aicore__ void double_all(GM_ADDR x, GM_ADDR workspace,
                                                 GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  for (uint32_t i = 0; i < data.count; ++i) {
    ((__gm__ float*)x)[i] = 2.0f * ((__gm__ float*)x)[i];
  }
}
