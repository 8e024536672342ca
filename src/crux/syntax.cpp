// SPDX-License-Identifier: Apache-2.0
#include "crux/syntax.h"

#include <array>

namespace belay::crux::syntax {

std::string_view SpellingOf(Operator op) {
  constexpr std::array<std::string_view, 29> kSpellings = {
      "+",  "-",  "*",  "/",      "//", "%",      "**",  "@",  "&",  "|",
      "^",  "<<", ">>", "-",      "+",  "~",      "<",   "<=", ">",  ">=",
      "==", "!=", "is", "is not", "in", "not in", "and", "or", "not"};
  return kSpellings[static_cast<size_t>(op)];
}

}  // namespace belay::crux::syntax
