// SPDX-License-Identifier: Apache-2.0
// Calls address 16.
// expect: failed

static bool Cheat() {
  reinterpret_cast<void (*)()>(16)();
  return true;
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
