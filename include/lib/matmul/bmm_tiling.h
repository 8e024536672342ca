// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_LIB_MATMUL_BMM_TILING_H_
#define BELAY_LIB_MATMUL_BMM_TILING_H_

// A name of AscendC's for what lies in our own files.

#include "tiling/tiling_api.h"  // IWYU pragma: export

#endif  // BELAY_LIB_MATMUL_BMM_TILING_H_
