// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_LIB_MATMUL_MATMUL_INTF_H_
#define BELAY_LIB_MATMUL_MATMUL_INTF_H_

// The Matmul object, by another of AscendC's names of its header.

#include "lib/matmul_intf.h"  // IWYU pragma: export

#endif  // BELAY_LIB_MATMUL_MATMUL_INTF_H_
