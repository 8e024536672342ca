// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_TILING_API_H_
#define BELAY_TILING_TILING_API_H_

// The tiling library: the platform and tiling classes.

// Programs that print use std::cout without including it.
#include <iostream>

#include "register/tilingdata_base.h"
#include "securec.h"
#include "tiling/high_level/activation.h"
#include "tiling/high_level/filter.h"
#include "tiling/high_level/math.h"
#include "tiling/high_level/normalization.h"
#include "tiling/high_level/quantization.h"
#include "tiling/high_level/reduce.h"
#include "tiling/high_level/softmax.h"
#include "tiling/high_level/sort.h"
#include "tiling/high_level/transform.h"
#include "tiling/platform/platform_ascendc.h"
#if !defined(__BELAY_KERNEL_TU__)
#include "tiling/matmul/matmul_tiling.h"
#endif

#endif  // BELAY_TILING_TILING_API_H_
