// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_SCALAR_TEXT_H_
#define BELAY_CRUX_PRINT_SCALAR_TEXT_H_

// Expressions of the scalar unit in C++. Integers wrap: what could overflow is
// computed without a sign.

#include <functional>
#include <string>

#include "crux/ir/code.h"
#include "crux/print/integer_text.h"

namespace belay::crux::print {

struct ScalarContext {
  const IntegerContext* integers = nullptr;
  std::function<std::string(const std::string&)> variable;
  std::function<std::string(const std::string&)> host_real;
  std::function<std::string(const code::Local&)> local;
  std::function<std::string(const code::GlobalPart&)> global;
  std::function<DType(const std::string&)> dtype_of_local;
  std::function<DType(const std::string&)> dtype_of_global;
};

// The element type of a tensor, "half"; of bool "uint8_t".
std::string TypeName(DType dtype);

std::string TextOf(const code::Scalar& scalar, const ScalarContext& context,
                   int least = 0);

// As an argument whose type is exactly `dtype`.
std::string ArgumentOf(const code::Scalar& scalar, DType dtype,
                       const ScalarContext& context);

// A float literal; infinities and NaN are constants that helpers define.
std::string FloatText(double value, const IntegerContext& context);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_SCALAR_TEXT_H_
