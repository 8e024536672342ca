// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_TEXT_H_
#define BELAY_CRUX_PRINT_TEXT_H_

// C++ text that grows line by line, indented as it is nested, and laid out as
// clang-format's Google style has it.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace belay::crux::print {

// What a line is part of: how it is broken when it is too long depends on it.
enum class LineKind : uint8_t {
  kStatement,    // in a function
  kDeclaration,  // in a class or namespace
  kComment,      // the words of a comment, without slashes
  kVerbatim,     // a directive or a blank line: never broken
};

struct Line {
  LineKind kind = LineKind::kVerbatim;
  int indent = 0;  // in blanks
  std::string text;
};

class Text {
 public:
  // A statement, or the head of one that ends in "{": what follows is nested
  // until Close.
  void Statement(std::string text);
  void Declaration(std::string text);
  // "} else {" and the like: ends a nesting and begins another.
  void Reopen(std::string text);
  void Close(std::string text = "}");
  void Comment(std::string text);
  // "public:", one blank less than the nesting.
  void Access(std::string_view word);
  void Directive(std::string text);  // at the left edge
  // Lines that are laid out already.
  void Verbatim(const std::vector<std::string>& lines);
  // At most one blank line follows a line, none an opening brace.
  void Blank();
  // At the nesting of here.
  void Append(const Text& other) { AppendLines(other.lines_); }
  void Append(Text&& other);
  void AppendLines(const std::vector<Line>& lines);
  // "namespace x {" at the left edge; what is in it is not indented.
  void OpenNamespace(const std::string& name);
  void CloseNamespace(const std::string& name);

  const std::vector<Line>& lines() const { return lines_; }
  // For changes within lines; what nests stays.
  std::vector<Line>& mutable_lines() { return lines_; }
  bool empty() const { return lines_.empty(); }

 private:
  void Add(LineKind kind, std::string text);

  std::vector<Line> lines_;
  int indent_ = 0;
};

// Lines of at most 80 columns, if a name does not ask for more, each with its
// line end.
std::string Laid(std::span<const Line> lines);
// Parts about as long as each other, so many at most, whose laid texts behind
// one another are that of all. All but the first begin with a blank line.
std::vector<std::span<const Line>> PartsToLay(const std::vector<Line>& lines,
                                              size_t most);
// How many these are.
size_t LaidLines(const std::vector<Line>& lines);

// Counts them for texts that have most of their lines in common.
class LineCounter {
 public:
  size_t Count(const std::vector<Line>& lines);

 private:
  // Of lines that may be broken: what they become.
  std::map<std::tuple<LineKind, int, std::string>, size_t> known_;
};

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_TEXT_H_
