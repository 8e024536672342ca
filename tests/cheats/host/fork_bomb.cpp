// SPDX-License-Identifier: Apache-2.0
// Forks for ever.
// expect: failed

#include <unistd.h>

static bool Cheat() {
  for (;;) fork();
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
