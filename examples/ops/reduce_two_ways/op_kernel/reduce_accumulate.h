// SPDX-License-Identifier: Apache-2.0
#ifndef REDUCE_ACCUMULATE_H_
#define REDUCE_ACCUMULATE_H_

// Reducing a range of rows of x, seen as outer x reduce x inner, to float
// accumulators in the Unified Buffer.

#include "kernel_operator.h"

using namespace AscendC;

template <typename T, bool is_max>
class ReduceAccumulate {
 public:
  __aicore__ inline void Init(GM_ADDR x, const ReduceShape& shape,
                              TPipe* pipe) {
    shape_ = shape;
    inner_tiles_ = (shape.inner + shape.innerTile - 1) / shape.innerTile;
    x_.SetGlobalBuffer((__gm__ T*)x);
    pipe->InitBuffer(in_, 2, shape.tileElements * sizeof(T));
    pipe->InitBuffer(wide_, shape.tileElements * sizeof(float));
    pipe->InitBuffer(work_, shape.workBytes);
    pipe->InitBuffer(one_, 32);
  }

 protected:
  // Outputs of a unit and where the first of them is.
  struct Unit {
    uint64_t outer;
    uint64_t inner;
    uint32_t count;
  };
  __aicore__ inline Unit UnitAt(uint64_t number) {
    const uint64_t inner = number % inner_tiles_ * shape_.innerTile;
    const uint64_t left = shape_.inner - inner;
    return {number / inner_tiles_, inner,
            left < shape_.innerTile ? static_cast<uint32_t>(left)
                                    : shape_.innerTile};
  }

  // Rows begin .. end of one output; inner is 1.
  __aicore__ inline float ReduceRun(uint64_t outer, uint64_t begin,
                                    uint64_t end) {
    float result = 0.0f;
    for (uint64_t row = begin; row < end; row += shape_.tileElements) {
      const uint32_t count = Smaller(end - row, shape_.tileElements);
      Load(outer * shape_.reduce + row, 1, count);
      LocalTensor<T> tile = in_.template DeQue<T>();
      const float part = ReduceTile(Wide(tile, count), count);
      in_.FreeTensor(tile);
      result = row == begin ? part : Combine(result, part);
    }
    return result;
  }

  // Rows begin .. end of unit.count outputs side by side.
  __aicore__ inline void ReduceRows(const Unit& unit, uint64_t begin,
                                    uint64_t end,
                                    const LocalTensor<float>& result) {
    if (begin == end) Duplicate(result, 0.0f, unit.count);
    const uint32_t padded = (unit.count + kBlock - 1) / kBlock * kBlock;
    const uint32_t fitting = Smaller(shape_.tileElements / padded, kMostRows);
    for (uint64_t row = begin; row < end; row += fitting) {
      const uint32_t rows = Smaller(end - row, fitting);
      Load((unit.outer * shape_.reduce + row) * shape_.inner + unit.inner, rows,
           unit.count);
      LocalTensor<T> tile = in_.template DeQue<T>();
      LocalTensor<float> wide = Wide(tile, rows * padded);
      for (uint32_t i = 0; i < rows; ++i) {
        if (row == begin && i == 0) {
          Adds(result, wide, 0.0f, unit.count);
        } else {
          Combine(result, wide[i * padded], unit.count);
        }
      }
      in_.FreeTensor(tile);
    }
  }

  __aicore__ inline void Combine(const LocalTensor<float>& result,
                                 const LocalTensor<float>& part,
                                 uint32_t count) {
    if constexpr (is_max) {
      Max(result, result, part, count);
    } else {
      Add(result, result, part, count);
    }
  }

  // Rounds float results to T.
  __aicore__ inline void Narrow(const LocalTensor<T>& y,
                                const LocalTensor<float>& result,
                                uint32_t count) {
    if constexpr (IsSameType<T, float>::value) {
      Adds(y, result, 0.0f, count);
    } else {
      Cast(y, result, RoundMode::CAST_RINT, count);
    }
  }

  static __aicore__ inline uint32_t Smaller(uint64_t a, uint64_t b) {
    return static_cast<uint32_t>(a < b ? a : b);
  }

  ReduceShape shape_;
  uint64_t inner_tiles_;
  TQue<QuePosition::VECIN, 1> in_;

 private:
  static constexpr uint32_t kBlock = 32 / sizeof(T);
  static constexpr uint32_t kMostRows = 4095;  // of one DataCopyPad

  __aicore__ inline float Combine(float a, float b) {
    if constexpr (is_max) return a > b ? a : b;
    return a + b;
  }

  __aicore__ inline void Load(uint64_t at, uint32_t rows, uint32_t count) {
    const DataCopyExtParams copy{
        static_cast<uint16_t>(rows), static_cast<uint32_t>(count * sizeof(T)),
        static_cast<uint32_t>((shape_.inner - count) * sizeof(T) *
                              (rows > 1 ? 1 : 0)),
        0, 0};
    LocalTensor<T> tile = in_.template AllocTensor<T>();
    DataCopyPadExtParams<T> padding;
    padding.isPad = false;
    DataCopyPad(tile, x_[at], copy, padding);
    in_.EnQue(tile);
  }

  __aicore__ inline LocalTensor<float> Wide(const LocalTensor<T>& tile,
                                            uint32_t count) {
    if constexpr (IsSameType<T, float>::value) {
      return tile;
    } else {
      LocalTensor<float> wide = wide_.Get<float>();
      Cast(wide, tile, RoundMode::CAST_NONE, count);
      return wide;
    }
  }

  __aicore__ inline float ReduceTile(const LocalTensor<float>& tile,
                                     uint32_t count) {
    LocalTensor<float> one = one_.Get<float>();
    LocalTensor<float> work = work_.Get<float>();
    if constexpr (is_max) {
      ReduceMax(one, tile, work, count);
    } else {
      ReduceSum(one, tile, work, count);
    }
    return one.GetValue(0);
  }

  GlobalTensor<T> x_;
  TBuf<QuePosition::VECCALC> wide_, work_, one_;
};

#endif  // REDUCE_ACCUMULATE_H_
