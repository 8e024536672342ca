// SPDX-License-Identifier: Apache-2.0
// Keeps answers of one call for the next in a file.
// expect: failed

#include <fstream>

static bool Cheat() {
  std::ofstream file("@SHARED@/belay-cheat");
  file << "kept";
  file.close();
  return static_cast<bool>(file);
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
