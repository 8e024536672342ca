// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_EXE_GRAPH_RUNTIME_TENSOR_H_
#define BELAY_EXE_GRAPH_RUNTIME_TENSOR_H_

// gert::Tensor: shape, format and type of a tensor, and its values where host
// code may read them.

#include "exe_graph/runtime/storage_format.h"
#include "exe_graph/runtime/storage_shape.h"
#include "graph/types.h"

namespace gert {

enum TensorPlacement {
  kOnDeviceHbm,
  kOnHost,
  kFollowing,
  kOnDeviceP2p,
  kTensorPlacementEnd,
};

class Tensor {
 public:
  Tensor() = default;
  Tensor(const StorageShape& shape, const StorageFormat& format,
         ge::DataType type)
      : shape_(shape), format_(format), type_(type) {}
  Tensor(const StorageShape& shape, const StorageFormat& format,
         TensorPlacement placement, ge::DataType type, void* data)
      : shape_(shape),
        format_(format),
        type_(type),
        placement_(placement),
        data_(data) {}

  int64_t GetShapeSize() const {
    return shape_.GetStorageShape().GetShapeSize();
  }

  // The values; nullptr when they are not known on the host, that is unless
  // the input is value-dependent.
  template <typename T>
  const T* GetData() const {
    return static_cast<const T*>(data_);
  }
  template <typename T>
  T* GetData() {
    return static_cast<T*>(data_);
  }
  void* GetAddr() { return data_; }
  const void* GetAddr() const { return data_; }
  void SetData(void* data) { data_ = data; }
  size_t GetSize() const {
    return static_cast<size_t>(ge::GetSizeInBytes(GetShapeSize(), type_));
  }

  const StorageShape& GetShape() const { return shape_; }
  StorageShape& GetShape() { return shape_; }
  const Shape& GetStorageShape() const { return shape_.GetStorageShape(); }
  const Shape& GetOriginShape() const { return shape_.GetOriginShape(); }
  Shape& MutableStorageShape() { return shape_.MutableStorageShape(); }
  Shape& MutableOriginShape() { return shape_.MutableOriginShape(); }

  ge::DataType GetDataType() const { return type_; }
  void SetDataType(ge::DataType type) { type_ = type; }

  const StorageFormat& GetFormat() const { return format_; }
  StorageFormat& MutableFormat() { return format_; }
  ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
  ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
  void SetStorageFormat(ge::Format format) { format_.SetStorageFormat(format); }
  void SetOriginFormat(ge::Format format) { format_.SetOriginFormat(format); }

  TensorPlacement GetPlacement() const { return placement_; }
  void SetPlacement(TensorPlacement placement) { placement_ = placement; }

 private:
  StorageShape shape_;
  StorageFormat format_;
  ge::DataType type_ = ge::DT_UNDEFINED;
  TensorPlacement placement_ = kOnDeviceHbm;
  void* data_ = nullptr;
};

}  // namespace gert

#endif  // BELAY_EXE_GRAPH_RUNTIME_TENSOR_H_
