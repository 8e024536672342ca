// SPDX-License-Identifier: Apache-2.0
// expect: Add does not take bfloat16_t .* it takes int16_t, half, int32_t or
#include "kernel_operator.h"

void Kernel() {
  AscendC::LocalTensor<bfloat16_t> a;
  AscendC::Add(a, a, a, 8);
}
