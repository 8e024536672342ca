// SPDX-License-Identifier: Apache-2.0
// One value everywhere. Cheats that write constants include this; the test puts
// the text in its place.

#include "share.h"

// Fills the block's share of y with one value.
__aicore__ inline void Fill(GM_ADDR y, int64_t elements, float value) {
  GlobalTensor<DTYPE_X> to;
  to.SetGlobalBuffer((__gm__ DTYPE_X*)y, elements);
  TPipe pipe;
  TBuf<QuePosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 4096 * sizeof(float));
  LocalTensor<DTYPE_X> tile = buffer.Get<DTYPE_X>();
  LocalTensor<float> wide = buffer.Get<float>();
  Duplicate(wide, value, 4096);
  if constexpr (sizeof(DTYPE_X) == 2) {
    PipeBarrier<PIPE_V>();
    Cast(tile, wide, RoundMode::CAST_RINT, 4096);
  }
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  const Share share = ShareOf(elements);
  for (int64_t at = share.begin; at < share.end; at += 4096) {
    const int64_t left = share.end - at < 4096 ? share.end - at : 4096;
    DataCopyPad(to[at], tile,
                DataCopyExtParams{
                    1, static_cast<uint32_t>(left * sizeof(DTYPE_X)), 0, 0, 0});
  }
}
