// SPDX-License-Identifier: Apache-2.0
// expect: And does not take float .* it takes int16_t or uint16_t
#include "kernel_operator.h"

void Kernel() {
  AscendC::LocalTensor<float> a;
  AscendC::And(a, a, a, 64, 1, {1, 1, 1, 8, 8, 8});
}
