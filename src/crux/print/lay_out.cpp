// SPDX-License-Identifier: Apache-2.0
// Breaks what is longer than 80 columns, as clang-format's Google style does as
// a rule: as few lines as can be; arguments behind their bracket or, where that
// saves lines, four columns in; operators at the end of a line.

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crux/print/text.h"

namespace belay::crux::print {
namespace {

constexpr int kColumns = 80;
// What a column beyond the last one counts, in lines.
constexpr int kOverflow = 20;

// Pieces of a line below one another; the first continues where it began, the
// others hold their indentation.
struct Laying {
  std::vector<std::string> lines;
  int cost = 0;  // lines and overflow
};

int Length(std::string_view text) { return static_cast<int>(text.size()); }

// What laying so many characters from `column` on costs at least: a line's end
// takes the place of a blank.
int LeastCost(int length, int column) {
  const int room = std::max(1, kColumns + 1 - column);
  return (length + room - 1) / room;
}

std::string Blanks(int count) {
  return std::string(static_cast<size_t>(count), ' ');
}

bool IsOpening(char c) { return c == '(' || c == '[' || c == '{'; }
bool IsClosing(char c) { return c == ')' || c == ']' || c == '}'; }

// Calls visit(position) for each character outside brackets and strings, until
// it returns false. Opening brackets themselves are visited.
template <typename Visit>
void ForEachOutside(std::string_view text, const Visit& visit) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      for (++i; i < text.size() && text[i] != c; ++i) {
        if (text[i] == '\\') ++i;
      }
      continue;
    }
    if (IsClosing(c)) --depth;
    if (depth == 0 && !IsClosing(c) && !visit(i)) return;
    if (IsOpening(c)) ++depth;
  }
}

size_t MatchingBracket(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    if (text[i] == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\') ++i;
      }
      continue;
    }
    if (IsOpening(text[i])) ++depth;
    if (IsClosing(text[i]) && --depth == 0) return i;
  }
  return text.size() - 1;
}

// At commas and semicolons outside brackets, which stay with what they end.
std::vector<std::string_view> Arguments(std::string_view text) {
  std::vector<std::string_view> arguments;
  size_t begin = 0;
  ForEachOutside(text, [&](size_t i) {
    if ((text[i] == ',' || text[i] == ';') && i + 1 < text.size() &&
        text[i + 1] == ' ') {
      arguments.push_back(text.substr(begin, i + 1 - begin));
      begin = i + 2;
    }
    return true;
  });
  arguments.push_back(text.substr(begin));
  return arguments;
}

// Operators that bind equally, from the loosest on.
constexpr std::array<std::array<std::string_view, 4>, 7> kOperators = {{
    {" || "},
    {" && "},
    {" == ", " != "},
    {" < ", " <= ", " > ", " >= "},
    {" << ", " >> "},
    {" + ", " - "},
    {" * ", " / ", " % "},
}};

