// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_MATMUL_CUBE_TILING_H_
#define BELAY_ASCENDC_MATMUL_CUBE_TILING_H_

// TCubeTiling: how a matrix product is cut up. Shapes and steps in elements
// and base blocks, share*Size in bytes.

#include <stdint.h>

#include "belay/tiling_struct.h"

#define BELAY_CUBE_TILING(FIELD)  \
  FIELD(int32_t, usedCoreNum)     \
  FIELD(int32_t, M)               \
  FIELD(int32_t, N)               \
  FIELD(int32_t, Ka)              \
  FIELD(int32_t, Kb)              \
  FIELD(int32_t, singleCoreM)     \
  FIELD(int32_t, singleCoreN)     \
  FIELD(int32_t, singleCoreK)     \
  FIELD(int32_t, baseM)           \
  FIELD(int32_t, baseN)           \
  FIELD(int32_t, baseK)           \
  FIELD(int32_t, depthA1)         \
  FIELD(int32_t, depthB1)         \
  FIELD(int32_t, stepM)           \
  FIELD(int32_t, stepN)           \
  FIELD(int32_t, isBias)          \
  FIELD(int32_t, transLength)     \
  FIELD(int32_t, iterateOrder)    \
  FIELD(int32_t, shareMode)       \
  FIELD(int32_t, shareL1Size)     \
  FIELD(int32_t, shareL0CSize)    \
  FIELD(int32_t, shareUbSize)     \
  FIELD(int32_t, batchM)          \
  FIELD(int32_t, batchN)          \
  FIELD(int32_t, singleBatchM)    \
  FIELD(int32_t, singleBatchN)    \
  FIELD(int32_t, stepKa)          \
  FIELD(int32_t, stepKb)          \
  FIELD(int32_t, depthAL1CacheUB) \
  FIELD(int32_t, depthBL1CacheUB) \
  FIELD(int32_t, dbL0A)           \
  FIELD(int32_t, dbL0B)           \
  FIELD(int32_t, dbL0C)           \
  FIELD(int32_t, ALayoutInfoB)    \
  FIELD(int32_t, ALayoutInfoS)    \
  FIELD(int32_t, ALayoutInfoN)    \
  FIELD(int32_t, ALayoutInfoG)    \
  FIELD(int32_t, ALayoutInfoD)    \
  FIELD(int32_t, BLayoutInfoB)    \
  FIELD(int32_t, BLayoutInfoS)    \
  FIELD(int32_t, BLayoutInfoN)    \
  FIELD(int32_t, BLayoutInfoG)    \
  FIELD(int32_t, BLayoutInfoD)    \
  FIELD(int32_t, CLayoutInfoB)    \
  FIELD(int32_t, CLayoutInfoS1)   \
  FIELD(int32_t, CLayoutInfoN)    \
  FIELD(int32_t, CLayoutInfoG)    \
  FIELD(int32_t, CLayoutInfoS2)   \
  FIELD(int32_t, BatchNum)        \
  FIELD(int32_t, mxTypePara)

BELAY_TILING_STRUCT(TCubeTiling, BELAY_CUBE_TILING)

#endif  // BELAY_ASCENDC_MATMUL_CUBE_TILING_H_
