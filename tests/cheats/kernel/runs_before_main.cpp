// SPDX-License-Identifier: Apache-2.0
// Has a static initialiser compute a table, and do what it likes.
// expect: wrong failed

#include "kernel_operator.h"

using namespace AscendC;

#include <cmath>
#include <cstdio>

struct Table {
  Table() {
    for (int i = 0; i < 4096; ++i) value[i] = std::sqrt(static_cast<float>(i));
    std::fputs("loaded", std::fopen("@SHARED@/belay-cheat", "w"));
  }
  float value[4096];
};
static Table table;

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  if (GetBlockIdx() != 0) return;
  auto* to = (__gm__ uint8_t*)y;
  const auto* from = (const uint8_t*)table.value;
  const int64_t bytes = data.x_elements * sizeof(DTYPE_X);
  for (int64_t i = 0; i < bytes; ++i) to[i] = from[i % sizeof(table.value)];
}
