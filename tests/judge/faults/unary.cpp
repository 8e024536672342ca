// SPDX-License-Identifier: Apache-2.0
// One function of every element, in pieces of kPiece, ordered by flags. OP and
// COMPUTE stand for the operator's name and what makes `z` of `t`.
#include "kernel_operator.h"

using namespace AscendC;

constexpr int64_t kPiece = 64;

extern "C" __global__ __aicore__ void OP(GM_ADDR x, GM_ADDR y,
                                         GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(tiling_data, tiling);
  const int64_t total = tiling_data.x_elements;
  GlobalTensor<float> from;
  GlobalTensor<float> to;
  from.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(x), total);
  to.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(y), total);
  TPipe pipe;
  TBuf<TPosition::VECCALC> in;
  TBuf<TPosition::VECCALC> out;
  TBuf<TPosition::VECCALC> spare;
  pipe.InitBuffer(in, kPiece * sizeof(float));
  pipe.InitBuffer(out, kPiece * sizeof(float));
  pipe.InitBuffer(spare, kPiece * sizeof(float));
  LocalTensor<float> t = in.Get<float>();
  LocalTensor<float> z = out.Get<float>();
  LocalTensor<float> s = spare.Get<float>();
  const int64_t stride = GetBlockNum() * kPiece;
  for (int64_t at = GetBlockIdx() * kPiece; at < total; at += stride) {
    uint32_t count = static_cast<uint32_t>(total - at < kPiece ? total - at
                                                               : kPiece);
    uint32_t bytes = count * static_cast<uint32_t>(sizeof(float));
    DataCopyExtParams move{1, bytes, 0, 0, 0};
    DataCopyPadExtParams<float> pad{false, 0, 0, 0};
    DataCopyPad(t, from[at], move, pad);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    COMPUTE;
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopyPad(to[at], z, move);
    SetFlag<HardEvent::MTE3_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);
    SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
  }
}
