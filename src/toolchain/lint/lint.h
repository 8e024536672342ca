// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_LINT_LINT_H_
#define BELAY_TOOLCHAIN_LINT_LINT_H_

// Judges a parsed file by the rules of the device language.

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <vector>

#include "base/diagnostic.h"
#include "toolchain/lint/kernel_code.h"

namespace belay::toolchain {

// Appends what the rules find in code that `entries` lead to, and returns that
// code.
std::vector<KernelFunction> Lint(
    const clang::ASTContext& context,
    const std::vector<const clang::FunctionDecl*>& entries,
    std::vector<Diagnostic>* diagnostics);

// The heap and its containers are refused for certain once code is generated
// (C102). Where that happened, the doubt (L103, L104) of the same place goes,
// and the refusal takes its words: `std::vector`, not what is inside.
void SettleDoubts(std::vector<Diagnostic>& diagnostics);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_LINT_LINT_H_
