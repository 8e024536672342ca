// SPDX-License-Identifier: Apache-2.0
// Forks a child that stays behind when the judge has gone on.
// expect: failed

#include <unistd.h>

static bool Cheat() {
  if (fork() == 0) {
    for (;;) pause();
  }
  return true;
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
