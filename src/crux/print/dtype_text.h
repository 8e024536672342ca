// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_DTYPE_TEXT_H_
#define BELAY_CRUX_PRINT_DTYPE_TEXT_H_

// Choices of dtypes as conditions: of the host, and of the preprocessor.

#include <string>
#include <vector>

#include "crux/print/tiling_text.h"
#include "crux/typed.h"

namespace belay::crux::print {

// "DT_FLOAT16".
std::string GeName(DType dtype);

// The first tensor whose element type is the variable: inputs before outputs.
const typed::Parameter& CarrierOf(const typed::Kernel& kernel,
                                  const DtypeVariable& variable);

// Of variables that hold more than one dtype over all choices: true for these
// choices only. In a project the variable T is a ge::DataType, else a string.
std::string DtypeCondition(const typed::Kernel& kernel,
                           const std::vector<std::vector<DType>>& dtypes,
                           Road road);

// The same for the preprocessor of an op_kernel file.
std::string DtypeDirective(const typed::Kernel& kernel,
                           const std::vector<std::vector<DType>>& dtypes);

// The dtypes each choice gives a parameter.
std::vector<DType> ColumnsOf(const typed::Kernel& kernel,
                             const typed::Parameter& parameter,
                             const std::vector<std::vector<DType>>& choices);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_DTYPE_TEXT_H_
