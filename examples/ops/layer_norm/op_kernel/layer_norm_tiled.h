// SPDX-License-Identifier: Apache-2.0
#ifndef LAYER_NORM_TILED_H_
#define LAYER_NORM_TILED_H_

// Rows longer than the Unified Buffer, in tiles: once for the mean, once for
// the variance, once for the result.

#include "layer_norm_base.h"

template <typename T>
class LayerNormTiled : public LayerNormBase<T> {
 public:
  __aicore__ inline void Process() {
    for (uint64_t row = 0; row < this->rows_; ++row) {
      const float mean = RowSum(row, 0.0f, false) * this->tiling_->meanFactor;
      const float rstd = this->Rstd(RowSum(row, mean, true));
      this->KeepStatistics(row, mean, rstd);
      Normalise(row, mean, rstd);
    }
  }

 private:
  __aicore__ inline uint32_t CountAt(uint64_t column) {
    const uint64_t left = this->tiling_->columns - column;
    return left < this->tiling_->tileColumns ? left
                                             : this->tiling_->tileColumns;
  }

  // The sum of x - mean, or of its squares, over a row.
  __aicore__ inline float RowSum(uint64_t row, float mean, bool is_squared) {
    const uint64_t start = row * this->tiling_->columns;
    LocalTensor<float> wide = this->wide_.template Get<float>();
    float sum = 0.0f;
    for (uint64_t column = 0; column < this->tiling_->columns;
         column += this->tiling_->tileColumns) {
      const uint32_t count = CountAt(column);
      this->Load(this->x_[start + column], count);
      this->Widen(wide, count);
      if (is_squared) {
        Adds(wide, wide, -mean, count);
        Mul(wide, wide, wide, count);
      }
      sum += this->Sum(wide, count);
    }
    return sum;
  }

  __aicore__ inline void Normalise(uint64_t row, float mean, float rstd) {
    const uint64_t start = row * this->tiling_->columns;
    LocalTensor<float> wide = this->wide_.template Get<float>();
    LocalTensor<float> gamma, bias;
    for (uint64_t column = 0; column < this->tiling_->columns;
         column += this->tiling_->tileColumns) {
      const uint32_t count = CountAt(column);
      if (this->tiling_->hasGamma) {
        gamma =
            this->LoadAffine(this->gamma_[column], this->gamma_wide_, count);
      }
      if (this->tiling_->hasBias) {
        bias = this->LoadAffine(this->bias_[column], this->bias_wide_, count);
      }
      this->Load(this->x_[start + column], count);
      this->Widen(wide, count);
      Adds(wide, wide, -mean, count);
      this->Finish(wide, rstd, gamma, bias, this->y_[start + column], count);
    }
  }
};

#endif  // LAYER_NORM_TILED_H_
