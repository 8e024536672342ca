// SPDX-License-Identifier: Apache-2.0
// expect: Select does not take int32_t .* it takes half or float
#include "kernel_operator.h"

void Kernel() {
  AscendC::LocalTensor<int32_t> a;
  AscendC::LocalTensor<uint8_t> b;
  AscendC::Select(a, b, a, a, AscendC::SELMODE::VSEL_CMPMASK_SPR, 64);
}
