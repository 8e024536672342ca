// SPDX-License-Identifier: Apache-2.0
// expect: Abs does not take int16_t .* it takes half or float
#include "kernel_operator.h"

void Kernel() {
  AscendC::LocalTensor<int16_t> a;
  AscendC::Abs(a, a, 128, 1, {1, 1, 8, 8});
}
