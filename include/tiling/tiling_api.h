// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_TILING_API_H_
#define BELAY_TILING_TILING_API_H_

// The tiling library: the platform and tiling classes.

#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"

#endif  // BELAY_TILING_TILING_API_H_
