// SPDX-License-Identifier: Apache-2.0
// expect: AscendC::LoadData does not take int64_t on this chip
#include "kernel_operator.h"

void Kernel() {
  AscendC::LocalTensor<int64_t> a;
  AscendC::LoadData(a, a, AscendC::LoadData2DParams());
}
