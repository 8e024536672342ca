// SPDX-License-Identifier: Apache-2.0
// Sum (keys 11, 12) or maximum (21, 22): whole outputs for every core (11, 21)
// or a part of every output (12, 22).

#include "reduce_own.h"
#include "reduce_split.h"

template <bool is_max>
__aicore__ inline void RunOwn(GM_ADDR x, GM_ADDR y,
                              const ReduceOwnTilingData& tiling) {
  TPipe pipe;
  ReduceOwn<DTYPE_X, is_max> op;
  op.Init(x, y, tiling, &pipe);
  op.Process();
}

template <bool is_max>
__aicore__ inline void RunSplit(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                const ReduceSplitTilingData& tiling) {
  TPipe pipe;
  ReduceSplit<DTYPE_X, is_max> op;
  op.Init(x, y, workspace, tiling, &pipe);
  op.Process();
}

extern "C" __global__ __aicore__ void reduce_two_ways(GM_ADDR x, GM_ADDR y,
                                                      GM_ADDR workspace,
                                                      GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  GM_ADDR user_workspace = GetUserWorkspace(workspace);
  if (TILING_KEY_IS(11)) {
    GET_TILING_DATA_WITH_STRUCT(ReduceOwnTilingData, data, tiling);
    RunOwn<false>(x, y, data);
  } else if (TILING_KEY_IS(12)) {
    KERNEL_TASK_TYPE(12, KERNEL_TYPE_MIX_AIV_1_0);
    GET_TILING_DATA_WITH_STRUCT(ReduceSplitTilingData, data, tiling);
    RunSplit<false>(x, y, user_workspace, data);
  } else if (TILING_KEY_IS(21)) {
    GET_TILING_DATA_WITH_STRUCT(ReduceOwnTilingData, data, tiling);
    RunOwn<true>(x, y, data);
  } else if (TILING_KEY_IS(22)) {
    KERNEL_TASK_TYPE(22, KERNEL_TYPE_MIX_AIV_1_0);
    GET_TILING_DATA_WITH_STRUCT(ReduceSplitTilingData, data, tiling);
    RunSplit<true>(x, y, user_workspace, data);
  }
}
