// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_KERNEL_UTILS_H_
#define BELAY_KERNEL_UTILS_H_

// A name of AscendC's for what lies in our own files.

#include "kernel_operator.h"  // IWYU pragma: export

#endif  // BELAY_KERNEL_UTILS_H_
