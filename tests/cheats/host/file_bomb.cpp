// SPDX-License-Identifier: Apache-2.0
// Takes memory that belongs to no process: files without a name.
// expect: failed

#include <sys/mman.h>
#include <unistd.h>

#include <vector>

static bool Cheat() {
  const std::vector<char> much(64 << 20, 'x');
  for (;;) {
    const int file = memfd_create("x", 0);
    if (file < 0 || write(file, much.data(), much.size()) < 0) return false;
  }
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
