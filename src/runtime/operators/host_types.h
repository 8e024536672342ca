// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_OPERATORS_HOST_TYPES_H_
#define BELAY_RUNTIME_OPERATORS_HOST_TYPES_H_

// Element types and shapes between the words of the host headers and ours.

#include "base/dtype.h"
#include "base/shape.h"
#include "exe_graph/runtime/shape.h"
#include "graph/types.h"

namespace belay::runtime {

// kNone for a type Belay has no tensors of.
DType FromHost(ge::DataType type);
ge::DataType ToHost(DType dtype);

// A shape of more than 25 dimensions loses the last ones.
gert::Shape ToHost(const Shape& shape);
Shape FromHost(const gert::Shape& shape);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_OPERATORS_HOST_TYPES_H_
