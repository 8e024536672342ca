// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_OPERATOR_PRELUDE_H_
#define BELAY_GUEST_OPERATOR_PRELUDE_H_

// What stands in front of a kernel's source when it is compiled for one call
// of its operator: types and formats of the parameters, the tiling key, the
// tiling structs.

#include <string>

#include "runtime/operators/plan.h"

namespace belay::guest {

// C++ text. `orig_types` adds what ORIG_DTYPE_* is compared with, the DT_*
// numbers, as macros: they take these names from ge::.
std::string OperatorPrelude(const runtime::OperatorSignature& signature,
                            size_t column, const runtime::LaunchPlan& plan,
                            bool orig_types);

}  // namespace belay::guest

#endif  // BELAY_GUEST_OPERATOR_PRELUDE_H_
