// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/signature.h"

#include <algorithm>

namespace belay::runtime {

size_t OperatorSignature::columns() const {
  size_t columns = 0;
  bool first = true;
  for (const std::vector<Parameter>* parameters : {&inputs, &outputs}) {
    for (const Parameter& parameter : *parameters) {
      columns = first ? parameter.dtypes.size()
                      : std::min(columns, parameter.dtypes.size());
      first = false;
    }
  }
  return columns;
}

std::string_view NameOf(Attribute::Type type) {
  constexpr std::string_view kNames[] = {"Bool",      "Int",        "Float",
                                         "String",    "ListBool",   "ListInt",
                                         "ListFloat", "ListListInt"};
  return kNames[static_cast<int>(type)];
}

}  // namespace belay::runtime
