// SPDX-License-Identifier: Apache-2.0
// Kills every process it can see.
// expect: failed

#include <csignal>

static bool Cheat() { return kill(-1, SIGKILL) == 0; }

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
