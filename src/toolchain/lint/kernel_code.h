// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_LINT_KERNEL_CODE_H_
#define BELAY_TOOLCHAIN_LINT_KERNEL_CODE_H_

// The user's code that runs on the NPU, as the parser left it: every function
// kernels lead to, templates in their instances, and the calls between them.

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

#include <functional>
#include <vector>

#include "toolchain/lint/findings.h"

namespace belay::toolchain {

// Whether the expression is a constant the compiler works out, so that nothing
// of it reaches the NPU.
bool IsFolded(const clang::Expr* expression, const clang::ASTContext& context);

struct KernelFunction {
  struct Call {
    size_t callee;  // index into the functions
    clang::SourceLocation place;
  };

  const clang::FunctionDecl* declaration;  // with its body
  // Statements and expressions that are evaluated, outer ones first: not those
  // of sizeof, of constants, of branches `if constexpr` discards.
  std::vector<const clang::Stmt*> evaluated;
  std::vector<Call> calls;
};

// Starts at `entries`. Functions of Belay's and the system's headers are not
// entered.
std::vector<KernelFunction> FindKernelCode(
    const Findings& findings,
    const std::vector<const clang::FunctionDecl*>& entries);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_LINT_KERNEL_CODE_H_
