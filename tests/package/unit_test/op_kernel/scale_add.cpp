// SPDX-License-Identifier: Apache-2.0
// z = scale · x + y, and the number of blocks that finished in the workspace.

#include "kernel_operator.h"
#include "scale_add_tiling.h"

using namespace AscendC;

#ifndef SCALE_ADD_STEP
#define SCALE_ADD_STEP tile_
#endif

class KernelScaleAdd {
 public:
  __aicore__ inline KernelScaleAdd() {}

  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                              const ScaleAddTiling& tiling) {
    tile_ = tiling.tile;
    rounds_ = tiling.length / tiling.tile;
    scale_ = tiling.scale;
    const uint64_t start = uint64_t{tiling.length} * GetBlockIdx();
    x_.SetGlobalBuffer((__gm__ float*)x + start, tiling.length);
    y_.SetGlobalBuffer((__gm__ float*)y + start, tiling.length);
    z_.SetGlobalBuffer((__gm__ float*)z + start, tiling.length);
    pipe_.InitBuffer(in_x_, 2, tile_ * sizeof(float));
    pipe_.InitBuffer(in_y_, 2, tile_ * sizeof(float));
    pipe_.InitBuffer(out_, 2, tile_ * sizeof(float));
  }

  __aicore__ inline void Process() {
    for (uint32_t round = 0; round < rounds_; ++round) {
      CopyIn(round);
      Compute();
      CopyOut(round);
    }
  }

 private:
  __aicore__ inline void CopyIn(uint32_t round) {
    LocalTensor<float> x = in_x_.AllocTensor<float>();
    LocalTensor<float> y = in_y_.AllocTensor<float>();
    DataCopy(x, x_[round * SCALE_ADD_STEP], tile_);
    DataCopy(y, y_[round * SCALE_ADD_STEP], tile_);
    in_x_.EnQue(x);
    in_y_.EnQue(y);
  }

  __aicore__ inline void Compute() {
    LocalTensor<float> x = in_x_.DeQue<float>();
    LocalTensor<float> y = in_y_.DeQue<float>();
    LocalTensor<float> z = out_.AllocTensor<float>();
    const float scale = scale_;
    Muls(z, x, scale, tile_);  // stop here
    Add(z, z, y, tile_);
    out_.EnQue(z);
    in_x_.FreeTensor(x);
    in_y_.FreeTensor(y);
  }

  __aicore__ inline void CopyOut(uint32_t round) {
    LocalTensor<float> z = out_.DeQue<float>();
    DataCopy(z_[round * tile_], z, tile_);
    out_.FreeTensor(z);
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, 1> in_x_;
  TQue<QuePosition::VECIN, 1> in_y_;
  TQue<QuePosition::VECOUT, 1> out_;
  GlobalTensor<float> x_;
  GlobalTensor<float> y_;
  GlobalTensor<float> z_;
  uint32_t tile_ = 0;
  uint32_t rounds_ = 0;
  float scale_ = 0;
};

extern "C" __global__ __aicore__ void scale_add(GM_ADDR x, GM_ADDR y, GM_ADDR z,
                                                GM_ADDR workspace,
                                                GM_ADDR tiling) {
  const auto* data = (__gm__ ScaleAddTiling*)tiling;
  ScaleAddTiling copy;
  copy.length = data->length;
  copy.tile = data->tile;
  copy.scale = data->scale;
  KernelScaleAdd op;
  op.Init(x, y, z, copy);
  op.Process();
  auto* finished = (__gm__ int32_t*)workspace + 16 * GetBlockIdx();
  *finished = 1;
}

#ifndef ASCENDC_CPU_DEBUG
// Host code for the card: never seen where kernels are built for a CPU.
void scale_add_do(uint32_t blocks, void* stream, uint8_t* x, uint8_t* y,
                  uint8_t* z, uint8_t* workspace, uint8_t* tiling) {
  scale_add<<<blocks, nullptr, stream>>>(x, y, z, workspace, tiling);
}
#endif
