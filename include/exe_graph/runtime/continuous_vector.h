// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_EXE_GRAPH_RUNTIME_CONTINUOUS_VECTOR_H_
#define BELAY_EXE_GRAPH_RUNTIME_CONTINUOUS_VECTOR_H_

// Lists as attributes hold them: a head, then the elements right behind it.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <memory>
#include <new>

#include "graph/ge_error_codes.h"

namespace gert {

class ContinuousVector {
 public:
  ContinuousVector(const ContinuousVector&) = delete;
  ContinuousVector& operator=(const ContinuousVector&) = delete;

  // A list with room for `capacity` elements of T and none in it.
  template <typename T>
  static std::unique_ptr<uint8_t[]> Create(size_t capacity) {
    static_assert(alignof(T) <= alignof(ContinuousVector),
                  "elements follow the head");
    std::unique_ptr<uint8_t[]> memory(
        new uint8_t[sizeof(ContinuousVector) + capacity * sizeof(T)]());
    new (memory.get()) ContinuousVector(capacity);
    return memory;
  }

  size_t GetSize() const { return size_; }
  size_t GetCapacity() const { return capacity_; }
  ge::graphStatus SetSize(size_t size) {
    if (size > capacity_) return ge::GRAPH_FAILED;
    size_ = size;
    return ge::GRAPH_SUCCESS;
  }

  const void* GetData() const { return this + 1; }
  void* MutableData() { return this + 1; }

 protected:
  explicit ContinuousVector(size_t capacity) : capacity_(capacity) {}

 private:
  size_t capacity_ = 0;
  size_t size_ = 0;
};

template <typename T>
class TypedContinuousVector : private ContinuousVector {
 public:
  using ContinuousVector::GetCapacity;
  using ContinuousVector::GetSize;
  using ContinuousVector::SetSize;

  const T* GetData() const {
    return static_cast<const T*>(ContinuousVector::GetData());
  }
  T* MutableData() { return static_cast<T*>(ContinuousVector::MutableData()); }
};

// A list of lists: pointers to them, which must outlive it.
class ContinuousVectorVector {
 public:
  ContinuousVectorVector(const ContinuousVector* const* lists, size_t size)
      : lists_(lists), size_(size) {}

  size_t GetSize() const { return size_; }
  const ContinuousVector* Get(size_t index) const {
    return index < size_ ? lists_[index] : nullptr;
  }

 private:
  const ContinuousVector* const* lists_;
  size_t size_;
};

}  // namespace gert

#endif  // BELAY_EXE_GRAPH_RUNTIME_CONTINUOUS_VECTOR_H_