// At the loosest operators outside brackets; they stay at the end of what they
// follow. One operand: there are none.
std::vector<std::string_view> Operands(std::string_view text) {
  std::vector<size_t> blanks;
  ForEachOutside(text, [&](size_t i) {
    if (text[i] == ' ') blanks.push_back(i);
    return true;
  });
  // "a", "? b", ": c".
  std::vector<std::string_view> parts;
  size_t start = 0;
  for (const size_t i : blanks) {
    const std::string_view here = text.substr(i, 3);
    if (here == " ? " || (here == " : " && !parts.empty())) {
      parts.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  if (start != 0) {
    parts.push_back(text.substr(start));
    return parts;
  }
  for (const auto& level : kOperators) {
    std::vector<std::string_view> operands;
    size_t begin = 0;
    for (const size_t i : blanks) {
      for (const std::string_view op : level) {
        if (op.empty() || i < begin || text.substr(i, op.size()) != op) {
          continue;
        }
        operands.push_back(text.substr(begin, i + op.size() - 1 - begin));
        begin = i + op.size();
        break;
      }
    }
    if (begin == 0) continue;
    operands.push_back(text.substr(begin));
    return operands;
  }
  return {text};
}

Laying Lay(std::string_view text, int column, int tail, int hang);
Laying LayStatement(std::string_view text, int indent);

Laying Flat(std::string_view text, int column, int tail) {
  const int over = std::max(0, column + Length(text) + tail - kColumns);
  return {{std::string(text)}, 1 + over * kOverflow};
}

// Pieces side by side as long as they fit, else below one another at `column`.
Laying Filled(std::span<const std::string_view> pieces, int column, int tail) {
  Laying result;
  result.lines.emplace_back();
  int at = column;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const int behind = i + 1 == pieces.size() ? tail : 0;
    const int blank = at == column ? 0 : 1;
    if (at + blank + Length(pieces[i]) + behind <= kColumns) {
      result.lines.back() += (blank != 0 ? " " : "");
      result.lines.back() += pieces[i];
      at += blank + Length(pieces[i]);
      continue;
    }
    if (at != column) result.lines.push_back(Blanks(column));
    const Laying piece = Lay(pieces[i], column, behind, column + 4);
    result.cost += piece.cost - static_cast<int>(piece.lines.size());
    result.lines.back() += piece.lines[0];
    at = column + Length(piece.lines[0]);
    for (size_t k = 1; k < piece.lines.size(); ++k) {
      result.lines.push_back(piece.lines[k]);
      at = Length(piece.lines[k]);
    }
  }
  result.cost += static_cast<int>(result.lines.size());
  return result;
}

// Where the bracket opens whose inside is broken: the longest one.
std::optional<size_t> BracketToBreak(std::string_view text) {
  std::optional<size_t> best;
  size_t longest = 2;
  ForEachOutside(text, [&](size_t i) {
    if (!IsOpening(text[i]) || text.substr(i, 3) == "[&]") return true;
    const size_t inside = MatchingBracket(text, i) - i;
    if (inside >= longest) {
      longest = inside;
      best = i;
    }
    return true;
  });
  return best;
}

Laying Lay(std::string_view text, int column, int tail, int hang) {
  if (column + Length(text) + tail <= kColumns) return Flat(text, column, tail);
  if (text.starts_with("[&]") && !text.ends_with('{')) {
    // Its body on lines of its own.
    const size_t open = text.find(" { ");
    const size_t close = text.rfind(" }");
    if (open == std::string_view::npos || close < open + 3) {
      return Flat(text, column, tail);
    }
    const Laying body =
        LayStatement(text.substr(open + 3, close - open - 3), column + 2);
    Laying laid = {{std::string(text.substr(0, open + 2))}, 2 + body.cost};
    laid.lines.insert(laid.lines.end(), body.lines.begin(), body.lines.end());
    laid.lines[1].insert(0, Blanks(column + 2));
    laid.lines.push_back(Blanks(column) + std::string(text.substr(close + 1)));
    return laid;
  }
  const std::vector<std::string_view> operands = Operands(text);
  if (operands.size() > 1) return Filled(operands, column, tail);
  const auto open = BracketToBreak(text);
  if (!open) return Flat(text, column, tail);
  const size_t close = MatchingBracket(text, *open);
  const std::string_view before = text.substr(0, *open + 1);
  const std::string_view inside = text.substr(*open + 1, close - *open - 1);
  const std::string_view after = text.substr(close);
  const int behind = tail + Length(after);
  // Too long before its arguments begin: those of the template are broken.
  const size_t angle = before.find('<');
  if (column + Length(before) > kColumns && angle != std::string_view::npos &&
      before.ends_with(">(")) {
    const std::vector<std::string_view> types =
        Arguments(before.substr(angle + 1, before.size() - angle - 3));
    const std::string_view rest = text.substr(before.size() - 2);
    Laying laid = Filled(types, column + static_cast<int>(angle) + 1,
                         tail + Length(rest));
    laid.lines.front().insert(0, before.substr(0, angle + 1));
    laid.lines.back() += rest;
    return laid;
  }
  const std::vector<std::string_view> arguments = Arguments(inside);

  Laying aligned = Filled(arguments, column + Length(before), behind);
  aligned.lines.front().insert(0, before);
  aligned.lines.back() += after;
  int length = 0;
  for (const std::string_view argument : arguments) length += Length(argument);
  if (aligned.cost <= LeastCost(length, hang) + 1) return aligned;
  Laying hanging = Filled(arguments, hang, behind);
  hanging.cost += 1;
  hanging.lines.front().insert(0, Blanks(hang));
  hanging.lines.insert(hanging.lines.begin(), std::string(before));
  hanging.lines.back() += after;
  const int over = std::max(0, column + Length(before) - kColumns);
  hanging.cost += over * kOverflow;
  return hanging.cost < aligned.cost ? hanging : aligned;
}

// Behind the '=' or on the next line.
Laying LayAssignment(std::string_view text, size_t sign, int indent) {
  const std::string_view left = text.substr(0, sign + 2);  // "x ="
  const std::string_view right = text.substr(sign + 3);
  Laying same = Lay(right, indent + Length(left) + 1, 0, indent + 4);
  same.lines.front().insert(0, std::string(left) + " ");
  if (same.cost < LeastCost(Length(right), indent + 4) + 1) return same;
  Laying below = Lay(right, indent + 4, 0, indent + 8);
  below.cost += 1;
  below.lines.front().insert(0, Blanks(indent + 4));
  below.lines.insert(below.lines.begin(), std::string(left));
  return below.cost <= same.cost ? below : same;
}

// this->A(…).B(…).C(…); with a call on each line.
std::optional<Laying> LayChain(std::string_view text, int indent) {
  if (!text.starts_with("this->")) return std::nullopt;
  std::vector<size_t> dots;
  ForEachOutside(text, [&](size_t i) {
    if (text[i] == '.') dots.push_back(i);
    return true;
  });
  if (dots.size() < 2) return std::nullopt;
  Laying result;
  result.lines.emplace_back(text.substr(0, dots[0]));
  for (size_t i = 0; i < dots.size(); ++i) {
    const size_t end = i + 1 < dots.size() ? dots[i + 1] : text.size();
    const std::string_view call = text.substr(dots[i], end - dots[i]);
    const Laying laid = Lay(call, indent + 4, 0, indent + 8);
    result.lines.push_back(Blanks(indent + 4) + laid.lines[0]);
    result.lines.insert(result.lines.end(), laid.lines.begin() + 1,
                        laid.lines.end());
  }
  return result;
}

// Parts of a line that are laid below one another, the second further in.
Laying LayBelow(std::string_view first, std::string_view second, int indent,
                int inside) {
  Laying result = Lay(first, indent, 0, indent + 4);
  Laying below = Lay(second, indent + inside, 0, indent + inside + 4);
  below.lines.front().insert(0, Blanks(indent + inside));
  result.lines.insert(result.lines.end(), below.lines.begin(),
                      below.lines.end());
  result.cost += below.cost;
  return result;
}

// What has a form of its own: heads of templates, launches, short ifs.
std::optional<Laying> LayOwnForm(std::string_view text, int indent) {
  constexpr std::string_view kTemplate = "template <";
  if (text.starts_with(kTemplate)) {
    const std::vector<std::string_view> parameters =
        Arguments(text.substr(kTemplate.size()));
    Laying laid = Filled(parameters, indent + Length(kTemplate), 0);
    laid.lines.front().insert(0, kTemplate);
    return laid;
  }
  // "int64_t a, b;": names below one another.
  const std::vector<std::string_view> names = Arguments(text);
  if (names.size() > 1 && text.ends_with(';') &&
      text.find('(') == std::string_view::npos) {
    Laying laid = {{std::string(names[0])}, 0};
    int at = indent + Length(names[0]);
    for (size_t i = 1; i < names.size(); ++i) {
      if (at + 1 + Length(names[i]) <= kColumns) {
        laid.lines.back().append(" ").append(names[i]);
        at += 1 + Length(names[i]);
      } else {
        laid.lines.push_back(Blanks(indent + 4) + std::string(names[i]));
        at = indent + 4 + Length(names[i]);
      }
    }
    return laid;
  }
  const size_t launch = text.find("<<<");
  if (launch != std::string_view::npos) {
    return LayBelow(text.substr(0, launch), text.substr(launch), indent, 4);
  }
  if (text.starts_with("if (") && text.ends_with(';')) {
    const size_t close = MatchingBracket(text, 3);
    if (close + 2 < text.size()) {
      return LayBelow(text.substr(0, close + 1), text.substr(close + 2), indent,
                      2);
    }
  }
  return std::nullopt;
}

Laying LayStatement(std::string_view text, int indent) {
  if (auto own = LayOwnForm(text, indent)) return *std::move(own);
  if (auto chain = LayChain(text, indent)) return *std::move(chain);
  // Not those of a for loop, which are in brackets.
  std::optional<size_t> sign;
  ForEachOutside(text, [&](size_t i) {
    const bool assigns = text.substr(i, 3) == " = ";
    if (assigns) sign = i;
    return !assigns;
  });
  if (sign) return LayAssignment(text, *sign, indent);
  for (const std::string_view word : {"return ", "} else "}) {
    if (!text.starts_with(word)) continue;
    Laying laid =
        Lay(text.substr(word.size()), indent + Length(word), 0, indent + 4);
    laid.lines.front().insert(0, word);
    return laid;
  }
  return Lay(text, indent, 0, indent + 4);
}

// "int64_t F(int64_t a) { return a; }" has its body on a line of its own.
std::optional<Laying> LayDefinition(std::string_view text, int indent) {
  const size_t open = text.find(") { ");
  if (open == std::string_view::npos || !text.ends_with(" }")) {
    return std::nullopt;
  }
  const std::string_view head = text.substr(0, open + 3);
  const std::string_view body = text.substr(open + 4, text.size() - open - 6);
  Laying result = LayStatement(head, indent);
  Laying inner = LayStatement(body, indent + 2);
  inner.lines.front().insert(0, Blanks(indent + 2));
  result.lines.insert(result.lines.end(), inner.lines.begin(),
                      inner.lines.end());
  result.lines.push_back(Blanks(indent) + "}");
  return result;
}

void AppendComment(const Line& line, std::string& result) {
  const std::string margin = Blanks(line.indent) + "//";
  std::string current = margin;
  std::string_view rest = line.text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (Length(current) + 1 + Length(word) > kColumns && current != margin) {
      result += current + "\n";
      current = margin;
    }
    current.append(" ").append(word);
  }
  result += current + "\n";
}

