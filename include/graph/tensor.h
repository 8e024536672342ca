// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GRAPH_TENSOR_H_
#define BELAY_GRAPH_TENSOR_H_

// ge::Shape and ge::TensorDesc: what a graph knows of a tensor.

#include <stdint.h>

#include <utility>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/types.h"

namespace ge {

class Shape {
 public:
  Shape() = default;
  explicit Shape(std::vector<int64_t> dims) : dims_(std::move(dims)) {}

  size_t GetDimNum() const { return dims_.size(); }
  std::vector<int64_t> GetDims() const { return dims_; }
  // 0 for an index that is not there.
  int64_t GetDim(size_t index) const {
    return index < dims_.size() ? dims_[index] : 0;
  }
  graphStatus SetDim(size_t index, int64_t size) {
    if (index >= dims_.size()) return GRAPH_FAILED;
    dims_[index] = size;
    return GRAPH_SUCCESS;
  }
  // The product of the sizes: 0 without any, -1 with an unknown one.
  int64_t GetShapeSize() const {
    if (dims_.empty()) return 0;
    int64_t size = 1;
    for (const int64_t dim : dims_) {
      if (dim < 0) return -1;
      size *= dim;
    }
    return size;
  }

 private:
  std::vector<int64_t> dims_;
};

class TensorDesc {
 public:
  TensorDesc() = default;
  explicit TensorDesc(Shape shape, Format format = FORMAT_ND,
                      DataType type = DT_FLOAT)
      : shape_(shape),
        origin_(std::move(shape)),
        format_(format),
        type_(type) {}

  Shape GetShape() const { return shape_; }
  void SetShape(const Shape& shape) { shape_ = shape; }
  Shape GetOriginShape() const { return origin_; }
  void SetOriginShape(const Shape& shape) { origin_ = shape; }
  Format GetFormat() const { return format_; }
  void SetFormat(Format format) { format_ = format; }
  Format GetOriginFormat() const { return origin_format_; }
  void SetOriginFormat(Format format) { origin_format_ = format; }
  DataType GetDataType() const { return type_; }
  void SetDataType(DataType type) { type_ = type; }
  AscendString GetName() const { return name_; }
  void SetName(const char* name) { name_ = name; }

 private:
  Shape shape_;
  Shape origin_;
  Format format_ = FORMAT_ND;
  Format origin_format_ = FORMAT_ND;
  DataType type_ = DT_FLOAT;
  AscendString name_;
};

}  // namespace ge

#endif  // BELAY_GRAPH_TENSOR_H_
