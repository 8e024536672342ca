// SPDX-License-Identifier: Apache-2.0
#ifndef FOREACH_SCALE_LIST_TILING_H_
#define FOREACH_SCALE_LIST_TILING_H_

// How the elements of a list of tensors are dealt to the cores: each core gets
// one run of elements that may begin and end inside a tensor.

#include "register/tilingdata_base.h"

namespace optiling {

constexpr uint32_t kMaxTensors = 256;
constexpr uint32_t kMaxCores = 64;

BEGIN_TILING_DATA_DEF(ForeachScaleListTilingData)
TILING_DATA_FIELD_DEF(uint32_t, tileElements);
TILING_DATA_FIELD_DEF_ARR(uint16_t, 64, firstTensor);
TILING_DATA_FIELD_DEF_ARR(uint16_t, 64, lastTensor);
TILING_DATA_FIELD_DEF_ARR(int64_t, 64, firstElement);
TILING_DATA_FIELD_DEF_ARR(int64_t, 64, endElement);
TILING_DATA_FIELD_DEF_ARR(int64_t, 256, elements);
END_TILING_DATA_DEF;

REGISTER_TILING_DATA_CLASS(ForeachScaleList, ForeachScaleListTilingData)

}  // namespace optiling

#endif  // FOREACH_SCALE_LIST_TILING_H_
