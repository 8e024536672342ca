// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_LINT_RULES_H_
#define BELAY_TOOLCHAIN_LINT_RULES_H_

// The rules of the device language that a host compiler does not enforce, one
// function each, over one function of kernel code or over all of it.

#include <vector>

#include "toolchain/lint/findings.h"
#include "toolchain/lint/kernel_code.h"

namespace belay::toolchain {

// L101: variables, parameters, results and arithmetic of type double.
void FindDoubles(const KernelFunction& function, Findings& findings);

// L102: explicit casts between floating-point and unsigned types.
void FindUnsignedCasts(const KernelFunction& function, Findings& findings);

// C102: std::sqrt and its like; L103: new, delete, malloc; L104: containers;
// L106: virtual calls.
void FindLibraryUses(const KernelFunction& function, Findings& findings);

// L105: functions that reach themselves.
void FindRecursion(const std::vector<KernelFunction>& functions,
                   Findings& findings);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_LINT_RULES_H_
