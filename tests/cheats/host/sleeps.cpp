// SPDX-License-Identifier: Apache-2.0
// Uses no processor time at all.
// expect: failed

#include <unistd.h>

static bool Cheat() {
  for (;;) pause();
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
