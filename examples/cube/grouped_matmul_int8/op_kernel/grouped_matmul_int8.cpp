// SPDX-License-Identifier: Apache-2.0
// Cube cores only: the tiles of all groups are dealt to them in turn, and the
// scales of a tile's columns are applied on the way out of the cube.

#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

class GroupedMatmul {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR weight, GM_ADDR scale,
                              GM_ADDR group_list, GM_ADDR y,
                              const GroupedMatmulInt8TilingData& tiling) {
    tiling_ = &tiling;
    const TCubeTiling& cube = tiling.cube;
    const uint64_t groups = tiling.groups;
    x_.SetGlobalBuffer((__gm__ int8_t*)x, (uint64_t)cube.M * cube.Ka);
    weight_.SetGlobalBuffer((__gm__ int8_t*)weight, groups * cube.Kb * cube.N);
    scale_.SetGlobalBuffer((__gm__ uint64_t*)scale, groups * cube.N);
    group_list_.SetGlobalBuffer((__gm__ int64_t*)group_list, groups);
    y_.SetGlobalBuffer((__gm__ half*)y, (uint64_t)cube.M * cube.N);
  }

  __aicore__ inline void Process() {
    const TCubeTiling& cube = tiling_->cube;
    uint64_t tile = 0;
    int64_t first = 0;
    for (uint32_t group = 0; group < tiling_->groups; ++group) {
      const int64_t end = first + group_list_.GetValue(group);
      for (int64_t row = first; row < end; row += cube.singleCoreM) {
        for (int32_t column = 0; column < cube.N; column += cube.singleCoreN) {
          if (tile++ % tiling_->cores != (uint64_t)GetBlockIdx()) continue;
          Tile(group, row, column, Least(cube.singleCoreM, end - row),
               Least(cube.singleCoreN, cube.N - column));
        }
      }
      first = end;
    }
    product.End();
  }

  matmul::Matmul<matmul::MatmulType<TPosition::GM, CubeFormat::ND, int8_t>,
                 matmul::MatmulType<TPosition::GM, CubeFormat::ND, int8_t>,
                 matmul::MatmulType<TPosition::GM, CubeFormat::ND, half>,
                 matmul::MatmulType<TPosition::GM, CubeFormat::ND, int32_t>>
      product;

 private:
  __aicore__ inline static int32_t Least(int64_t a, int64_t b) {
    return (int32_t)(a < b ? a : b);
  }

  __aicore__ inline void Tile(uint32_t group, int64_t row, int32_t column,
                              int32_t rows, int32_t columns) {
    const TCubeTiling& cube = tiling_->cube;
    product.SetTensorA(x_[row * cube.Ka]);
    product.SetTensorB(weight_[(uint64_t)group * cube.Kb * cube.N + column]);
    product.SetQuantVector(scale_[(uint64_t)group * cube.N + column]);
    product.SetSingleShape(rows, columns, cube.singleCoreK);
    product.IterateAll(y_[row * cube.N + column]);
  }

  const GroupedMatmulInt8TilingData* tiling_ = nullptr;
  GlobalTensor<int8_t> x_, weight_;
  GlobalTensor<uint64_t> scale_;
  GlobalTensor<int64_t> group_list_;
  GlobalTensor<half> y_;
};

extern "C" __global__ __aicore__ void grouped_matmul_int8(
    GM_ADDR x, GM_ADDR weight, GM_ADDR scale, GM_ADDR group_list, GM_ADDR y,
    GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  GroupedMatmul op;
  op.Init(x, weight, scale, group_list, y, data);
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.product, &data.cube);
  op.Process();
}
