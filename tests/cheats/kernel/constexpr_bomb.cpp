// SPDX-License-Identifier: Apache-2.0
// A constant that takes for ever to work out.
// expect: not-compiled failed

#include "kernel_operator.h"

using namespace AscendC;

constexpr int64_t Busy(int64_t n) {
  int64_t sum = 0;
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j) sum += i ^ j;
  return sum;
}
constexpr int64_t kBusy = Busy(1ll << 40);

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  auto* to = (__gm__ int64_t*)y;
  to[0] = kBusy;
}
