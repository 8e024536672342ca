// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_FUNCTION_LIST_H_
#define BELAY_CRUX_PRINT_FUNCTION_LIST_H_

// Functions of a file one by one, for those that make one of several.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "crux/print/text.h"

namespace belay::crux::print {

// What some instructions are called with behind everything else.
inline constexpr std::string_view kOrder = ", ReduceOrder::ORDER_ONLY_VALUE";

// A word, a number with its point, or a sign; -kInfinity is a word. kOrder is
// none, and neither is the type of a number that is cast.
struct Piece {
  std::string text;
  size_t line = 0;
  size_t begin = 0;  // in its line
  size_t end = 0;
  bool cast = false;  // of static_cast<T>(text)
};

struct Function {
  std::vector<Line> lines;  // without the blank one behind it
  size_t head = 0;          // which line it is: "template <…>" is before it
  std::string name;
  std::vector<Piece> pieces;  // from its head on
};

std::vector<Function> FunctionsOf(const Text& text);
Text TextOf(const std::vector<Function>& functions);

using CallNames = std::map<std::string, std::string, std::less<>>;

// Words in front of a bracket get other names.
void RenameCalls(std::vector<Line>& lines, const CallNames& names);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_FUNCTION_LIST_H_
