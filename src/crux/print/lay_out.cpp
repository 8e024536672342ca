// SPDX-License-Identifier: Apache-2.0
// Breaks what is longer than 80 columns. Lines that fit are laid out already;
// the others are handed to clang-format, all in one call, each inside as many
// braces as its indentation asks for.

#include <clang/Format/Format.h>
#include <clang/Tooling/Core/Replacement.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/error.h"
#include "crux/print/text.h"

namespace belay::crux::print {
namespace {

constexpr size_t kColumns = 80;
constexpr std::string_view kBegin = "// begin";
constexpr std::string_view kEnd = "// end";
constexpr std::string_view kBody = "body();";

bool IsLong(const Line& line) {
  return static_cast<size_t>(line.indent) + line.text.size() > kColumns;
}

bool IsCode(const Line& line) {
  return line.kind == LineKind::kStatement ||
         line.kind == LineKind::kDeclaration;
}

// A program in which the line stands at its indentation between two marks.
std::string Surrounded(const Line& line) {
  const int depth = line.indent / 2;
  std::string before;
  std::string after;
  if (line.kind == LineKind::kDeclaration) {
    for (int i = 0; i < depth; ++i) {
      before += "class A {\n public:\n";
      after += "};\n";
    }
  } else if (depth > 0) {
    before = "void f() {\n";
    after = "}\n";
    for (int i = 1; i < depth; ++i) {
      before += "{\n";
      after += "}\n";
    }
  }
  std::string text = line.text;
  if (text.starts_with('}')) {
    before += fmt::format("if (a) {{\n{}\n", kBody);
  }
  if (text.ends_with('{')) text += fmt::format("\n{0}\n{0}\n}}", kBody);
  return fmt::format("{}{}\n{}\n{}\n{}", before, kBegin, text, kEnd, after);
}

std::string Reformatted(const std::string& code) {
  static const clang::format::FormatStyle style =
      clang::format::getGoogleStyle(clang::format::FormatStyle::LK_Cpp);
  const auto replacements = clang::format::reformat(
      style, code,
      {clang::tooling::Range(0, static_cast<unsigned>(code.size()))});
  auto result = clang::tooling::applyAllReplacements(code, replacements);
  if (!result) throw InternalError("[crux] printed text cannot be laid out");
  return *result;
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string_view Trimmed(std::string_view line) {
  const size_t first = line.find_first_not_of(' ');
  return first == std::string_view::npos ? "" : line.substr(first);
}

// What lies between the marks, one piece for each long line.
std::vector<std::string> Broken(const std::vector<const Line*>& lines) {
  std::string code;
  for (const Line* line : lines) code += Surrounded(*line);
  const std::string laid = Reformatted(code);
  std::vector<std::string> pieces;
  bool inside = false;
  bool in_body = false;
  for (const std::string_view line : LinesOf(laid)) {
    const std::string_view words = Trimmed(line);
    if (words == kBegin) {
      pieces.emplace_back();
      inside = true;
      in_body = false;
    } else if (words == kEnd) {
      inside = false;
    } else if (inside) {
      in_body |= words == kBody;
      if (in_body) continue;
      pieces.back().append(line).push_back('\n');
    }
  }
  if (pieces.size() != lines.size()) {
    throw InternalError("[crux] printed lines were lost while laying out");
  }
  return pieces;
}

void AppendComment(const Line& line, std::string& result) {
  const std::string margin =
      std::string(static_cast<size_t>(line.indent), ' ') + "//";
  std::string current = margin;
  std::string_view rest = line.text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (current.size() + 1 + word.size() > kColumns && current != margin) {
      result += current + "\n";
      current = margin;
    }
    current.append(" ").append(word);
  }
  result += current + "\n";
}

}  // namespace

std::string Laid(const std::vector<Line>& lines) {
  // Many lines occur several times; each is broken once.
  using Key = std::tuple<LineKind, int, std::string_view>;
  std::map<Key, size_t> places;
  std::vector<const Line*> longer;
  const auto key_of = [](const Line& line) {
    return Key(line.kind, line.indent, line.text);
  };
  for (const Line& line : lines) {
    if (!IsCode(line) || !IsLong(line)) continue;
    if (places.emplace(key_of(line), longer.size()).second) {
      longer.push_back(&line);
    }
  }
  std::vector<std::string> pieces;
  if (!longer.empty()) pieces = Broken(longer);
  std::string result;
  for (const Line& line : lines) {
    if (IsCode(line) && IsLong(line)) {
      result += pieces[places.at(key_of(line))];
    } else if (line.kind == LineKind::kComment) {
      AppendComment(line, result);
    } else if (line.text.empty()) {
      result += "\n";
    } else {
      result.append(static_cast<size_t>(line.indent), ' ');
      result += line.text + "\n";
    }
  }
  return result;
}

}  // namespace belay::crux::print
