// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_HIGH_LEVEL_SHAPE_H_
#define BELAY_TILING_HIGH_LEVEL_SHAPE_H_

// The names the library's host functions have for shapes and element types.

#include "graph/tensor.h"
#include "graph/types.h"

namespace AscendC {

using TensorShape = ge::Shape;
using TensorDataType = ge::DataType;

// The last dimension; all elements where there is none.
inline uint32_t LastDimension(const TensorShape& shape) {
  const auto rank = shape.GetDimNum();
  return static_cast<uint32_t>(rank == 0 ? shape.GetShapeSize()
                                         : shape.GetDim(rank - 1));
}

}  // namespace AscendC

#endif  // BELAY_TILING_HIGH_LEVEL_SHAPE_H_
