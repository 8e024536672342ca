// SPDX-License-Identifier: Apache-2.0
// Attaches to the process that judges it.
// expect: failed

#include <sys/ptrace.h>
#include <unistd.h>

static bool Cheat() {
  return ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) == 0;
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
