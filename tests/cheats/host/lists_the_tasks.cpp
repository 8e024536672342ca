// SPDX-License-Identifier: Apache-2.0
// Lists the folder of the tasks.
// expect: failed

#include <dirent.h>

static bool Cheat() { return opendir("@TASKS@") != nullptr; }

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
