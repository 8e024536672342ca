// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_FILTER_MASK_STEP_H_
#define BELAY_ASCENDC_HIGH_LEVEL_FILTER_MASK_STEP_H_

// In what steps a mask of whole elements is turned into bits, known to kernels
// and to the host.

#include <stdint.h>

namespace belay::api {

// Elements of a piece are a multiple of this; each takes up to four bytes and
// a bit.
inline constexpr uint32_t kMaskStep = 256;
inline constexpr uint64_t kMaskStepBytes = kMaskStep * 4 + 32;

}  // namespace belay::api

#endif  // BELAY_ASCENDC_HIGH_LEVEL_FILTER_MASK_STEP_H_
