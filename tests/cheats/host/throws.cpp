// SPDX-License-Identifier: Apache-2.0
// Throws what nobody catches.
// expect: failed

static bool Cheat() { throw 42; }

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
