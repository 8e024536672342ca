// SPDX-License-Identifier: Apache-2.0
#include "crux/source.h"

#include <algorithm>
#include <tuple>

namespace belay::crux {

SourceRange Join(const SourceRange& a, const SourceRange& b) {
  if (!a.known()) return b;
  if (!b.known()) return a;
  SourceRange joined = a;
  if (std::tie(b.line, b.column) < std::tie(a.line, a.column)) {
    joined.line = b.line;
    joined.column = b.column;
  }
  if (std::tie(b.end_line, b.end_column) > std::tie(a.end_line, a.end_column)) {
    joined.end_line = b.end_line;
    joined.end_column = b.end_column;
  }
  return joined;
}

Source::Source(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)) {
  starts_.push_back(0);
  for (size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') starts_.push_back(i + 1);
  }
}

std::string_view Source::Line(int line) const {
  if (line < 1 || static_cast<size_t>(line) > starts_.size()) return "";
  const size_t begin = starts_[line - 1];
  size_t end = text_.find('\n', begin);
  if (end == std::string::npos) end = text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

std::string_view Source::Text(const SourceRange& range) const {
  const std::string_view line = Line(range.line);
  const size_t begin =
      std::min(line.size(), static_cast<size_t>(std::max(0, range.column - 1)));
  if (range.end_line != range.line) return line.substr(begin);
  const auto end =
      static_cast<size_t>(std::max(range.column, range.end_column));
  return line.substr(begin, std::min(line.size() + 1, end) - 1 - begin);
}

}  // namespace belay::crux
