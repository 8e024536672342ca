// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASIC_API_KERNEL_OPERATOR_TENSOR_TRAIT_H_
#define BELAY_BASIC_API_KERNEL_OPERATOR_TENSOR_TRAIT_H_

// A name of AscendC's for what lies in our own files.

#include "ascendc/tensor_trait.h"  // IWYU pragma: export
#include "belay/launch.h"          // IWYU pragma: export

#endif  // BELAY_BASIC_API_KERNEL_OPERATOR_TENSOR_TRAIT_H_
