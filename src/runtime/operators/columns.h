// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_OPERATORS_COLUMNS_H_
#define BELAY_RUNTIME_OPERATORS_COLUMNS_H_

// The columns of an operator: which types and formats its parameters have
// together.

#include <string>
#include <vector>

#include "graph/types.h"
#include "runtime/operators/described.h"

namespace belay::runtime {

// Of one parameter, one entry per column.
struct ColumnsOfParameter {
  std::vector<ge::DataType> dtypes;
  std::vector<ge::Format> formats;
};

// One result per parameter, inputs first. DataType and Format stand side by
// side; DataTypeList and FormatList go with every column; Follow copies. Adds
// a sentence to `problems` for everything that does not fit together, and then
// cuts all to the shortest.
std::vector<ColumnsOfParameter> ResolveColumns(
    const std::vector<abi::HostParameter>& inputs,
    const std::vector<abi::HostParameter>& outputs,
    std::vector<std::string>& problems);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_OPERATORS_COLUMNS_H_
