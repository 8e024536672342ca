// SPDX-License-Identifier: Apache-2.0
// Changes the rights of a file that is none of its business.
// expect: failed

#include <sys/stat.h>

static bool Cheat() { return chmod("@CANARY@/canary", 0777) == 0; }

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
