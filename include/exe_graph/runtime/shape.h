// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_EXE_GRAPH_RUNTIME_SHAPE_H_
#define BELAY_EXE_GRAPH_RUNTIME_SHAPE_H_

// gert::Shape: up to 25 sizes of dimensions, outermost first.

#include <stddef.h>
#include <stdint.h>

#include <initializer_list>

namespace gert {

class Shape {
 public:
  static constexpr size_t kMaxDimNum = 25;
  static constexpr int64_t kInvalidDimValue = INT64_MIN;

  Shape() = default;
  Shape(const std::initializer_list<int64_t>& sizes) {
    for (const int64_t size : sizes) AppendDim(size);
  }

  bool operator==(const Shape& other) const {
    if (count_ != other.count_) return false;
    for (size_t i = 0; i < count_; ++i) {
      if (dims_[i] != other.dims_[i]) return false;
    }
    return true;
  }
  bool operator!=(const Shape& other) const { return !(*this == other); }

  // The product of the sizes: 1 for a scalar. -1 with an unknown size.
  int64_t GetShapeSize() const {
    int64_t size = 1;
    for (size_t i = 0; i < count_; ++i) {
      if (dims_[i] < 0) return -1;
      size *= dims_[i];
    }
    return size;
  }

  bool IsScalar() const { return count_ == 0; }
  void SetScalar() { count_ = 0; }

  size_t GetDimNum() const { return count_; }
  // Left as it was when `count` is above kMaxDimNum.
  void SetDimNum(size_t count) {
    if (count > kMaxDimNum) return;
    for (size_t i = count_; i < count; ++i) dims_[i] = 0;
    count_ = count;
  }

  // kInvalidDimValue for an index that is not there.
  int64_t GetDim(size_t index) const {
    return index < count_ ? dims_[index] : kInvalidDimValue;
  }
  void SetDim(size_t index, int64_t size) {
    if (index < kMaxDimNum) dims_[index] = size;
  }
  Shape& AppendDim(int64_t size) {
    if (count_ < kMaxDimNum) dims_[count_++] = size;
    return *this;
  }

  // Not checked.
  const int64_t& operator[](size_t index) const { return dims_[index]; }
  int64_t& operator[](size_t index) { return dims_[index]; }

 private:
  size_t count_ = 0;
  int64_t dims_[kMaxDimNum] = {};
};

}  // namespace gert

#endif  // BELAY_EXE_GRAPH_RUNTIME_SHAPE_H_
