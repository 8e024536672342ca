// SPDX-License-Identifier: Apache-2.0
// Event ids and pipes are global names.
// expect: EVENT_ID0
#include "kernel_operator.h"

void Kernel() {
  AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(AscendC::EVENT_ID0);
}
