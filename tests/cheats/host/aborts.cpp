// SPDX-License-Identifier: Apache-2.0
// Aborts.
// expect: failed

#include <cstdlib>

static bool Cheat() { std::abort(); }

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
