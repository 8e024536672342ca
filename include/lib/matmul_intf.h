// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_LIB_MATMUL_INTF_H_
#define BELAY_LIB_MATMUL_INTF_H_

// A name of AscendC's, so that kernels which include it compile as long as they
// use nothing of the matrix library.

#include "kernel_operator.h"  // IWYU pragma: export

#endif  // BELAY_LIB_MATMUL_INTF_H_
