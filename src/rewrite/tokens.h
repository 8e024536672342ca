// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REWRITE_TOKENS_H_
#define BELAY_REWRITE_TOKENS_H_

// C++ text as a list of tokens with their places: as much of the language as
// one must know to find launches without being fooled by comments, strings and
// preprocessor lines.

#include <cstddef>
#include <string_view>
#include <vector>

namespace belay::rewrite {

struct Token {
  enum class Kind { kWord, kNumber, kText /* a string or character */, kSign };

  Kind kind = Kind::kSign;
  std::string_view text;  // into the source
  size_t begin = 0;
  size_t end = 0;
  // Preprocessor line it stands on, counted from 1; 0 for ordinary code. The
  // token after the '#' is the directive's name.
  int directive = 0;

  bool Is(std::string_view what) const { return text == what; }
  bool IsWord() const { return kind == Kind::kWord; }
};

// The tokens of `source`, comments left out. Signs are single characters,
// except "::", "->", "<<<" and ">>>": the last two wherever three angle
// brackets stand together. Never fails: what is not closed ends with its line
// or with the file.
std::vector<Token> Tokenize(std::string_view source);

}  // namespace belay::rewrite

#endif  // BELAY_REWRITE_TOKENS_H_
