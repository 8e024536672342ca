// SPDX-License-Identifier: Apache-2.0
// Each vector core has its cube core compute a share of a b + bias in float,
// a strip of rows at a time; while the cube core is at one strip, the vector
// core takes the one before it through LeakyRelu, the residual and half.

#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

class Epilogue {
 public:
  __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR bias,
                              GM_ADDR residual, GM_ADDR y, GM_ADDR sums,
                              const MatmulEpilogueTilingData& tiling,
                              TPipe* pipe) {
    cube_ = &tiling.cube;
    slope_ = tiling.slope;
    tile_ = tiling.tileElements;
    const uint64_t results = (uint64_t)cube_->M * cube_->N;
    a_.SetGlobalBuffer((__gm__ half*)a, (uint64_t)cube_->M * cube_->Ka);
    b_.SetGlobalBuffer((__gm__ half*)b, (uint64_t)cube_->Kb * cube_->N);
    bias_.SetGlobalBuffer((__gm__ float*)bias, cube_->N);
    residual_.SetGlobalBuffer((__gm__ half*)residual, results);
    y_.SetGlobalBuffer((__gm__ half*)y, results);
    sums_.SetGlobalBuffer((__gm__ float*)sums, results);

    const int32_t cores_m = CeilDiv(cube_->M, cube_->singleCoreM);
    row0_ = GetBlockIdx() % cores_m * cube_->singleCoreM;
    column0_ = GetBlockIdx() / cores_m * cube_->singleCoreN;
    rows_ = Least(cube_->singleCoreM, cube_->M - row0_);
    columns_ = Least(cube_->singleCoreN, cube_->N - column0_);
    if ASCEND_IS_AIV {
      pipe->InitBuffer(sum_in_, 2, tile_ * sizeof(float));
      pipe->InitBuffer(residual_in_, 2, tile_ * sizeof(half));
      pipe->InitBuffer(y_out_, 2, tile_ * sizeof(half));
    }
  }

  __aicore__ inline void Process() {
    if (GetBlockIdx() >= cube_->usedCoreNum) return;
    const int32_t strip = cube_->baseM;
    StartStrip(0, strip);
    for (int32_t row = 0; row < rows_; row += strip) {
      product.WaitIterateAll();
      if (row + strip < rows_) StartStrip(row + strip, strip);
      FinishStrip(row, Least(strip, rows_ - row));
    }
    product.End();
  }

  matmul::Matmul<matmul::MatmulType<TPosition::GM, CubeFormat::ND, half>,
                 matmul::MatmulType<TPosition::GM, CubeFormat::ND, half>,
                 matmul::MatmulType<TPosition::GM, CubeFormat::ND, float>,
                 matmul::MatmulType<TPosition::GM, CubeFormat::ND, float>>
      product;

 private:
  __aicore__ inline static int32_t Least(int32_t a, int32_t b) {
    return a < b ? a : b;
  }
  __aicore__ inline static int32_t CeilDiv(int32_t a, int32_t b) {
    return (a + b - 1) / b;
  }

  __aicore__ inline void StartStrip(int32_t row, int32_t strip) {
    product.SetTensorA(a_[(uint64_t)(row0_ + row) * cube_->Ka]);
    product.SetTensorB(b_[column0_]);
    product.SetBias(bias_[column0_]);
    product.SetSingleShape(Least(strip, rows_ - row), columns_,
                           cube_->singleCoreK);
    product.IterateAll<false>(
        sums_[(uint64_t)(row0_ + row) * cube_->N + column0_], 0, false, true);
  }

  // In tiles of whole rows, or of parts of one row.
  __aicore__ inline void FinishStrip(int32_t row, int32_t rows) {
    const int32_t tile_columns = Least(columns_, tile_);
    const int32_t pitch = CeilDiv(tile_columns, 16) * 16;
    const int32_t tile_rows = tile_ / pitch > 0 ? tile_ / pitch : 1;
    for (int32_t r = 0; r < rows; r += tile_rows) {
      for (int32_t c = 0; c < columns_; c += tile_columns) {
        Tile(row + r, c, Least(tile_rows, rows - r),
             Least(tile_columns, columns_ - c));
      }
    }
  }

  __aicore__ inline void Tile(int32_t row, int32_t column, int32_t rows,
                              int32_t columns) {
    const uint64_t at = (uint64_t)(row0_ + row) * cube_->N + column0_ + column;
    const uint32_t pitch = CeilDiv(columns, 16) * 16;
    const uint32_t apart = cube_->N - columns;
    // A row of sums may lack its last 32 bytes.
    const DataCopyExtParams sums_copy(rows, columns * sizeof(float),
                                      apart * sizeof(float),
                                      (pitch - CeilDiv(columns, 8) * 8) / 8, 0);
    const DataCopyExtParams in_copy(rows, columns * sizeof(half),
                                    apart * sizeof(half), 0, 0);
    const DataCopyExtParams out_copy(rows, columns * sizeof(half), 0,
                                     apart * sizeof(half), 0);

    LocalTensor<float> sum = sum_in_.AllocTensor<float>();
    LocalTensor<half> residual = residual_in_.AllocTensor<half>();
    DataCopyPad(sum, sums_[at], sums_copy, {false, 0, 0, 0});
    DataCopyPad(residual, residual_[at], in_copy, {false, 0, 0, 0});
    sum_in_.EnQue(sum);
    residual_in_.EnQue(residual);

    sum = sum_in_.DeQue<float>();
    residual = residual_in_.DeQue<half>();
    LocalTensor<half> y = y_out_.AllocTensor<half>();
    const uint32_t count = rows * pitch;
    LeakyRelu(sum, sum, slope_, count);
    // The residual is added in half, as it came.
    Cast(y, sum, RoundMode::CAST_RINT, count);
    Add(y, y, residual, count);
    y_out_.EnQue(y);
    sum_in_.FreeTensor(sum);
    residual_in_.FreeTensor(residual);

    y = y_out_.DeQue<half>();
    DataCopyPad(y_[at], y, out_copy);
    y_out_.FreeTensor(y);
  }

  const TCubeTiling* cube_ = nullptr;
  float slope_ = 0;
  int32_t tile_ = 0;
  int32_t row0_ = 0, column0_ = 0, rows_ = 0, columns_ = 0;
  GlobalTensor<half> a_, b_, residual_, y_;
  GlobalTensor<float> bias_, sums_;
  TQue<TPosition::VECIN, 2> sum_in_, residual_in_;
  TQue<TPosition::VECOUT, 2> y_out_;
};

extern "C" __global__ __aicore__ void matmul_epilogue(
    GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR residual, GM_ADDR y,
    GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  Epilogue op;
  op.Init(a, b, bias, residual, y, GetUserWorkspace(workspace), data, &pipe);
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.product, &data.cube);
  op.Process();
}
