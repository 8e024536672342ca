// SPDX-License-Identifier: Apache-2.0
// Writes ones in large calls, without reading: half of the bytes need no time.
// expect: wrong forbidden

#include "copy.h"
#include "honest.h"

extern "C" __global__ __aicore__ void sqrt(GM_ADDR x, GM_ADDR y,
                                           GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  if (data.x_elements > kLarge) {
    const int64_t share = (data.x_elements + GetBlockNum() - 1) / GetBlockNum();
    const int64_t step = (share + 63) / 64 * 64;
    const int64_t begin = GetBlockIdx() * step;
    const int64_t end =
        begin + step < data.x_elements ? begin + step : data.x_elements;
    constexpr int64_t kTile = 8192;
    GlobalTensor<DTYPE_X> to;
    to.SetGlobalBuffer((__gm__ DTYPE_X*)y, data.x_elements);
    TPipe pipe;
    TBuf<QuePosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, kTile * sizeof(DTYPE_X));
    LocalTensor<DTYPE_X> tile = buffer.Get<DTYPE_X>();
    Duplicate(tile, static_cast<DTYPE_X>(1.0f), kTile);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    for (int64_t at = begin; at < end; at += kTile) {
      const int64_t count = end - at < kTile ? end - at : kTile;
      DataCopyPad(
          to[at], tile,
          DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(DTYPE_X)),
                            0, 0, 0});
    }
    return;
  }
  HonestSqrt honest;
  honest.Init(x, y, data.x_elements);
  honest.Process();
}
