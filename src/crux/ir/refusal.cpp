// SPDX-License-Identifier: Apache-2.0
#include "crux/ir/refusal.h"

namespace belay::crux::ir {

void Refuse(const char* code, const SourceRange& range, std::string message,
            std::string fix) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.severity = FindCode(code)->severity;
  diagnostic.message = std::move(message);
  diagnostic.fix = std::move(fix);
  diagnostic.location.line = range.line;
  diagnostic.location.column = range.column;
  if (range.end_line == range.line) {
    diagnostic.location.end_column = range.end_column;
  }
  throw Refusal(std::move(diagnostic));
}

void Refuse(const char* code, int line, std::string message, std::string fix) {
  SourceRange range;
  range.line = line;
  Refuse(code, range, std::move(message), std::move(fix));
}

}  // namespace belay::crux::ir
