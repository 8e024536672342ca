// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_MATH_OTHER_CHIPS_H_
#define BELAY_ASCENDC_HIGH_LEVEL_MATH_OTHER_CHIPS_H_

// Mathematical functions that only other chips have: code that mentions them
// compiles; a call that is reached ends the block with a diagnostic.

#include "ascendc/inline.h"
#include "belay/guest_abi.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

#define BELAY_OTHER_CHIP(name)                     \
  template <typename... Types, typename... Values> \
  BELAY_API void name(const Values&...) {          \
    belay_not_on_chip(#name);                      \
  }
#define BELAY_OTHER_CHIP_CONFIGURED(name, default_config)                      \
  struct name##Config {                                                        \
    bool isReuseSource;                                                        \
  };                                                                           \
  inline constexpr name##Config default_config = {false};                      \
  template <const name##Config& config, typename... Types, typename... Values> \
  BELAY_API void name(const Values&...) {                                      \
    belay_not_on_chip(#name);                                                  \
  }                                                                            \
  BELAY_OTHER_CHIP(name)

BELAY_OTHER_CHIP(Hypot)
BELAY_OTHER_CHIP(IsFinite)
BELAY_OTHER_CHIP(Where)
BELAY_OTHER_CHIP_CONFIGURED(BitwiseAnd, DEFAULT_BITWISE_AND_CONFIG)
BELAY_OTHER_CHIP_CONFIGURED(BitwiseNot, DEFAULT_BITWISE_NOT_CONFIG)
BELAY_OTHER_CHIP_CONFIGURED(BitwiseOr, DEFAULT_BITWISE_OR_CONFIG)
BELAY_OTHER_CHIP_CONFIGURED(BitwiseXor, DEFAULT_BITWISE_XOR_CONFIG)
BELAY_OTHER_CHIP_CONFIGURED(Clamp, DEFAULT_CLAMP_CONFIG)
BELAY_OTHER_CHIP_CONFIGURED(Fma, DEFAULT_FMA_CONFIG)
BELAY_OTHER_CHIP_CONFIGURED(IsInf, DEFAULT_IS_INF_CONFIG)
BELAY_OTHER_CHIP_CONFIGURED(IsNan, DEFAULT_IS_NAN_CONFIG)
BELAY_OTHER_CHIP_CONFIGURED(LogicalAnd, DEFAULT_LOGICAL_AND_CONFIG)
BELAY_OTHER_CHIP_CONFIGURED(LogicalNot, DEFAULT_LOGICAL_NOT_CONFIG)
BELAY_OTHER_CHIP_CONFIGURED(LogicalOr, DEFAULT_LOGICAL_OR_CONFIG)
BELAY_OTHER_CHIP_CONFIGURED(LogicalXor, DEFAULT_LOGICAL_XOR_CONFIG)
BELAY_OTHER_CHIP_CONFIGURED(Rint, DEFAULT_RINT_CONFIG)
BELAY_OTHER_CHIP_CONFIGURED(SinCos, DEFAULT_SINCOS_CONFIG)
#undef BELAY_OTHER_CHIP_CONFIGURED

#define BELAY_OTHER_CHIP_SCALAR(name, default_config)                          \
  struct name##Config {                                                        \
    bool isReuseSource;                                                        \
    int8_t scalarTensorIndex;                                                  \
  };                                                                           \
  inline constexpr name##Config default_config = {false, 1};                   \
  template <const name##Config& config, typename... Types, typename... Values> \
  BELAY_API void name(const Values&...) {                                      \
    belay_not_on_chip(#name);                                                  \
  }                                                                            \
  BELAY_OTHER_CHIP(name)
BELAY_OTHER_CHIP_SCALAR(LogicalAnds, DEFAULT_LOGICAL_ANDS_CONFIG)
BELAY_OTHER_CHIP_SCALAR(LogicalOrs, DEFAULT_LOGICAL_ORS_CONFIG)
#undef BELAY_OTHER_CHIP_SCALAR
#undef BELAY_OTHER_CHIP

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_MATH_OTHER_CHIPS_H_
