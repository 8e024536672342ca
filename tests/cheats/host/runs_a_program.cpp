// SPDX-License-Identifier: Apache-2.0
// Runs a shell.
// expect: failed

#include <unistd.h>

static bool Cheat() {
  execl("/bin/sh", "sh", "-c", "id > @SHARED@/belay-cheat", nullptr);
  return false;
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
