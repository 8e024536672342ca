// SPDX-License-Identifier: Apache-2.0
// Writes into a folder that is none of its business.
// expect: failed

#include <fstream>

static bool Cheat() {
  std::ofstream file("@CANARY@/written");
  file << "here";
  file.close();
  return static_cast<bool>(file);
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
