// SPDX-License-Identifier: Apache-2.0
#include "crux/interpret/broadcast.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/catalogue.h"
#include "crux/interpret/budget.h"

namespace belay::crux::interpret {

Shape BroadcastShape(const Shape& a, const Shape& b) {
  const size_t rank = std::max(a.size(), b.size());
  Shape result(rank, 1);
  for (size_t d = 0; d < rank; ++d) {
    const int64_t left = d < a.size() ? a[a.size() - 1 - d] : 1;
    const int64_t right = d < b.size() ? b[b.size() - 1 - d] : 1;
    if (left != right && left != 1 && right != 1) {
      throw Fault(code::kX187,
                  fmt::format("tiles of {} and {} elements along one dimension "
                              "(shapes ({}) and ({})) do not broadcast",
                              left, right, belay::ToText(a), belay::ToText(b)),
                  "sizes must be equal, or one of them 1");
    }
    result[rank - 1 - d] = left == 1 ? right : left;
  }
  return result;
}

std::vector<size_t> StridesOf(const Shape& shape) {
  std::vector<size_t> strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;) {
    strides[d - 1] = strides[d] * static_cast<size_t>(shape[d]);
  }
  return strides;
}

std::vector<size_t> BroadcastStrides(const Shape& operand,
                                     const Shape& result) {
  std::vector<size_t> strides(result.size(), 0);
  const std::vector<size_t> own = StridesOf(operand);
  const size_t missing = result.size() - operand.size();
  for (size_t d = 0; d < operand.size(); ++d) {
    if (operand[d] != 1) strides[missing + d] = own[d];
  }
  return strides;
}

}  // namespace belay::crux::interpret
