// SPDX-License-Identifier: Apache-2.0
#include "crux/print/function_list.h"

#include <cctype>

#include "crux/print/names.h"

namespace belay::crux::print {
namespace {

constexpr std::string_view kHead = "__aicore__ inline void ";

bool IsDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

void AddPieces(std::string_view text, size_t line, std::vector<Piece>& pieces) {
  constexpr std::string_view kLowest = "-kInfinity";
  const size_t first = pieces.size();
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if (text.substr(i).starts_with(kOrder)) {
      i += kOrder.size();
      continue;
    }
    if (text.substr(i).starts_with(kLowest)) {
      end = i + kLowest.size();
    } else if (IsWordPart(text[i])) {
      while (end < text.size() && (IsWordPart(text[end]) ||
                                   (IsDigit(text[i]) && text[end] == '.'))) {
        ++end;
      }
    }
    if (text[i] != ' ') {
      pieces.push_back({std::string(text.substr(i, end - i)), line, i, end});
    }
    i = end;
    // static_cast < type > ( number )
    constexpr size_t kCast = 7;
    if (pieces.size() < first + kCast) continue;
    const auto cast = pieces.end() - kCast;
    if (cast[0].text == "static_cast" && cast[6].text == ")" &&
        (cast[5].text.ends_with("kInfinity") || IsDigit(cast[5].text[0]))) {
      cast[0] = {cast[5].text, line, cast[0].begin, end, true};
      pieces.erase(cast + 1, pieces.end());
    }
  }
}

}  // namespace

std::vector<Function> FunctionsOf(const Text& text) {
  std::vector<Function> functions;
  bool declared = true;  // the last one has its head
  for (const Line& line : text.lines()) {
    if (line.text.empty()) continue;
    const bool head = line.indent == 0 && line.text.starts_with(kHead);
    const bool is_template =
        line.indent == 0 && line.text.starts_with("template <");
    if (is_template || (head && declared)) functions.emplace_back();
    if (is_template) declared = false;
    Function& own = functions.back();
    if (head) {
      own.head = own.lines.size();
      own.name =
          line.text.substr(kHead.size(), line.text.find('(') - kHead.size());
      declared = true;
    }
    own.lines.push_back(line);
    if (line.kind == LineKind::kComment || is_template) continue;
    AddPieces(line.text, own.lines.size() - 1, own.pieces);
  }
  return functions;
}

Text TextOf(const std::vector<Function>& functions) {
  Text text;
  for (const Function& function : functions) {
    text.AppendLines(function.lines);
    text.Blank();
  }
  return text;
}

void RenameCalls(std::vector<Line>& lines, const CallNames& names) {
  for (Line& line : lines) {
    if (line.kind == LineKind::kComment) continue;
    for (size_t open = line.text.find('('); open != std::string::npos;
         open = line.text.find('(', open + 1)) {
      size_t begin = open;
      while (begin > 0 && IsWordPart(line.text[begin - 1])) --begin;
      const auto found =
          names.find(std::string_view(line.text).substr(begin, open - begin));
      if (found == names.end()) continue;
      line.text.replace(begin, open - begin, found->second);
      open = begin + found->second.size();
    }
  }
}

}  // namespace belay::crux::print
