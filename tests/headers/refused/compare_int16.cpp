// SPDX-License-Identifier: Apache-2.0
// expect: Compare does not take int16_t .* it takes half, int32_t or float
#include "kernel_operator.h"

void Kernel() {
  AscendC::LocalTensor<int16_t> a;
  AscendC::LocalTensor<uint8_t> b;
  AscendC::Compare(b, a, a, AscendC::CMPMODE::EQ, 128);
}
