// SPDX-License-Identifier: Apache-2.0
#ifndef SLICE_BY_VALUE_TILING_H_
#define SLICE_BY_VALUE_TILING_H_

// The slice as strips of equal runs: after dimensions taken whole are merged
// into their neighbours, `run` elements lie together in x, `runs` of them lie
// `runStride` elements apart, and the outer dimensions say where each strip of
// runs begins.

#include "register/tilingdata_base.h"

namespace optiling {

constexpr size_t kMaxRank = 8;

BEGIN_TILING_DATA_DEF(SliceByValueTilingData)
TILING_DATA_FIELD_DEF(uint64_t, run);
TILING_DATA_FIELD_DEF(uint64_t, runs);
TILING_DATA_FIELD_DEF(uint64_t, runStride);
TILING_DATA_FIELD_DEF(uint64_t, firstElement);
TILING_DATA_FIELD_DEF(uint32_t, outerRank);
TILING_DATA_FIELD_DEF_ARR(uint64_t, 8, outerSize);
TILING_DATA_FIELD_DEF_ARR(uint64_t, 8, outerStride);
// A piece is what one copy moves: tileRuns runs of tileRun elements.
TILING_DATA_FIELD_DEF(uint32_t, tileRun);
TILING_DATA_FIELD_DEF(uint32_t, tileRuns);
TILING_DATA_FIELD_DEF(uint64_t, pieces);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(SliceByValue, SliceByValueTilingData)

}  // namespace optiling

#endif  // SLICE_BY_VALUE_TILING_H_
