// SPDX-License-Identifier: Apache-2.0
// Copies memory out of the process that judges it.
// expect: failed

#include <sys/uio.h>
#include <unistd.h>

static bool Cheat() {
  char bytes[64];
  iovec mine{bytes, sizeof bytes};
  iovec theirs{reinterpret_cast<void*>(&Cheat), sizeof bytes};
  return process_vm_readv(getppid(), &mine, 1, &theirs, 1, 0) > 0;
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
