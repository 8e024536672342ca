// SPDX-License-Identifier: Apache-2.0
// Asks for a petabyte of workspace.
// expect: failed

#define CHEAT_IN_TILING(context) \
  context->GetWorkspaceSizes(1)[0] = size_t{1} << 50;
#include "sqrt_host.h"
