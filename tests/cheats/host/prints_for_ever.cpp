// SPDX-License-Identifier: Apache-2.0
// Prints without end.
// expect: failed

#include <cstdio>

static bool Cheat() {
  for (;;) std::puts("a line that says nothing at all, again and again");
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
