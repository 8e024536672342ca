// SPDX-License-Identifier: Apache-2.0
// Writes past the room for tiling data.
// expect: failed

#include <cstring>

#define CHEAT_IN_TILING(context) \
  std::memset(context->GetRawTilingData()->GetData(), 1, size_t{1} << 28);
#include "sqrt_host.h"
