// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_LIB_MATMUL_INTF_H_
#define BELAY_LIB_MATMUL_INTF_H_

// The Matmul object, by AscendC's name of the header.

#include "ascendc/matmul/register.h"      // IWYU pragma: export
#include "kernel_operator.h"              // IWYU pragma: export
#include "kernel_tiling/kernel_tiling.h"  // IWYU pragma: export

#endif  // BELAY_LIB_MATMUL_INTF_H_
