// SPDX-License-Identifier: Apache-2.0
#include "toolchain/lint/lint.h"

#include <map>
#include <string>
#include <tuple>

#include "base/catalogue.h"
#include "toolchain/lint/rules.h"

namespace belay::toolchain {

std::vector<KernelFunction> Lint(
    const clang::ASTContext& context,
    const std::vector<const clang::FunctionDecl*>& entries,
    std::vector<Diagnostic>* diagnostics) {
  Findings findings(context, diagnostics);
  std::vector<KernelFunction> functions = FindKernelCode(findings, entries);
  for (const KernelFunction& function : functions) {
    FindDoubles(function, findings);
    FindUnsignedCasts(function, findings);
    FindLibraryUses(function, findings);
  }
  FindRecursion(functions, findings);
  return functions;
}

void SettleDoubts(std::vector<Diagnostic>& diagnostics) {
  const auto place = [](const Diagnostic& diagnostic) {
    const SourceLocation& at = diagnostic.location;
    return std::tuple(at.file, at.line, at.column);
  };
  std::map<std::tuple<std::string, int, int>, Diagnostic*> refusals;
  for (Diagnostic& diagnostic : diagnostics)
    if (diagnostic.code == code::kC102)
      refusals.emplace(place(diagnostic), &diagnostic);
  const auto is_settled = [&](const Diagnostic& doubt) {
    if (doubt.code != code::kL103 && doubt.code != code::kL104) return false;
    const auto refusal = refusals.find(place(doubt));
    if (refusal == refusals.end()) return false;
    refusal->second->message = doubt.message;
    refusal->second->fix = doubt.fix;
    return true;
  };
  std::vector<bool> settled;
  for (const Diagnostic& diagnostic : diagnostics)
    settled.push_back(is_settled(diagnostic));
  size_t next = 0;
  std::erase_if(diagnostics,
                [&](const Diagnostic&) { return settled[next++]; });
}

}  // namespace belay::toolchain
