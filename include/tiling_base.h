// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_BASE_H_
#define BELAY_TILING_BASE_H_

// optiling::TilingBaseClass under the shorter path.

#include "tiling/tiling_base.h"

#endif  // BELAY_TILING_BASE_H_
