// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_EXE_GRAPH_RUNTIME_TILING_DATA_H_
#define BELAY_EXE_GRAPH_RUNTIME_TILING_DATA_H_

// gert::TilingData: the bytes that tiling hands to the kernel.

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <memory>
#include <new>
#include <type_traits>

#include "belay/op_host.h"
#include "graph/ge_error_codes.h"

namespace gert {

class TilingData {
 public:
  TilingData(void* data, size_t capacity) : capacity_(capacity), data_(data) {}
  TilingData(const TilingData&) = delete;
  TilingData& operator=(const TilingData&) = delete;

  // An object with its bytes behind it.
  static std::unique_ptr<uint8_t[]> CreateCap(size_t capacity) {
    std::unique_ptr<uint8_t[]> memory(
        new uint8_t[sizeof(TilingData) + capacity]());
    new (memory.get()) TilingData(memory.get() + sizeof(TilingData), capacity);
    return memory;
  }

  size_t GetCapacity() const { return capacity_; }
  size_t GetDataSize() const { return size_; }
  void SetDataSize(size_t size) { size_ = size; }
  void* GetData() { return data_; }
  const void* GetData() const { return data_; }

  // Puts bytes behind those that are there.
  ge::graphStatus Append(const void* data, size_t bytes) {
    if (bytes > capacity_ || size_ > capacity_ - bytes) {
      belay_host_tiling_overflow("TilingData::Append", size_ + bytes,
                                 capacity_);
      return ge::GRAPH_FAILED;
    }
    memcpy(static_cast<uint8_t*>(data_) + size_, data, bytes);
    size_ += bytes;
    return ge::GRAPH_SUCCESS;
  }
  template <typename T>
  ge::graphStatus Append(const T& value) {
    static_assert(std::is_trivially_copyable<T>::value,
                  "tiling data are bytes");
    return Append(&value, sizeof(value));
  }

  // Makes room behind the bytes that are there; nullptr if there is none.
  void* Expand(size_t bytes) {
    if (bytes > capacity_ || size_ > capacity_ - bytes) return nullptr;
    void* place = static_cast<uint8_t*>(data_) + size_;
    size_ += bytes;
    return place;
  }
  template <typename T>
  T* Expand() {
    return static_cast<T*>(Expand(sizeof(T)));
  }

 private:
  size_t capacity_;
  size_t size_ = 0;
  void* data_;
};

template <typename T>
TilingData& operator<<(TilingData& data, const T& value) {
  data.Append(value);
  return data;
}

}  // namespace gert

#endif  // BELAY_EXE_GRAPH_RUNTIME_TILING_DATA_H_
