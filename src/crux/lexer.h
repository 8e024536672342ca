// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_LEXER_H_
#define BELAY_CRUX_LEXER_H_

// Text to tokens, as Python's tokenizer does it: indentation becomes tokens,
// line ends inside brackets do not count, comments stand aside.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "crux/messages.h"
#include "crux/source.h"

namespace belay::crux {

enum class TokenKind : uint8_t {
  kName,  // keywords too
  kInteger,
  kFloat,
  kString,   // value holds what it means
  kSymbol,   // operators and punctuation
  kNewline,  // the end of a logical line
  kIndent,
  kDedent,
  kEnd,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;  // in the Source; empty for kIndent, kDedent, kEnd
  SourceRange range;
  int64_t integer = 0;
  double real = 0;
  std::string value;

  bool Is(std::string_view symbol) const {
    return (kind == TokenKind::kSymbol || kind == TokenKind::kName) &&
           text == symbol;
  }
};

struct Comment {
  std::string_view text;  // from '#' on, without blanks at its end
  int line = 0;
  int column = 0;
  bool own_line = false;  // nothing but blanks before it
};

struct Tokens {
  std::vector<Token> tokens;  // the last is kEnd
  std::vector<Comment> comments;
  bool too_large = false;
  bool unclosed = false;  // a bracket is open at the end
};

inline constexpr size_t kMaxFileBytes = 4 << 20;

// Views into `source`, which must outlive the result. Reports X101 to X104 and
// X108; always returns tokens that end with kEnd and whose indents and dedents
// balance.
Tokens Tokenize(const Source& source, Messages& messages);

// A word of Python that cannot be a name.
bool IsKeyword(std::string_view word);

}  // namespace belay::crux

#endif  // BELAY_CRUX_LEXER_H_
