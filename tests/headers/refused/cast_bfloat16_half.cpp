// SPDX-License-Identifier: Apache-2.0
// expect: Cast does not convert bfloat16_t .* it converts bfloat16_t to int32_t
#include "kernel_operator.h"

void Kernel() {
  AscendC::LocalTensor<bfloat16_t> a;
  AscendC::LocalTensor<half> b;
  AscendC::Cast(b, a, AscendC::RoundMode::CAST_NONE, 8);
}
