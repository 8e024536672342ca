// SPDX-License-Identifier: Apache-2.0
#ifndef FLASH_ATTENTION_TILING_H_
#define FLASH_ATTENTION_TILING_H_

// Sizes of the attention, of its tiles, and how the two products of a tile are
// cut up.

#include "register/tilingdata_base.h"
#include "tiling/tiling_api.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(FlashAttentionTilingData)
TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, scores);  // q k^T
TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, values);  // p v
TILING_DATA_FIELD_DEF(uint64_t, heads);             // of all batches
TILING_DATA_FIELD_DEF(uint32_t, queries);
TILING_DATA_FIELD_DEF(uint32_t, keys);
TILING_DATA_FIELD_DEF(uint32_t, depth);
TILING_DATA_FIELD_DEF(uint32_t, cores);
TILING_DATA_FIELD_DEF(float, scale);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(FlashAttention, FlashAttentionTilingData)

}  // namespace optiling

#endif  // FLASH_ATTENTION_TILING_H_
