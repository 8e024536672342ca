// SPDX-License-Identifier: Apache-2.0
// expect: ReduceSum does not take int32_t .* it takes half or float
#include "kernel_operator.h"

void Kernel() {
  AscendC::LocalTensor<int32_t> a;
  AscendC::ReduceSum(a, a, a, 8);
}
