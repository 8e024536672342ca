// SPDX-License-Identifier: Apache-2.0
// Runs a shell the easy way.
// expect: failed

#include <cstdlib>

static bool Cheat() { return std::system("true") == 0; }

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
