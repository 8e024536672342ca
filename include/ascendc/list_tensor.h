// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_LIST_TENSOR_H_
#define BELAY_ASCENDC_LIST_TENSOR_H_

// ListTensorDesc: a list of tensors in global memory. It starts with the
// distance in bytes to the tensors' addresses; between lie, for each tensor,
// its rank and index (32 bits each) and its dimensions (64 bits each).

#include "ascendc/tensor.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

template <typename T>
class TensorDesc {
 public:
  TensorDesc() = default;

  // Where GetDesc writes the dimensions.
  BELAY_API void SetShapeAddr(uint64_t* shapePtr) { shape_ = shapePtr; }

  BELAY_API uint64_t GetDim() const { return rank_; }
  BELAY_API uint64_t GetIndex() const { return index_; }
  BELAY_API uint64_t GetShape(uint32_t offset) const { return shape_[offset]; }
  BELAY_API T* GetDataPtr() const { return data_; }
  BELAY_API GlobalTensor<T> GetDataObj() const {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(data_);
    return tensor;
  }

 private:
  friend class ListTensorDesc;

  uint64_t* shape_ = nullptr;
  uint64_t rank_ = 0;
  uint64_t index_ = 0;
  T* data_ = nullptr;
};

class ListTensorDesc {
 public:
  ListTensorDesc() = default;
  BELAY_API ListTensorDesc(__gm__ void* data, uint32_t length = 0xffffffff,
                           uint32_t shapeSize = 0xffffffff) {
    Init(data, length, shapeSize);
  }
  BELAY_API void Init(__gm__ void* data, uint32_t = 0xffffffff,
                      uint32_t = 0xffffffff) {
    words_ = static_cast<uint64_t*>(data);
  }

  BELAY_API uint32_t GetSize() const {
    const uint64_t end = words_[0] / sizeof(uint64_t);
    uint32_t size = 0;
    for (uint64_t word = 1; word < end; word += 1 + RankAt(word)) ++size;
    return size;
  }
  template <typename T>
  BELAY_API T* GetDataPtr(uint32_t index) const {
    return reinterpret_cast<T*>(words_[words_[0] / sizeof(uint64_t) + index]);
  }
  template <typename T>
  BELAY_API void GetDesc(TensorDesc<T>& desc, uint32_t index) const {
    uint64_t word = 1;
    for (uint32_t i = 0; i < index; ++i) word += 1 + RankAt(word);
    desc.rank_ = RankAt(word);
    desc.index_ = words_[word] >> 32;
    desc.data_ = GetDataPtr<T>(index);
    for (uint64_t d = 0; d < desc.rank_; ++d) {
      desc.shape_[d] = words_[word + 1 + d];
    }
  }

 private:
  BELAY_API uint64_t RankAt(uint64_t word) const {
    return words_[word] & 0xffffffff;
  }

  __gm__ uint64_t* words_ = nullptr;
};

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_LIST_TENSOR_H_
