// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_KERNEL_TENSOR_H_
#define BELAY_KERNEL_TENSOR_H_

// A name of AscendC's for what lies in our own files.

#include "basic_api/kernel_tensor.h"  // IWYU pragma: export

#endif  // BELAY_KERNEL_TENSOR_H_
