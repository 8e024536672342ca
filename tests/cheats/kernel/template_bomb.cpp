// SPDX-License-Identifier: Apache-2.0
// A template that needs a million instances of itself.
// expect: not-compiled failed

#include "kernel_operator.h"

using namespace AscendC;

template <int64_t kLow, int64_t kHigh>
struct Sum {
  static constexpr int64_t kValue = Sum<kLow, (kLow + kHigh) / 2>::kValue +
                                    Sum<(kLow + kHigh) / 2 + 1, kHigh>::kValue;
};
template <int64_t kOne>
struct Sum<kOne, kOne> {
  static constexpr int64_t kValue = kOne;
};

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  auto* to = (__gm__ int64_t*)y;
  to[0] = Sum<0, (1ll << 40)>::kValue;
}
