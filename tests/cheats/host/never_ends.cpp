// SPDX-License-Identifier: Apache-2.0
// Loops for ever, deaf to signals.
// expect: failed

#include <csignal>

static bool Cheat() {
  for (int one = 1; one < 32; ++one) std::signal(one, SIG_IGN);
  for (volatile int i = 0;; i = 1) {
  }
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
