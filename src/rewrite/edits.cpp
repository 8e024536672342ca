// SPDX-License-Identifier: Apache-2.0
#include "rewrite/edits.h"

#include <algorithm>
#include <utility>

namespace belay::rewrite {

void Edits::Replace(size_t begin, size_t end, std::string text,
                    bool in_directive) {
  edits_.push_back({begin, end,
                    in_directive ? Kind::kDirectiveText : Kind::kText,
                    std::move(text)});
}

void Edits::Blank(size_t begin, size_t end) {
  edits_.push_back({begin, end, Kind::kBlank, {}});
}

std::string Edits::Apply(std::string_view source) const {
  std::vector<Edit> sorted = edits_;
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  std::string result;
  size_t at = 0;
  for (const Edit& edit : sorted) {
    result += source.substr(at, edit.begin - at);
    const std::string_view old =
        source.substr(edit.begin, edit.end - edit.begin);
    if (edit.kind == Kind::kBlank) {
      for (const char c : old) result += c == '\n' ? '\n' : ' ';
    } else {
      result += edit.text;
      for (const char c : old) {
        if (c != '\n') continue;
        result += edit.kind == Kind::kDirectiveText ? " \\\n" : "\n";
      }
    }
    at = edit.end;
  }
  result += source.substr(at);
  return result;
}

}  // namespace belay::rewrite
