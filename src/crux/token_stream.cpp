// SPDX-License-Identifier: Apache-2.0
#include "crux/token_stream.h"

#include <fmt/format.h>

#include <algorithm>

namespace belay::crux {

std::string TokenStream::Describe(const Token& token) const {
  switch (token.kind) {
    case TokenKind::kNewline:
      return "the end of the line";
    case TokenKind::kEnd:
      return "the end of the file";
    case TokenKind::kIndent:
      return "a deeper indentation";
    case TokenKind::kDedent:
      return "the end of the block";
    case TokenKind::kString:
      return "a string";
    default:
      return fmt::format("'{}'", token.text);
  }
}

void TokenStream::Expect(std::string_view symbol, std::string_view where,
                         std::string fix) {
  if (TakeIf(symbol)) return;
  SourceRange range = Peek().range;
  // What is missing at the end of a line is missing behind its last token.
  if (At(TokenKind::kNewline) || At(TokenKind::kEnd)) {
    const SourceRange& last = Last().range;
    range = {last.end_line, last.end_column, last.end_line,
             last.end_column + 1};
  }
  if (fix.empty()) fix = fmt::format("write '{}' here", symbol);
  Fail(code::kX105, range,
       fmt::format("expected '{}' {}, got {}", symbol, where, Describe(Peek())),
       std::move(fix));
}

void TokenStream::Fail(const char* code, const SourceRange& range,
                       std::string message, std::string fix) {
  const bool told =
      std::any_of(error_lines_.begin(), error_lines_.end(), [&](int line) {
        return line >= statement_line_ && line <= Peek().range.end_line;
      });
  if (!told) messages_.Report(code, range, std::move(message), std::move(fix));
  throw SyntaxFailure();
}

}  // namespace belay::crux
