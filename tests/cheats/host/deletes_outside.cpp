// SPDX-License-Identifier: Apache-2.0
// Deletes a file that is none of its business.
// expect: failed

#include <unistd.h>

static bool Cheat() { return unlink("@CANARY@/canary") == 0; }

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
