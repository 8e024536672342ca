// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/host_types.h"

namespace belay::runtime {
namespace {

constexpr struct {
  ge::DataType host;
  DType dtype;
} kTypes[] = {
    {ge::DT_BOOL, DType::kBool},           {ge::DT_INT4, DType::kInt4},
    {ge::DT_INT8, DType::kInt8},           {ge::DT_UINT8, DType::kUint8},
    {ge::DT_INT16, DType::kInt16},         {ge::DT_UINT16, DType::kUint16},
    {ge::DT_FLOAT16, DType::kHalf},        {ge::DT_BF16, DType::kBfloat16},
    {ge::DT_INT32, DType::kInt32},         {ge::DT_UINT32, DType::kUint32},
    {ge::DT_FLOAT, DType::kFloat},         {ge::DT_INT64, DType::kInt64},
    {ge::DT_UINT64, DType::kUint64},       {ge::DT_DOUBLE, DType::kDouble},
    {ge::DT_COMPLEX64, DType::kComplex64},
};

}  // namespace

DType FromHost(ge::DataType type) {
  for (const auto& entry : kTypes) {
    if (entry.host == type) return entry.dtype;
  }
  return DType::kNone;
}

ge::DataType ToHost(DType dtype) {
  for (const auto& entry : kTypes) {
    if (entry.dtype == dtype) return entry.host;
  }
  return ge::DT_UNDEFINED;
}

gert::Shape ToHost(const Shape& shape) {
  gert::Shape host;
  for (const int64_t size : shape) host.AppendDim(size);
  return host;
}

Shape FromHost(const gert::Shape& shape) {
  Shape sizes;
  for (size_t i = 0; i < shape.GetDimNum(); ++i) {
    sizes.push_back(shape.GetDim(i));
  }
  return sizes;
}

}  // namespace belay::runtime
