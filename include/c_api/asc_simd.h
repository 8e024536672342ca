// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_C_API_ASC_SIMD_H_
#define BELAY_C_API_ASC_SIMD_H_

// A name of AscendC's for what lies in our own files.

#include "ascendc/c_api.h"  // IWYU pragma: export
#include "belay/launch.h"   // IWYU pragma: export

#endif  // BELAY_C_API_ASC_SIMD_H_
