// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_CUBE_TYPES_H_
#define BELAY_ASCENDC_CUBE_TYPES_H_

// The words of the cube that carry no behaviour: modes and layouts.

#include <stdint.h>

#include "ascendc/inline.h"
#include "belay/instruction.h"

// How Fixpipe converts what it moves. A V in front: a parameter for each
// column. Lives in the global namespace, as on the card. Those behind VREQ8
// are other chips'.
enum QuantMode_t {
  NoQuant = 0,
  F322F16,
  F322BF16,
  DEQF16,
  VDEQF16,
  QF322B8_PRE,
  VQF322B8_PRE,
  REQ8,
  VREQ8,
  QF322FP8_PRE,
  VQF322FP8_PRE,
  QF322HIF8_PRE,
  VQF322HIF8_PRE,
  QF322HIF8_PRE_HYBRID,
  VQF322HIF8_PRE_HYBRID,
  QS322BF16_PRE,
  VQS322BF16_PRE,
  QF322F16_PRE,
  VQF322F16_PRE,
  QF322BF16_PRE,
  VQF322BF16_PRE,
  QF322F32_PRE,
  VQF322F32_PRE,
};

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

constexpr int32_t PAD_SIZE = 4;
// Rows of a fractal, and its bytes in a row.
constexpr int32_t BLOCK_CUBE = 16;
constexpr int32_t DEFAULT_C0_SIZE = 32;
// Elements of a fractal of 16-bit elements.
constexpr int32_t CUBE_MAX_SIZE = 256;

enum class FmatrixMode : uint8_t { FMATRIX_LEFT = 0, FMATRIX_RIGHT = 1 };

enum class HF32Mode : uint8_t { DISABLE = 0, ENABLE = 1 };
enum class HF32TransMode : uint8_t { NEAREST_EVEN = 0, NEAREST_ZERO = 1 };

// Whether LoadData of a feature map sets its shape and its padding value, or
// takes those that SetFmatrix and SetLoadDataPaddingValue have set.
struct IsResetLoad3dConfig {
  bool isSetFMatrix = true;
  bool isSetPadding = true;
};
inline constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG = {true,
                                                                       true};

enum class CO2Layout : uint8_t { NZ = 0, ROW_MAJOR, COLUMN_MAJOR };
struct FixpipeConfig {
  CO2Layout format;
  bool isToUB = false;
};
inline constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ};
inline constexpr FixpipeConfig CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR};
inline constexpr FixpipeConfig CFG_COLUMN_MAJOR = {CO2Layout::COLUMN_MAJOR};

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_CUBE_TYPES_H_
