// SPDX-License-Identifier: Apache-2.0
// Has the kernel kill it, by a limit of no processor time at all.
// expect: failed

#include <sys/resource.h>

static bool Cheat() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CPU, &none);
  for (volatile int i = 0;; i = 1) {
  }
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
