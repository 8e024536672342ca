// SPDX-License-Identifier: Apache-2.0
// An absent input is a null pointer.

#include "kernel_operator.h"

extern "C" __global__ __aicore__ void optional_input(GM_ADDR x, GM_ADDR bias,
                                                     GM_ADDR y,
                                                     GM_ADDR workspace,
                                                     GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  for (uint32_t i = 0; i < data.count; ++i) {
    const int32_t add = bias == nullptr ? 0 : ((__gm__ int32_t*)bias)[i];
    ((__gm__ int32_t*)y)[i] = ((__gm__ int32_t*)x)[i] + add;
  }
}
