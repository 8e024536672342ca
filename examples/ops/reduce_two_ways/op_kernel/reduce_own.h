// SPDX-License-Identifier: Apache-2.0
#ifndef REDUCE_OWN_H_
#define REDUCE_OWN_H_

// Every core reduces outputs of its own.

#include "reduce_accumulate.h"

template <typename T, bool is_max>
class ReduceOwn : public ReduceAccumulate<T, is_max> {
 public:
  using Base = ReduceAccumulate<T, is_max>;

  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y,
                              const ReduceOwnTilingData& tiling, TPipe* pipe) {
    Base::Init(x, tiling.shape, pipe);
    const uint64_t core = GetBlockIdx();
    const uint64_t longer = tiling.longCores;
    units_ = tiling.unitsPerCore + (core < longer ? 1 : 0);
    first_ = tiling.unitsPerCore * core + (core < longer ? core : longer);
    y_.SetGlobalBuffer((__gm__ T*)y);
    pipe->InitBuffer(result_, kMostResults * sizeof(float));
    pipe->InitBuffer(out_, 2, kMostResults * sizeof(T));
  }

  __aicore__ inline void Process() {
    const ReduceShape& shape = this->shape_;
    LocalTensor<float> result = result_.Get<float>();
    if (shape.inner == 1) {
      ReduceSingles(result);
      return;
    }
    for (uint64_t i = 0; i < units_; ++i) {
      const typename Base::Unit unit = this->UnitAt(first_ + i);
      this->ReduceRows(unit, 0, shape.reduce, result);
      Store(unit.outer * shape.inner + unit.inner, result, unit.count);
    }
  }

 private:
  static constexpr uint32_t kMostResults = 2048;

  // One output each, stored many at a time.
  __aicore__ inline void ReduceSingles(const LocalTensor<float>& result) {
    for (uint64_t i = 0; i < units_; ++i) {
      const uint32_t slot = i % kMostResults;
      result.SetValue(slot,
                      this->ReduceRun(first_ + i, 0, this->shape_.reduce));
      if (slot + 1 == kMostResults || i + 1 == units_) {
        Store(first_ + i - slot, result, slot + 1);
      }
    }
  }

  __aicore__ inline void Store(uint64_t at, const LocalTensor<float>& result,
                               uint32_t count) {
    LocalTensor<T> y = out_.template AllocTensor<T>();
    this->Narrow(y, result, count);
    out_.EnQue(y);
    y = out_.template DeQue<T>();
    const DataCopyExtParams copy{1, static_cast<uint32_t>(count * sizeof(T)), 0,
                                 0, 0};
    DataCopyPad(y_[at], y, copy);
    out_.FreeTensor(y);
  }

  GlobalTensor<T> y_;
  TBuf<QuePosition::VECCALC> result_;
  TQue<QuePosition::VECOUT, 1> out_;
  uint64_t units_;
  uint64_t first_;
};

#endif  // REDUCE_OWN_H_
