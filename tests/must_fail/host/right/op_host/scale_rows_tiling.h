// SPDX-License-Identifier: Apache-2.0
#ifndef SCALE_ROWS_TILING_H_
#define SCALE_ROWS_TILING_H_

// Tiling data of ScaleRows.

#include "register/tilingdata_base.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(ScaleRowsTilingData)
TILING_DATA_FIELD_DEF(uint32_t, rows);
TILING_DATA_FIELD_DEF(uint32_t, columns);
TILING_DATA_FIELD_DEF(float, factor);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(ScaleRows, ScaleRowsTilingData)

}  // namespace optiling

#endif  // SCALE_ROWS_TILING_H_
