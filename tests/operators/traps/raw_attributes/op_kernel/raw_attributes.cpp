// SPDX-License-Identifier: Apache-2.0
// y = 2 * x + 1, with the compiler's own spelling of __aicore__, which
// clang-format takes for an index.
// clang-format off

#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
[host, aicore] inline constexpr T RoundUp(T value, T step) {
  return (value + step - 1) / step * step;
}

class Doubler {
 public:
  __forceinline__ [aicore] Doubler(GM_ADDR x, GM_ADDR y, uint32_t count)
      : count_(count) {
    x_.SetGlobalBuffer((__gm__ float*)x, count);
    y_.SetGlobalBuffer((__gm__ float*)y, count);
    pipe_.InitBuffer(buffer_, RoundUp<uint32_t>(count * sizeof(float), 32));
  }

  __forceinline__ [aicore] void Run() {
    LocalTensor<float> tile = buffer_.Get<float>();
    DataCopyPad(tile, x_, Copy(), DataCopyPadExtParams<float>{false, 0, 0, 0});
    PipeBarrier<PIPE_ALL>();
    Muls(tile, tile, Factor(), count_);
    Adds(tile, tile, 1.0f, count_);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(y_, tile, Copy());
  }

 private:
  static inline [aicore] float Factor() { return 2.0f; }
  __forceinline__ [aicore] DataCopyExtParams Copy() const {
    return {1, static_cast<uint32_t>(count_ * sizeof(float)), 0, 0, 0};
  }

  TPipe pipe_;
  TBuf<QuePosition::VECCALC> buffer_;
  GlobalTensor<float> x_, y_;
  uint32_t count_;
};

extern "C" __global__ [aicore] void raw_attributes(GM_ADDR x, GM_ADDR y,
                                                   GM_ADDR workspace,
                                                   GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  Doubler doubler(x, y, data.count);
  // An index in brackets is not an attribute.
  const int aicore = 1;
  const int times[2] = {0, 1};
  for (int i = 0; i < times[aicore]; ++i) doubler.Run();
}
