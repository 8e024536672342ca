// SPDX-License-Identifier: Apache-2.0
#ifndef LAYER_NORM_ROWS_H_
#define LAYER_NORM_ROWS_H_

// Rows that fit the Unified Buffer: the next one is loaded while this one is
// computed; gamma and bias stay for all of them.

#include "layer_norm_base.h"

template <typename T>
class LayerNormRows : public LayerNormBase<T> {
 public:
  __aicore__ inline void Process() {
    if (this->rows_ == 0) return;
    const uint32_t columns = this->tiling_->columns;
    LocalTensor<float> gamma, bias;
    if (this->tiling_->hasGamma) {
      gamma = this->LoadAffine(this->gamma_, this->gamma_wide_, columns);
    }
    if (this->tiling_->hasBias) {
      bias = this->LoadAffine(this->bias_, this->bias_wide_, columns);
    }
    this->Load(this->x_, columns);
    for (uint64_t row = 0; row < this->rows_; ++row) {
      if (row + 1 < this->rows_) {
        this->Load(this->x_[(row + 1) * columns], columns);
      }
      Normalise(row, columns, gamma, bias);
    }
  }

 private:
  __aicore__ inline void Normalise(uint64_t row, uint32_t columns,
                                   const LocalTensor<float>& gamma,
                                   const LocalTensor<float>& bias) {
    LocalTensor<float> wide = this->wide_.template Get<float>();
    LocalTensor<float> squares = this->part_.template Get<float>();
    this->Widen(wide, columns);
    const float mean = this->Sum(wide, columns) * this->tiling_->meanFactor;
    Adds(wide, wide, -mean, columns);
    Mul(squares, wide, wide, columns);
    const float rstd = this->Rstd(this->Sum(squares, columns));
    this->KeepStatistics(row, mean, rstd);
    this->Finish(wide, rstd, gamma, bias, this->y_[row * columns], columns);
  }
};

#endif  // LAYER_NORM_ROWS_H_