void AppendCode(const Line& line, std::string& result) {
  std::optional<Laying> laid;
  if (line.kind == LineKind::kDeclaration) {
    laid = LayDefinition(line.text, line.indent);
  }
  if (!laid) laid = LayStatement(line.text, line.indent);
  laid->lines.front().insert(0, Blanks(line.indent));
  for (const std::string& piece : laid->lines) result += piece + "\n";
}

// Whether it may take more than one line.
bool IsBroken(const Line& line) {
  return line.kind == LineKind::kComment ||
         (line.kind != LineKind::kVerbatim && !line.text.empty() &&
          line.indent + Length(line.text) > kColumns);
}

void AppendLaid(const Line& line, std::string& result) {
  if (line.kind == LineKind::kComment) return AppendComment(line, result);
  if (IsBroken(line)) return AppendCode(line, result);
  if (!line.text.empty()) {
    result.append(static_cast<size_t>(line.indent), ' ');
  }
  result += line.text;
  result += '\n';
}

// Calls visit(line) for each, with "if (a) {", "b;", "}" on one line, if they
// fit; what is said of b is said in front of it.
template <typename Visit>
void WithShortBlocks(std::span<const Line> lines, const Visit& visit) {
  for (size_t i = 0; i < lines.size(); ++i) {
    const Line& head = lines[i];
    const bool opens =
        head.kind == LineKind::kStatement && head.text.ends_with(") {") &&
        (head.text.starts_with("if ") || head.text.starts_with("for "));
    size_t at = i + 1;
    while (opens && at < lines.size() && lines[at].kind == LineKind::kComment) {
      ++at;
    }
    const bool is_short =
        opens && at + 1 < lines.size() &&
        lines[at].kind == LineKind::kStatement &&
        lines[at].text.ends_with(';') && lines[at + 1].text == "}" &&
        head.indent + Length(head.text) + Length(lines[at].text) - 1 <=
            kColumns;
    if (!is_short) {
      visit(head);
      continue;
    }
    for (size_t comment = i + 1; comment < at; ++comment) {
      Line moved = lines[comment];
      moved.indent = head.indent;
      visit(moved);
    }
    visit(Line{LineKind::kStatement, head.indent,
               head.text.substr(0, head.text.size() - 1) + lines[at].text});
    i = at + 1;
  }
}

}  // namespace

