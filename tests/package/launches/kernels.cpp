// SPDX-License-Identifier: Apache-2.0
// Kernels launched through generated headers.

#include "kernel_operator.h"
#include "raw_attribute.h"

struct Range {
  uint32_t first;
  uint32_t count;
};

extern "C" __global__ __vector__ void fill(GM_ADDR out, Range range,
                                           int32_t value) {
  auto* to = (__gm__ int32_t*)out;
  for (uint32_t i = 0; i < range.count; ++i) {
    if (i % AscendC::GetBlockNum() != AscendC::GetBlockIdx()) continue;
    to[range.first + i] = Twice(value);
    dcci((__gm__ uint64_t*)out, ENTIRE_DATA_CACHE);
  }
}

// Blocks wait for each other by looking at global memory.
extern "C" __global__ __vector__ void meet(GM_ADDR flags, GM_ADDR out) {
  const int64_t block = AscendC::GetBlockIdx();
  const int64_t blocks = AscendC::GetBlockNum();
  auto* flag = (volatile __gm__ int32_t*)flags;
  flag[16 * block] = 1;
  for (int64_t other = 0; other < blocks; ++other) {
    while (flag[16 * other] != 1) {
    }
  }
  ((__gm__ int32_t*)out)[16 * block] = static_cast<int32_t>(block) + 100;
}
