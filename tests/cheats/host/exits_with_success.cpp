// SPDX-License-Identifier: Apache-2.0
// Ends the process with success before anything is compared.
// expect: failed

#include <cstdlib>

static bool Cheat() { _Exit(0); }

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
