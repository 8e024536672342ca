// SPDX-License-Identifier: Apache-2.0
#include "bench/torch/convert.h"

#include <ATen/ATen.h>

#include <cstring>

#include "base/error.h"
#include "bench/element.h"

namespace belay::bench {
namespace {

struct Stored {
  at::ScalarType as;   // how the bytes are read
  at::ScalarType own;  // the type eager() sees
  int64_t mask;        // of an unsigned type read as a signed one, or 0
};

Stored StoredAs(DType dtype) {
  switch (dtype) {
    case DType::kBool:
      return {at::kBool, at::kBool, 0};
    case DType::kInt8:
      return {at::kChar, at::kChar, 0};
    case DType::kUint8:
      return {at::kByte, at::kByte, 0};
    case DType::kInt16:
      return {at::kShort, at::kShort, 0};
    case DType::kUint16:
      return {at::kShort, at::kInt, 0xffff};
    case DType::kHalf:
      return {at::kHalf, at::kFloat, 0};
    case DType::kBfloat16:
      return {at::kBFloat16, at::kFloat, 0};
    case DType::kInt32:
      return {at::kInt, at::kInt, 0};
    case DType::kUint32:
      return {at::kInt, at::kLong, 0xffffffff};
    case DType::kFloat:
      return {at::kFloat, at::kFloat, 0};
    case DType::kInt64:
    case DType::kUint64:
      return {at::kLong, at::kLong, 0};
    case DType::kDouble:
      return {at::kDouble, at::kDouble, 0};
    case DType::kComplex64:
      return {at::kComplexFloat, at::kComplexFloat, 0};
    case DType::kInt4:
    case DType::kNone:
      break;
  }
  throw InternalError("a tensor of a dtype that libtorch does not have");
}

at::ScalarType Exact(DType dtype) {
  if (dtype == DType::kBool) return at::kBool;
  if (dtype == DType::kComplex64) return at::kComplexDouble;
  return IsReal(dtype) ? at::kDouble : at::kLong;
}

}  // namespace

at::Tensor ToTensor(const Array& array, View view) {
  const Stored stored = StoredAs(array.dtype);
  // from_blob takes no const memory; the tensor is copied before use.
  auto* data = const_cast<std::byte*>(array.data.data());
  const at::Tensor seen =
      array.data.empty()
          ? at::empty(array.shape, at::TensorOptions(stored.as))
          : at::from_blob(data, array.shape, at::TensorOptions(stored.as));
  const at::ScalarType wanted =
      view == View::kExact ? Exact(array.dtype) : stored.own;
  at::Tensor copy = seen.to(wanted, /*non_blocking=*/false, /*copy=*/true);
  if (stored.mask != 0) copy.bitwise_and_(at::Scalar(stored.mask));
  return copy;
}

std::optional<Array> ToGolden(const at::Tensor& tensor, DType declared) {
  const at::ScalarType type = tensor.scalar_type();
  const bool complex = declared == DType::kComplex64;
  const bool truth = declared == DType::kBool;
  const bool real = IsReal(declared) && !complex;
  if (complex != at::isComplexType(type) || truth != (type == at::kBool) ||
      real != at::isFloatingType(type)) {
    return std::nullopt;
  }
  at::Tensor wide = tensor.detach().to(Exact(declared)).resolve_conj();
  if (complex) wide = at::view_as_real(wide);
  wide = wide.contiguous();
  Array array;
  array.dtype = truth             ? DType::kBool
                : real || complex ? DType::kDouble
                                  : DType::kInt64;
  array.shape.assign(wide.sizes().begin(), wide.sizes().end());
  array.data.resize(static_cast<size_t>(wide.numel()) * wide.element_size());
  if (!array.data.empty()) {
    std::memcpy(array.data.data(), wide.data_ptr(), array.data.size());
  }
  return array;
}

}  // namespace belay::bench
