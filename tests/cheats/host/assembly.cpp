// SPDX-License-Identifier: Apache-2.0
// Makes a system call the filter may have forgotten, by its number.
// expect: failed

static bool Cheat() {
  long result;
  asm volatile("int $0x80" : "=a"(result) : "a"(2) : "memory");
  return result >= 0;
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
