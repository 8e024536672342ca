// SPDX-License-Identifier: Apache-2.0
#ifndef SLICE_RANGE_H_
#define SLICE_RANGE_H_

// Where a slice begins and how large it is, from the values of the inputs
// begins and sizes.

#include <cstdint>
#include <string>
#include <vector>

#include "exe_graph/runtime/shape.h"
#include "exe_graph/runtime/tensor.h"

namespace slice_by_value {

struct SliceRange {
  std::vector<int64_t> begins;
  std::vector<int64_t> sizes;
};

// All values of a tensor of int32 or int64; empty when they are not known.
inline std::vector<int64_t> Values(const gert::Tensor& tensor) {
  const int64_t count = tensor.GetShapeSize();
  if (tensor.GetDataType() == ge::DT_INT32) {
    const int32_t* data = tensor.GetData<int32_t>();
    if (data == nullptr) return {};
    return std::vector<int64_t>(data, data + count);
  }
  const int64_t* data = tensor.GetData<int64_t>();
  if (data == nullptr) return {};
  return std::vector<int64_t>(data, data + count);
}

// Negative begins count from the end; a size of -1 goes to the end. Returns
// what is wrong, or an empty string.
inline std::string ReadRange(const gert::Shape& x, const gert::Tensor* begins,
                             const gert::Tensor* sizes, SliceRange& range) {
  if (begins == nullptr || sizes == nullptr) return "no begins or no sizes";
  const size_t rank = x.GetDimNum();
  range.begins = Values(*begins);
  range.sizes = Values(*sizes);
  if (range.begins.size() != rank || range.sizes.size() != rank) {
    return "begins has " + std::to_string(range.begins.size()) +
           " values and sizes " + std::to_string(range.sizes.size()) +
           "; x has rank " + std::to_string(rank);
  }
  for (size_t i = 0; i < rank; ++i) {
    int64_t& begin = range.begins[i];
    int64_t& size = range.sizes[i];
    if (begin < 0) begin += x.GetDim(i);
    if (size == -1) size = x.GetDim(i) - begin;
    if (begin < 0 || size < 0 || begin + size > x.GetDim(i)) {
      return "dimension " + std::to_string(i) + ": from " +
             std::to_string(begin) + ", " + std::to_string(size) +
             " elements, but x has " + std::to_string(x.GetDim(i));
    }
  }
  return "";
}

}  // namespace slice_by_value

#endif  // SLICE_RANGE_H_
