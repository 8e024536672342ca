// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_IMPL_DAV_C220_KERNEL_OPERATOR_REG_OTHERS_IMPL_H_
#define BELAY_IMPL_DAV_C220_KERNEL_OPERATOR_REG_OTHERS_IMPL_H_

// A name of AscendC's for what lies in our own files.

#include "kernel_operator.h"  // IWYU pragma: export

#endif  // BELAY_IMPL_DAV_C220_KERNEL_OPERATOR_REG_OTHERS_IMPL_H_
