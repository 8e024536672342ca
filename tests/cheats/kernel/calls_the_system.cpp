// SPDX-License-Identifier: Apache-2.0
// Runs a shell.
// expect: not-compiled

#include "kernel_operator.h"

using namespace AscendC;

#include <cstdlib>

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  std::system("id > @SHARED@/belay-cheat");
}
