// SPDX-License-Identifier: Apache-2.0
// Takes all memory there is.
// expect: failed

#include <vector>

static bool Cheat() {
  std::vector<std::vector<char>> hoard;
  for (;;) hoard.emplace_back(64 << 20, 'x');
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
