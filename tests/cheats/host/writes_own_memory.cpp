// SPDX-License-Identifier: Apache-2.0
// Opens its own memory as a file, to write where pages are read-only.
// expect: failed

#include <fcntl.h>

static bool Cheat() { return open("/proc/self/mem", O_RDWR) >= 0; }

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
