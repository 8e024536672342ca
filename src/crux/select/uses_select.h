// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_USES_SELECT_H_
#define BELAY_CRUX_SELECT_USES_SELECT_H_

// Whether code needs the memory that Select keeps for itself.

#include <cstdint>

#include "crux/ir/code.h"

namespace belay::crux::select {

// The end of the Unified Buffer, from 184 KB on.
inline constexpr int64_t kSelectBytes = 8192;

bool UsesSelect(const code::Kernel& kernel);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_USES_SELECT_H_
