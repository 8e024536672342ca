// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_LINT_INFER_CORES_H_
#define BELAY_TOOLCHAIN_LINT_INFER_CORES_H_

// Which cores a kernel wants that does not say so: those its calls are for.

#include <clang/AST/ASTContext.h>

#include <vector>

#include "toolchain/lint/kernel_code.h"

namespace belay::toolchain {

// Annotates each kernel without __vector__, __cube__ and __mix__ that leads to
// calls for the cube, directly or through the user's functions: with
// kInferredAnnotation and "cube", or "mix:1:2" if it leads to calls for the
// vector unit or to flags between cores as well; one that leads to the latter
// alone with kVectorCallsAnnotation. Branches that `if constexpr` discards do
// not count.
void InferCores(clang::ASTContext& context,
                const std::vector<KernelFunction>& functions);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_LINT_INFER_CORES_H_
