// SPDX-License-Identifier: Apache-2.0
#include "toolchain/lint/findings.h"

#include <clang/Basic/SourceManager.h>

#include <utility>

#include "base/catalogue.h"

namespace belay::toolchain {

bool Findings::IsUsers(clang::SourceLocation place) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  return place.isValid() && !sources.isInSystemHeader(place) &&
         !sources.isInSystemMacro(place);
}

void Findings::Add(const char* code, clang::SourceLocation place,
                   const clang::FunctionDecl* function, std::string message,
                   std::string fix) {
  if (!IsUsers(place)) return;
  const clang::SourceManager& sources = context_.getSourceManager();
  const clang::PresumedLoc where =
      sources.getPresumedLoc(sources.getExpansionLoc(place));
  if (where.isInvalid()) return;
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.severity = FindCode(code)->severity;
  diagnostic.message = std::move(message);
  diagnostic.location = {.file = where.getFilename(),
                         .line = static_cast<int>(where.getLine()),
                         .column = static_cast<int>(where.getColumn()),
                         .function = function->getNameAsString()};
  diagnostic.fix = std::move(fix);
  if (seen_
          .emplace(code, diagnostic.location.file, diagnostic.location.line,
                   diagnostic.location.column)
          .second)
    sink_->push_back(std::move(diagnostic));
}

}  // namespace belay::toolchain
