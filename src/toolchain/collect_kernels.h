// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_COLLECT_KERNELS_H_
#define BELAY_TOOLCHAIN_COLLECT_KERNELS_H_

// Finds the kernels among the declarations of a file, and takes Clang's mark
// off them once everything that needs it has been parsed.

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclGroup.h>

#include <vector>

namespace belay::toolchain {

class KernelCollector {
 public:
  void Add(clang::DeclGroupRef group) { groups_.push_back(group); }

  // Looks at what was added since the last call: checks each kernel's
  // parameters, notes their number, removes the mark.
  void Finish(clang::ASTContext& context);

  // Where kernel code begins: definitions of kernels, and of __aicore__
  // functions that kernels of other sources may call.
  const std::vector<const clang::FunctionDecl*>& entries() const {
    return entries_;
  }

 private:
  void FinishIn(clang::ASTContext& context, clang::Decl* decl);
  void FinishFunction(clang::ASTContext& context,
                      clang::FunctionDecl* function);

  std::vector<clang::DeclGroupRef> groups_;
  std::vector<const clang::FunctionDecl*> entries_;
};

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_COLLECT_KERNELS_H_
