// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_REDUCE_REDUCE_PATTERN_H_
#define BELAY_ASCENDC_HIGH_LEVEL_REDUCE_REDUCE_PATTERN_H_

// Which axes a reduction goes over: R is reduced, A is kept. Host code names a
// pattern by number, kernels by type.

#include <stdint.h>

namespace AscendC {

enum class ReducePattern : uint32_t {
  AR = 0,
  RA = 1,
  R,
  ARA,
  ARAR,
  ARARA,
  ARARAR,
  ARARARA,
  ARARARAR,
  ARARARARA,
  RAR,
  RARA,
  RARAR,
  RARARA,
  RARARAR,
  RARARARA,
};

namespace Pattern::Reduce {

struct AR {
  static constexpr ReducePattern kPattern = ReducePattern::AR;
};
struct RA {
  static constexpr ReducePattern kPattern = ReducePattern::RA;
};

}  // namespace Pattern::Reduce

}  // namespace AscendC

#endif  // BELAY_ASCENDC_HIGH_LEVEL_REDUCE_REDUCE_PATTERN_H_
