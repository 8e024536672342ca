// SPDX-License-Identifier: Apache-2.0
// Recurses until the stack is gone.
// expect: failed

static bool Cheat() {
  volatile char frame[1 << 16];
  frame[0] = 1;
  return Cheat() && frame[0] == 1;
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
