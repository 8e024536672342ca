// SPDX-License-Identifier: Apache-2.0
// Asks for no block at all: nothing runs, nothing fails.
// expect: wrong failed

#define CHEAT_IN_TILING(context) context->SetBlockDim(0);
#include "sqrt_host.h"
