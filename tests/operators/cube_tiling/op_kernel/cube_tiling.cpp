// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void cube_tiling(GM_ADDR y, GM_ADDR workspace,
                                                  GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  GET_TILING_DATA(data, tiling);
  const TCubeTiling& cube = data.cube;
  const int32_t fields[8] = {data.before, cube.M,     cube.N,     cube.Ka,
                             cube.Kb,     cube.baseM, cube.baseN, data.after};
  AscendC::TPipe pipe;
  AscendC::TBuf<AscendC::TPosition::VECCALC> place;
  pipe.InitBuffer(place, sizeof(fields));
  AscendC::LocalTensor<int32_t> local = place.Get<int32_t>();
  for (int i = 0; i < 8; ++i) local.SetValue(i, fields[i]);
  AscendC::SetFlag<AscendC::HardEvent::S_MTE3>(EVENT_ID0);
  AscendC::WaitFlag<AscendC::HardEvent::S_MTE3>(EVENT_ID0);
  AscendC::GlobalTensor<int32_t> out;
  out.SetGlobalBuffer((__gm__ int32_t*)y, 8);
  AscendC::DataCopy(out, local, 8);
}
