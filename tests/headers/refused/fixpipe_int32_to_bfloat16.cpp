// SPDX-License-Identifier: Apache-2.0
// expect: AscendC::Fixpipe does not make this type of that in L0C
#include "kernel_operator.h"

void Kernel() {
  AscendC::GlobalTensor<bfloat16_t> y;
  AscendC::LocalTensor<int32_t> c;
  AscendC::Fixpipe(y, c, AscendC::FixpipeParamsV220());
}
