// SPDX-License-Identifier: Apache-2.0
#ifndef REDUCE_TWO_WAYS_TILING_H_
#define REDUCE_TWO_WAYS_TILING_H_

// Two ways to reduce x, seen as outer x reduce x inner, each with tiling data
// of its own. Keys: 11 sum and 21 max, every core whole outputs; 12 sum and 22
// max, every core a part of the reduced dimension.

#include "register/tilingdata_base.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(ReduceShape)
TILING_DATA_FIELD_DEF(uint64_t, outer);
TILING_DATA_FIELD_DEF(uint64_t, reduce);
TILING_DATA_FIELD_DEF(uint64_t, inner);
TILING_DATA_FIELD_DEF(uint32_t, tileElements);
TILING_DATA_FIELD_DEF(uint32_t, innerTile);
TILING_DATA_FIELD_DEF(uint32_t, workBytes);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ReduceShapeOp, ReduceShape)

// Units are innerTile outputs side by side, or one output when inner is 1.
BEGIN_TILING_DATA_DEF(ReduceOwnTilingData)
TILING_DATA_FIELD_DEF(uint32_t, longCores);
TILING_DATA_FIELD_DEF_STRUCT(ReduceShape, shape);
TILING_DATA_FIELD_DEF(uint64_t, unitsPerCore);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ReduceTwoWays, ReduceOwnTilingData)

// Core i reduces from rowStart[i] to rowStart[i + 1].
BEGIN_TILING_DATA_DEF(ReduceSplitTilingData)
TILING_DATA_FIELD_DEF(uint16_t, cores);
TILING_DATA_FIELD_DEF_STRUCT(ReduceShape, shape);
TILING_DATA_FIELD_DEF_ARR(uint64_t, 65, rowStart);
TILING_DATA_FIELD_DEF(uint32_t, combineElements);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(ReduceTwoWays_12, ReduceSplitTilingData)
REGISTER_TILING_DATA_CLASS(ReduceTwoWays_22, ReduceSplitTilingData)

}  // namespace optiling

#endif  // REDUCE_TWO_WAYS_TILING_H_
