// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_OPERATORS_INFER_OUTPUTS_H_
#define BELAY_RUNTIME_OPERATORS_INFER_OUTPUTS_H_

// Types and shapes of the outputs of a call, and with them its column.

#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/operators/call_frame.h"
#include "runtime/operators/definition.h"
#include "runtime/operators/plan.h"

namespace belay::runtime {

// Leaves the outputs in `frame` and returns the column; nothing with an error.
// What the caller gave stays as it is. An output named like an input is that
// input. The rest comes from InferDataType, or the first column that fits, and
// from InferShape, or the input the output follows. A list that nobody knows
// the length of is as long as the operator's first list of inputs.
std::optional<size_t> InferOutputs(const Definition& definition,
                                   const OperatorCall& call, CallFrame& frame,
                                   std::vector<Diagnostic>& errors);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_OPERATORS_INFER_OUTPUTS_H_
