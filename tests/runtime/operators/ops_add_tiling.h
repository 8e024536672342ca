// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_OPS_ADD_TILING_H_
#define BELAY_TESTS_OPS_ADD_TILING_H_

// A tiling class with a number, an array and a class in it; included by two
// files of one program.

#include "register/tilingdata_base.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(AddPart)
TILING_DATA_FIELD_DEF(int8_t, kind);
TILING_DATA_FIELD_DEF(float, scale);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(AddPartOp, AddPart)

BEGIN_TILING_DATA_DEF(AddCustomTilingData)
TILING_DATA_FIELD_DEF(uint32_t, total);
TILING_DATA_FIELD_DEF_ARR(uint16_t, 3, sizes);
TILING_DATA_FIELD_DEF_STRUCT(AddPart, part);
TILING_DATA_FIELD_DEF(uint8_t, last);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(AddCustom, AddCustomTilingData)

BEGIN_TILING_DATA_DEF(AddCustomSmallTilingData)
TILING_DATA_FIELD_DEF(uint64_t, only);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(AddCustom_7, AddCustomSmallTilingData)

}  // namespace optiling

#endif  // BELAY_TESTS_OPS_ADD_TILING_H_
