// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_KERNEL_OPERATOR_H_
#define BELAY_KERNEL_OPERATOR_H_

// Everything an AscendC kernel sees.

#include "ascendc/atomic.h"
#include "ascendc/bfloat16.h"
#include "ascendc/block_sync.h"
#include "ascendc/cache.h"
#include "ascendc/cast.h"
#include "ascendc/cast_dequant.h"
#include "ascendc/compare.h"
#include "ascendc/copy.h"
#include "ascendc/data_copy.h"
#include "ascendc/data_copy_slice.h"
#include "ascendc/debug.h"
#include "ascendc/fill.h"
#include "ascendc/gather.h"
#include "ascendc/gather_mask.h"
#include "ascendc/half.h"
#include "ascendc/local_mem_allocator.h"
#include "ascendc/mask.h"
#include "ascendc/params.h"
#include "ascendc/pipe.h"
#include "ascendc/que.h"
#include "ascendc/reduce.h"
#include "ascendc/reduce_parts.h"
#include "ascendc/scalar.h"
#include "ascendc/select.h"
#include "ascendc/sort.h"
#include "ascendc/sync.h"
#include "ascendc/system.h"
#include "ascendc/tensor.h"
#include "ascendc/tensor_operators.h"
#include "ascendc/transpose.h"
#include "ascendc/types.h"
#include "ascendc/vector_binary.h"
#include "ascendc/vector_fused.h"
#include "ascendc/vector_scalar.h"
#include "ascendc/vector_unary.h"
#include "belay/launch.h"

#endif  // BELAY_KERNEL_OPERATOR_H_
