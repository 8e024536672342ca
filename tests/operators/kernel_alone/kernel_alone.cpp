// SPDX-License-Identifier: Apache-2.0
// Kernels without host code: inputs and outputs, then workspace and tiling as
// far as there are parameters for them.

#include "kernel_operator.h"

extern "C" __global__ __aicore__ void add_one(GM_ADDR x, GM_ADDR y) {
  const int64_t i = AscendC::GetBlockIdx();
  ((__gm__ float*)y)[16 * i] = ((__gm__ float*)x)[16 * i] + 1.0f;
}

extern "C" __global__ __aicore__ void add_tiling(GM_ADDR x, GM_ADDR y,
                                                 GM_ADDR tiling) {
  const int64_t i = AscendC::GetBlockIdx();
  ((__gm__ float*)y)[16 * i] =
      ((__gm__ float*)x)[16 * i] + *(__gm__ float*)tiling;
}

extern "C" __global__ __aicore__ void through_workspace(GM_ADDR x, GM_ADDR y,
                                                        GM_ADDR workspace,
                                                        GM_ADDR tiling) {
  const int64_t i = AscendC::GetBlockIdx();
  __gm__ float* mine = (__gm__ float*)AscendC::GetUserWorkspace(workspace);
  mine[16 * i] = ((__gm__ float*)x)[16 * i];
  ((__gm__ float*)y)[16 * i] = mine[16 * i];
}
