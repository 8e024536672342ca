// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASIC_API_KERNEL_TENSOR_H_
#define BELAY_BASIC_API_KERNEL_TENSOR_H_

// A name of AscendC's for what lies in our own files.

#include "ascendc/local_mem_allocator.h"  // IWYU pragma: export
#include "ascendc/tensor.h"               // IWYU pragma: export
#include "ascendc/tensor_operators.h"     // IWYU pragma: export
#include "belay/launch.h"                 // IWYU pragma: export

#endif  // BELAY_BASIC_API_KERNEL_TENSOR_H_
