// SPDX-License-Identifier: Apache-2.0
// Hands over more tiling data than there is room for.
// expect: failed

#define CHEAT_IN_TILING(context)                             \
  context->GetRawTilingData()->SetDataSize(size_t{1} << 40); \
  return ge::GRAPH_SUCCESS;
#include "sqrt_host.h"
