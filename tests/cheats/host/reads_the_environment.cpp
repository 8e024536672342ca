// SPDX-License-Identifier: Apache-2.0
// Looks for secrets in the environment.
// expect: failed

#include <cstdlib>

static bool Cheat() { return std::getenv("BELAY_CHEAT_SECRET") != nullptr; }

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
