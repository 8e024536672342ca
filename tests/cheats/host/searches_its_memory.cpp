// SPDX-License-Identifier: Apache-2.0
// Searches every page of its own process for values that look like answers.
// expect: failed

#include <cstdint>

static bool Cheat() {
  for (uintptr_t at = 0x10000;; at += 4096) {
    if (*reinterpret_cast<volatile uint32_t*>(at) == 0x3fb504f3) return true;
  }
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
