// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_TRANSFORM_PAD_TILING_H_
#define BELAY_ASCENDC_HIGH_LEVEL_TRANSFORM_PAD_TILING_H_

// What host code tells Pad, UnPad and Transpose: the shapes.

#include <stdint.h>

#include "belay/tiling_struct.h"

#define BELAY_PAD_TILING(FIELD) \
  FIELD(uint32_t, srcHeight)    \
  FIELD(uint32_t, srcWidth)     \
  FIELD(uint32_t, srcOriHeight) \
  FIELD(uint32_t, srcOriWidth)
BELAY_TILING_STRUCT(PadTiling, BELAY_PAD_TILING)

#define BELAY_UNPAD_TILING(FIELD) \
  FIELD(uint32_t, srcHeight)      \
  FIELD(uint32_t, srcWidth)
BELAY_TILING_STRUCT(UnPadTiling, BELAY_UNPAD_TILING)

// [B, N, S, D], or [H, W] as S and D with one B and N. Rows of D elements are
// padded to multiples of 16 in the results that have them.
#define BELAY_TRANSPOSE_TILING(FIELD) \
  FIELD(uint32_t, param0)             \
  FIELD(uint32_t, param1)             \
  FIELD(uint32_t, param2)             \
  FIELD(uint32_t, param3)
BELAY_TILING_STRUCT(ConfusionTransposeTiling, BELAY_TRANSPOSE_TILING)

#endif  // BELAY_ASCENDC_HIGH_LEVEL_TRANSFORM_PAD_TILING_H_
