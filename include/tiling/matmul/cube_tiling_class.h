// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_MATMUL_CUBE_TILING_CLASS_H_
#define BELAY_TILING_MATMUL_CUBE_TILING_CLASS_H_

// optiling::TCubeTiling, TCubeTiling as operators' tiling classes hold it.

#include "ascendc/matmul/cube_tiling.h"
#include "belay/tiling_class.h"

BELAY_TILING_CLASS(TCubeTiling, BELAY_CUBE_TILING)

#endif  // BELAY_TILING_MATMUL_CUBE_TILING_CLASS_H_
