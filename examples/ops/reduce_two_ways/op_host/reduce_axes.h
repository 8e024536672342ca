// SPDX-License-Identifier: Apache-2.0
#ifndef REDUCE_AXES_H_
#define REDUCE_AXES_H_

// Which dimensions are reduced.

#include <cstdint>
#include <string>
#include <vector>

#include "exe_graph/runtime/continuous_vector.h"
#include "exe_graph/runtime/shape.h"

namespace reduce_two_ways {

// One flag for each dimension; no axes at all mean all. Returns what is wrong,
// or an empty string.
inline std::string ReadAxes(const gert::Shape& x,
                            const gert::TypedContinuousVector<int64_t>* axes,
                            std::vector<bool>& is_reduced) {
  if (axes == nullptr) return "no attribute axes";
  const int64_t rank = static_cast<int64_t>(x.GetDimNum());
  is_reduced.assign(rank, axes->GetSize() == 0);
  for (size_t i = 0; i < axes->GetSize(); ++i) {
    const int64_t axis = axes->GetData()[i];
    const int64_t from_front = axis < 0 ? axis + rank : axis;
    if (from_front < 0 || from_front >= rank) {
      return "axis " + std::to_string(axis) + " is outside the rank " +
             std::to_string(rank) + " of x";
    }
    if (is_reduced[from_front]) {
      return "axis " + std::to_string(axis) + " is named twice";
    }
    is_reduced[from_front] = true;
  }
  return "";
}

}  // namespace reduce_two_ways

#endif  // REDUCE_AXES_H_
