// SPDX-License-Identifier: Apache-2.0
// What is done depends on the column, for the preprocessor too.

#include "kernel_operator.h"

extern "C" __global__ __aicore__ void odd_types(GM_ADDR x, GM_ADDR y,
                                                GM_ADDR workspace,
                                                GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  __gm__ const DTYPE_X* in = (__gm__ const DTYPE_X*)x;
  __gm__ DTYPE_Y* out = (__gm__ DTYPE_Y*)y;
  for (uint32_t i = 0; i < data.count; ++i) {
#if ORIG_DTYPE_X == DT_COMPLEX64
    out[i].real = in[i].real;
    out[i].imag = -in[i].imag;
#elif ORIG_DTYPE_X == DT_BOOL && FORMAT_X == FORMAT_ND
    out[i] = !in[i];
#elif ORIG_DTYPE_X == DT_BF16
    out[i] = in[i];
#else
#error "a column without a branch"
#endif
  }
}
