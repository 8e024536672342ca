// SPDX-License-Identifier: Apache-2.0
#ifndef MATMUL_EPILOGUE_TILING_H_
#define MATMUL_EPILOGUE_TILING_H_

// How the product is cut up, and what the vector cores need beside it.

#include "register/tilingdata_base.h"
#include "tiling/tiling_api.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(MatmulEpilogueTilingData)
TILING_DATA_FIELD_DEF_STRUCT(TCubeTiling, cube);
TILING_DATA_FIELD_DEF(float, slope);
TILING_DATA_FIELD_DEF(uint32_t, tileElements);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(MatmulEpilogue, MatmulEpilogueTilingData)

}  // namespace optiling

#endif  // MATMUL_EPILOGUE_TILING_H_
