// SPDX-License-Identifier: Apache-2.0
// expect: Duplicate does not take int8_t on this chip
#include "kernel_operator.h"

void Kernel() {
  AscendC::LocalTensor<int8_t> a;
  AscendC::Duplicate(a, int8_t{2}, 8);
}
