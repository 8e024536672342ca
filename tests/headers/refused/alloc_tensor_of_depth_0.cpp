// SPDX-License-Identifier: Apache-2.0
// expect: AllocTensor<T>.. needs a queue of depth 1 or more
#include "kernel_operator.h"

void Kernel() {
  AscendC::TQue<AscendC::TPosition::VECIN, 0> queue;
  AscendC::LocalTensor<half> a = queue.AllocTensor<half>();
}
