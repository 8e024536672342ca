// SPDX-License-Identifier: Apache-2.0
// expect: bfloat16_t
#include "kernel_operator.h"

void Kernel() {
  bfloat16_t value = 1.0f;
  static_cast<void>(value);
}
