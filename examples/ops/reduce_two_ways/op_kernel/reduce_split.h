// SPDX-License-Identifier: Apache-2.0
#ifndef REDUCE_SPLIT_H_
#define REDUCE_SPLIT_H_

// Every core reduces a range of rows for all outputs; after all have stored
// their partial results to the workspace, each core combines some outputs, in
// the order of the cores.

#include "reduce_accumulate.h"

template <typename T, bool is_max>
class ReduceSplit : public ReduceAccumulate<T, is_max> {
 public:
  using Base = ReduceAccumulate<T, is_max>;

  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                              const ReduceSplitTilingData& tiling,
                              TPipe* pipe) {
    Base::Init(x, tiling.shape, pipe);
    core_ = GetBlockIdx();
    cores_ = tiling.cores;
    begin_ = tiling.rowStart[core_];
    end_ = tiling.rowStart[core_ + 1];
    combine_ = tiling.combineElements;
    outputs_ = tiling.shape.outer * tiling.shape.inner;
    y_.SetGlobalBuffer((__gm__ T*)y, outputs_);
    partials_.SetGlobalBuffer((__gm__ float*)workspace, outputs_ * cores_);
    pipe->InitBuffer(result_, kMostResults * sizeof(float));
    pipe->InitBuffer(partial_out_, 2, kMostResults * sizeof(float));
    pipe->InitBuffer(out_, 1, kMostResults * sizeof(T));
  }

  __aicore__ inline void Process() {
    const uint64_t units = this->shape_.outer * this->inner_tiles_;
    for (uint64_t i = 0; i < units; ++i) StorePartial(this->UnitAt(i));
    SyncAll();
    const uint64_t step = static_cast<uint64_t>(cores_) * combine_;
    for (uint64_t at = static_cast<uint64_t>(core_) * combine_; at < outputs_;
         at += step) {
      CombineAt(at, Base::Smaller(outputs_ - at, combine_));
    }
  }

 private:
  static constexpr uint32_t kMostResults = 2048;

  __aicore__ inline void StorePartial(const typename Base::Unit& unit) {
    LocalTensor<float> partial = partial_out_.template AllocTensor<float>();
    if (this->shape_.inner == 1) {
      partial.SetValue(0, this->ReduceRun(unit.outer, begin_, end_));
    } else {
      this->ReduceRows(unit, begin_, end_, partial);
    }
    partial_out_.EnQue(partial);
    partial = partial_out_.template DeQue<float>();
    const DataCopyExtParams copy{
        1, static_cast<uint32_t>(unit.count * sizeof(float)), 0, 0, 0};
    DataCopyPad(partials_[core_ * outputs_ + unit.outer * this->shape_.inner +
                          unit.inner],
                partial, copy);
    partial_out_.FreeTensor(partial);
  }

  __aicore__ inline void CombineAt(uint64_t at, uint32_t count) {
    const uint32_t padded = (count + 7) / 8 * 8;
    LocalTensor<float> parts = this->in_.template AllocTensor<float>();
    const DataCopyExtParams load{
        static_cast<uint16_t>(cores_),
        static_cast<uint32_t>(count * sizeof(float)),
        static_cast<uint32_t>((outputs_ - count) * sizeof(float)), 0, 0};
    DataCopyPadExtParams<float> padding;
    padding.isPad = false;
    DataCopyPad(parts, partials_[at], load, padding);
    this->in_.EnQue(parts);
    parts = this->in_.template DeQue<float>();
    LocalTensor<float> result = result_.Get<float>();
    Adds(result, parts, 0.0f, count);
    for (uint32_t core = 1; core < cores_; ++core) {
      Base::Combine(result, parts[core * padded], count);
    }
    LocalTensor<T> y = out_.template AllocTensor<T>();
    this->Narrow(y, result, count);
    this->in_.FreeTensor(parts);
    out_.EnQue(y);
    y = out_.template DeQue<T>();
    const DataCopyExtParams store{1, static_cast<uint32_t>(count * sizeof(T)),
                                  0, 0, 0};
    DataCopyPad(y_[at], y, store);
    out_.FreeTensor(y);
  }

  GlobalTensor<T> y_;
  GlobalTensor<float> partials_;
  TBuf<QuePosition::VECCALC> result_;
  TQue<QuePosition::VECOUT, 1> partial_out_, out_;
  uint64_t begin_, end_, outputs_;
  uint32_t core_, cores_, combine_;
};

#endif  // REDUCE_SPLIT_H_
