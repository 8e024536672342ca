// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_KERNEL_TILING_KERNEL_TILING_H_
#define BELAY_KERNEL_TILING_KERNEL_TILING_H_

// Tiling data as kernels read it: the macros, and the structs of the library.

#include "ascendc/high_level/normalization/norm_tiling.h"  // IWYU pragma: export
#include "ascendc/high_level/softmax/softmax_tiling.h"  // IWYU pragma: export
#include "ascendc/high_level/sort/topk_tiling.h"
#include "ascendc/high_level/transform/pad_tiling.h"
#include "ascendc/matmul/cube_tiling.h"  // IWYU pragma: export
#include "ascendc/tiling.h"              // IWYU pragma: export

#endif  // BELAY_KERNEL_TILING_KERNEL_TILING_H_
