// SPDX-License-Identifier: Apache-2.0
// Recurses until the stack is gone.
// expect: failed not-compiled

#include "kernel_operator.h"

using namespace AscendC;

__aicore__ __attribute__((noinline)) int64_t Deep(int64_t n) {
  volatile int64_t frame[64];
  frame[n & 63] = n;
  return n < 0 ? 0 : Deep(n + 1) + frame[n & 63];
}

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  auto* to = (__gm__ uint8_t*)y;
  to[0] = static_cast<uint8_t>(Deep(0));
}
