// SPDX-License-Identifier: Apache-2.0
// Kills itself, so that it looks like the machine's fault and is tried again.
// expect: failed

#include <unistd.h>

#include <csignal>

static bool Cheat() {
  kill(getpid(), SIGKILL);
  return false;
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
