// SPDX-License-Identifier: Apache-2.0
#ifndef LAYER_NORM_TILING_H_
#define LAYER_NORM_TILING_H_

// LayerNorm sees its input as rows x columns: the rows are dealt to the cores,
// the first `longCores` of which take one row more than the others.

#include "register/tilingdata_base.h"

namespace optiling {

// What the platform says, asked once.
struct LayerNormCompileInfo {
  uint32_t coreCount = 0;
  uint64_t ubBytes = 0;
};

BEGIN_TILING_DATA_DEF(LayerNormTilingData)
TILING_DATA_FIELD_DEF(uint64_t, columns);
TILING_DATA_FIELD_DEF(uint64_t, rowsPerCore);
TILING_DATA_FIELD_DEF(uint32_t, longCores);
TILING_DATA_FIELD_DEF(uint32_t, tileColumns);
TILING_DATA_FIELD_DEF(uint32_t, workBytes);
TILING_DATA_FIELD_DEF(float, epsilon);
TILING_DATA_FIELD_DEF(float, meanFactor);
TILING_DATA_FIELD_DEF(float, varianceFactor);
TILING_DATA_FIELD_DEF(uint8_t, hasGamma);
TILING_DATA_FIELD_DEF(uint8_t, hasBias);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(LayerNorm, LayerNormTilingData)

}  // namespace optiling

#endif  // LAYER_NORM_TILING_H_
