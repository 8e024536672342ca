// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_FORMAT_SPACING_H_
#define BELAY_CRUX_FORMAT_SPACING_H_

// The tokens of one logical line as they are printed: text, blanks between
// them, brackets that belong together, comments.

#include <string>
#include <vector>

#include "crux/lexer.h"

namespace belay::crux {

struct Piece {
  std::string text;
  bool space_before = false;
  int match = -1;      // of a bracket: the index of its partner
  int precedence = 0;  // of a binary operator, 1 binds least; else 0
  std::vector<std::string> comments_before;  // lines of their own
  std::vector<std::string> comments_after;   // at the end of the line
};

// `tokens` holds no line ends and no indentation.
std::vector<Piece> Pieces(const std::vector<Token>& tokens);

}  // namespace belay::crux

#endif  // BELAY_CRUX_FORMAT_SPACING_H_
