// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_KERNEL_TILING_KERNEL_TILING_H_
#define BELAY_KERNEL_TILING_KERNEL_TILING_H_

// A name of AscendC's for what lies in our own files.

#include "ascendc/tiling.h"  // IWYU pragma: export

#endif  // BELAY_KERNEL_TILING_KERNEL_TILING_H_
