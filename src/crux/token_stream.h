// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_TOKEN_STREAM_H_
#define BELAY_CRUX_TOKEN_STREAM_H_

// A reading position in a list of tokens, and the way to complain there.

#include <algorithm>
#include <string>
#include <vector>

#include "crux/lexer.h"
#include "crux/messages.h"

namespace belay::crux {

// Thrown after the message has been given; caught where a statement begins.
struct SyntaxFailure {};

class TokenStream {
 public:
  TokenStream(const Tokens& tokens, Messages& messages)
      : tokens_(tokens.tokens),
        messages_(messages),
        error_lines_(messages.ErrorLines()) {}

  // From here on a syntax error keeps silent if the lexer has complained about
  // the statement already.
  void BeginStatement() { statement_line_ = Peek().range.line; }

  const Token& Peek(size_t ahead = 0) const {
    return tokens_[std::min(pos_ + ahead, tokens_.size() - 1)];
  }
  // The token `back` before the last one taken.
  const Token& Last(size_t back = 0) const {
    return tokens_[pos_ > back ? pos_ - 1 - back : 0];
  }
  const Token& Take() {
    const Token& token = Peek();
    if (token.kind != TokenKind::kEnd) ++pos_;
    return token;
  }
  bool At(std::string_view symbol) const { return Peek().Is(symbol); }
  bool At(TokenKind kind) const { return Peek().kind == kind; }
  bool TakeIf(std::string_view symbol) {
    if (!At(symbol)) return false;
    Take();
    return true;
  }
  // `a` directly followed by `b`, as in &&.
  bool AtPair(std::string_view a, std::string_view b) const {
    return At(a) && Peek(1).Is(b) &&
           Peek(1).range.column == Peek().range.end_column &&
           Peek(1).range.line == Peek().range.line;
  }

  // How a message names the token.
  std::string Describe(const Token& token) const;

  // "expected WHAT WHERE, got TOKEN" (X105).
  void Expect(std::string_view symbol, std::string_view where,
              std::string fix = "");

  [[noreturn]] void Fail(const char* code, const SourceRange& range,
                         std::string message, std::string fix = "");

  Messages& messages() { return messages_; }

 private:
  const std::vector<Token>& tokens_;
  size_t pos_ = 0;
  Messages& messages_;
  std::vector<int> error_lines_;  // of the lexer
  int statement_line_ = 0;
};

}  // namespace belay::crux

#endif  // BELAY_CRUX_TOKEN_STREAM_H_
