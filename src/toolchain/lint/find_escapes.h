// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_LINT_FIND_ESCAPES_H_
#define BELAY_TOOLCHAIN_LINT_FIND_ESCAPES_H_

// Rule for code nobody trusts: what the parser still sees and the module no
// longer tells apart from Belay's own headers.

#include <clang/AST/ASTContext.h>

#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace belay::toolchain {

// Appends an error (C108) for each place, outside Belay's `headers` and the
// system's, that holds assembly, a computed goto, an attribute that names or
// places a symbol by hand, or a name of the runtime. Where a file claims to lie
// (#line, system_header) is not believed.
void FindEscapes(clang::ASTContext& context, const std::string& headers,
                 std::vector<Diagnostic>* diagnostics);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_LINT_FIND_ESCAPES_H_
