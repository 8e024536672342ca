// SPDX-License-Identifier: Apache-2.0
// Starts threads, to have more than one processor.
// expect: failed

#include <thread>

static bool Cheat() {
  std::thread([] {
    for (;;) std::this_thread::yield();
  }).detach();
  return true;
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
