// SPDX-License-Identifier: Apache-2.0
// Reads its tiling data by every macro there is.

#include "kernel_operator.h"

extern "C" __global__ __aicore__ void key_structs(GM_ADDR y, GM_ADDR workspace,
                                                  GM_ADDR tiling) {
  __gm__ float* out = (__gm__ float*)y;
  if (TILING_KEY_IS(7)) {
    GET_TILING_DATA_WITH_STRUCT(SevenData, all, tiling);
    GET_TILING_DATA_MEMBER(SevenData, part, part, tiling);
    GET_TILING_DATA_PTR_WITH_STRUCT(SevenData, pointer, tiling);
    COPY_TILING_WITH_STRUCT(PartData, pointer->part, copy);
    COPY_TILING_WITH_ARRAY(uint32_t, 3, pointer->list, list);
    out[0] = all.list[0] + all.part.b;
    out[1] = part.a;
    out[2] = pointer->list[1];
    out[3] = copy->b + (*list)[2];
  } else if (TILING_KEY_LIST(1, 2) || TILING_KEY_IS(10000000000000000001ULL)) {
    GET_TILING_DATA(data, tiling);
    out[0] = data.first;
    out[1] = static_cast<float>(static_cast<int64_t>(data.total >> 30));
#if TILING_KEY_VAR == 2
    out[2] = 2;
#else
    out[2] = TILING_KEY_VAR == 10000000000000000001ULL ? 1 : -1;
#endif
    out[3] = sizeof(data);
  }
}
