// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_OPERATORS_CHOOSE_COLUMN_H_
#define BELAY_RUNTIME_OPERATORS_CHOOSE_COLUMN_H_

// Which columns of an operator's types fit a call.

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "runtime/operators/plan.h"

namespace belay::runtime {

// Columns in which every tensor that is there has its type; an unknown output
// (nullopt) fits anything.
std::vector<size_t> FittingColumns(
    const OperatorSignature& signature, const std::vector<CallArgument>& inputs,
    const std::vector<std::optional<CallArgument>>& outputs);

// H113: what was given, and which columns there are.
Diagnostic NoColumnFits(
    const OperatorSignature& signature, const std::vector<CallArgument>& inputs,
    const std::vector<std::optional<CallArgument>>& outputs);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_OPERATORS_CHOOSE_COLUMN_H_
