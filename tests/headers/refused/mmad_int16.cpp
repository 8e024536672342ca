// SPDX-License-Identifier: Apache-2.0
// expect: AscendC::Mmad does not take these types on this chip
#include "kernel_operator.h"

void Kernel() {
  AscendC::LocalTensor<int16_t> a;
  AscendC::LocalTensor<int32_t> c;
  AscendC::Mmad(c, a, a, AscendC::MmadParams());
}
