// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_LINT_FINDINGS_H_
#define BELAY_TOOLCHAIN_LINT_FINDINGS_H_

// Collects what the rules of the device language find, each place once.

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/diagnostic.h"

namespace belay::toolchain {

class Findings {
 public:
  // Appends to `sink`, which must outlive this.
  Findings(const clang::ASTContext& context, std::vector<Diagnostic>* sink)
      : context_(context), sink_(sink) {}

  // Whether a place is the user's: in one of his files, and not in the text of
  // a macro of Belay's headers.
  bool IsUsers(clang::SourceLocation place) const;

  // Reports `code` (base/catalogue.h) with its severity at `place`, unless
  // that place is not the user's or has one of the same code. `function` is
  // where it stands.
  void Add(const char* code, clang::SourceLocation place,
           const clang::FunctionDecl* function, std::string message,
           std::string fix);

  const clang::ASTContext& context() const { return context_; }

 private:
  const clang::ASTContext& context_;
  std::vector<Diagnostic>* sink_;
  std::set<std::tuple<std::string, std::string, int, int>> seen_;
};

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_LINT_FINDINGS_H_
