// SPDX-License-Identifier: Apache-2.0
#ifndef KEY_STRUCTS_TILING_H_
#define KEY_STRUCTS_TILING_H_

// The structs of KeyStructs: the default, one for key 7 only, and its parts.

#include "register/tilingdata_base.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(KeyStructsData)
TILING_DATA_FIELD_DEF(uint8_t, first);
TILING_DATA_FIELD_DEF(uint64_t, total);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(KeyStructs, KeyStructsData)

BEGIN_TILING_DATA_DEF(PartData)
TILING_DATA_FIELD_DEF(uint16_t, a);
TILING_DATA_FIELD_DEF(float, b);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(PartDataOp, PartData)

BEGIN_TILING_DATA_DEF(SevenData)
TILING_DATA_FIELD_DEF_ARR(uint32_t, 3, list);
TILING_DATA_FIELD_DEF_STRUCT(PartData, part);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(KeyStructs_7, SevenData)

}  // namespace optiling

#endif  // KEY_STRUCTS_TILING_H_
