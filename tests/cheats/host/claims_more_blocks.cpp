// SPDX-License-Identifier: Apache-2.0
// Asks for a million blocks.
// expect: failed

#define CHEAT_IN_TILING(context) context->SetBlockDim(1000000);
#include "sqrt_host.h"
