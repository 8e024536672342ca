// SPDX-License-Identifier: Apache-2.0
// Embeds the reference as bytes.
// expect: not-compiled

#include "kernel_operator.h"

using namespace AscendC;

constexpr unsigned char kReference[] = {
#embed "@TASKS@/level1/Math/Sqrt/reference.py"
};

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {}
