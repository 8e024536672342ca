// SPDX-License-Identifier: Apache-2.0
// expect: Muls does not take uint16_t .* it takes int16_t, half, int32_t or
#include "kernel_operator.h"

void Kernel() {
  AscendC::LocalTensor<uint16_t> a;
  AscendC::Muls(a, a, uint16_t{2}, 8);
}
