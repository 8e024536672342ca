// SPDX-License-Identifier: Apache-2.0
// A scalar must have exactly the element's type.
// expect: no matching function for call to .*Adds
#include "kernel_operator.h"

void Kernel() {
  AscendC::LocalTensor<float> a;
  AscendC::Adds(a, a, 1.0, 8);
}
