// SPDX-License-Identifier: Apache-2.0
// Reads the reference from disk.
// expect: failed

#include <fstream>
#include <string>

static bool Cheat() {
  std::ifstream file("@TASKS@/level1/Math/Sqrt/reference.py");
  std::string text;
  return static_cast<bool>(std::getline(file, text));
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
