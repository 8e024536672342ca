// SPDX-License-Identifier: Apache-2.0
#ifndef GROUPED_MATMUL_INT8_TILING_H_
#define GROUPED_MATMUL_INT8_TILING_H_

// How a tile of one group's product is cut up; cube.M, N and Ka are those of
// all groups together.

#include "register/tilingdata_base.h"
#include "tiling/tiling_api.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(GroupedMatmulInt8TilingData)
TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, cube);
TILING_DATA_FIELD_DEF(uint32_t, groups);
TILING_DATA_FIELD_DEF(uint32_t, cores);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(GroupedMatmulInt8, GroupedMatmulInt8TilingData)

}  // namespace optiling

#endif  // GROUPED_MATMUL_INT8_TILING_H_