std::string Laid(std::span<const Line> lines) {
  std::string result;
  WithShortBlocks(lines, [&](const Line& line) { AppendLaid(line, result); });
  return result;
}

std::vector<std::span<const Line>> PartsToLay(const std::vector<Line>& lines,
                                              size_t most) {
  std::vector<std::span<const Line>> parts;
  std::span<const Line> rest = lines;
  for (; most > 1; --most) {
    // No blank line is in a short block.
    size_t end = rest.size() / most;
    while (end < rest.size() && (end == 0 || !rest[end].text.empty())) ++end;
    if (end == rest.size()) break;
    parts.push_back(rest.first(end));
    rest = rest.subspan(end);
  }
  parts.push_back(rest);
  return parts;
}

size_t LaidLines(const std::vector<Line>& lines) {
  return LineCounter().Count(lines);
}

size_t LineCounter::Count(const std::vector<Line>& lines) {
  size_t count = 0;
  WithShortBlocks(lines, [&](const Line& line) {
    if (!IsBroken(line)) {
      ++count;
      return;
    }
    auto [known, is_new] =
        known_.try_emplace({line.kind, line.indent, line.text}, 0);
    if (is_new) {
      std::string laid;
      AppendLaid(line, laid);
      known->second =
          static_cast<size_t>(std::count(laid.begin(), laid.end(), '\n'));
    }
    count += known->second;
  });
  return count;
}

}  // namespace belay::crux::print
