// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_OPERATOR_COMPILE_H_
#define BELAY_GUEST_OPERATOR_COMPILE_H_

// How the two halves of an operator project are compiled. `output` is left to
// the caller.

#include <string>

#include "guest/operator_project.h"
#include "toolchain/compile.h"

namespace belay::guest {

toolchain::CompileOptions HostCompileOptions(const OperatorProject& project);

// `prelude` is OperatorPrelude's; empty for a kernel without op_host.
toolchain::CompileOptions KernelCompileOptions(const OperatorProject& project,
                                               const std::string& source,
                                               const std::string& prelude);

// Whether anything below the kernel's folder asks for ORIG_DTYPE_* or FORMAT_*.
bool UsesOrigTypes(const std::string& source);

}  // namespace belay::guest

#endif  // BELAY_GUEST_OPERATOR_COMPILE_H_
