// SPDX-License-Identifier: Apache-2.0
// The scalars lie in global memory, and the host read one of them too.

#include "kernel_operator.h"

extern "C" __global__ __aicore__ void host_scalars(GM_ADDR x, GM_ADDR alpha,
                                                   GM_ADDR weights, GM_ADDR y,
                                                   GM_ADDR workspace,
                                                   GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  if (*(__gm__ float*)alpha != data.alpha) return;
  float sum = 0;
  for (uint32_t i = 0; i < data.weights; ++i)
    sum += ((__gm__ float*)weights)[i];
  for (uint32_t i = 0; i < data.count; ++i) {
    ((__gm__ float*)y)[i] = data.alpha * ((__gm__ float*)x)[i] + sum;
  }
}
