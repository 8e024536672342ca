// SPDX-License-Identifier: Apache-2.0
// What the card's compiler refuses to narrow.
// expect: narrow
#include "kernel_operator.h"

void Kernel(uint32_t length) {
  AscendC::LocalTensor<half> a;
  AscendC::DataCopy(a, a, AscendC::DataCopyParams{1, length, 0, 0});
}
