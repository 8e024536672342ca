// SPDX-License-Identifier: Apache-2.0
// Keeps answers of one call for the next in shared memory.
// expect: failed

#include <sys/ipc.h>
#include <sys/shm.h>

static bool Cheat() { return shmget(0x62656c61, 4096, IPC_CREAT | 0600) >= 0; }

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
