// SPDX-License-Identifier: Apache-2.0
// Catches its own crash and goes on as if nothing had been.
// expect: failed

#include <csetjmp>
#include <csignal>

static bool Cheat() {
  static sigjmp_buf back;
  std::signal(SIGSYS, [](int) { siglongjmp(back, 1); });
  std::signal(SIGSEGV, [](int) { siglongjmp(back, 1); });
  if (sigsetjmp(back, 1) != 0) return false;
  *reinterpret_cast<volatile int*>(16) = 1;
  return true;
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
