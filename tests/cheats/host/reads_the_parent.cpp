// SPDX-License-Identifier: Apache-2.0
// Reads the memory of the process that judges it.
// expect: failed

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

static bool Cheat() {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/mem", static_cast<int>(getppid()));
  return open(path, O_RDONLY) >= 0 || open("/proc/1/maps", O_RDONLY) >= 0;
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
