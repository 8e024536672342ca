// SPDX-License-Identifier: Apache-2.0
#include "crux/print/text.h"

#include <utility>

#include "base/error.h"

namespace belay::crux::print {

void Text::Add(LineKind kind, std::string text) {
  const bool opens = kind != LineKind::kComment && text.ends_with('{');
  lines_.push_back({kind, indent_, std::move(text)});
  if (opens) indent_ += 2;
}

void Text::Statement(std::string text) {
  Add(LineKind::kStatement, std::move(text));
}

void Text::Declaration(std::string text) {
  Add(LineKind::kDeclaration, std::move(text));
}

void Text::Reopen(std::string text) {
  indent_ -= 2;
  Add(LineKind::kStatement, std::move(text));
}

void Text::Close(std::string text) {
  if (indent_ < 2) throw InternalError("[crux] more braces close than open");
  while (!lines_.empty() && lines_.back().text.empty()) lines_.pop_back();
  indent_ -= 2;
  lines_.push_back({LineKind::kVerbatim, indent_, std::move(text)});
}

void Text::Comment(std::string text) {
  Add(LineKind::kComment, std::move(text));
}

void Text::Access(std::string_view word) {
  lines_.push_back({LineKind::kVerbatim, indent_ - 1, std::string(word) + ":"});
}

void Text::Directive(std::string text) {
  // Broken behind "||", as many alternatives on a line as fit.
  constexpr size_t kColumns = 80;
  constexpr std::string_view kOr = " || ";
  while (text.size() > kColumns) {
    const size_t at = text.rfind(kOr, kColumns - kOr.size() - 1);
    if (at == std::string::npos || at < kOr.size()) break;
    lines_.push_back({LineKind::kVerbatim, 0, text.substr(0, at) + " || \\"});
    text = "    " + text.substr(at + kOr.size());
  }
  lines_.push_back({LineKind::kVerbatim, 0, std::move(text)});
}

void Text::Verbatim(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    lines_.push_back({LineKind::kVerbatim, indent_, line});
  }
}

void Text::Blank() {
  if (lines_.empty() || lines_.back().text.empty()) return;
  if (lines_.back().text.ends_with('{') &&
      lines_.back().kind != LineKind::kDeclaration) {
    return;
  }
  lines_.push_back({LineKind::kVerbatim, 0, ""});
}

void Text::OpenNamespace(const std::string& name) {
  lines_.push_back({LineKind::kVerbatim, 0,
                    name.empty() ? "namespace {" : "namespace " + name + " {"});
  lines_.push_back({LineKind::kVerbatim, 0, ""});
}

void Text::CloseNamespace(const std::string& name) {
  Blank();
  lines_.push_back(
      {LineKind::kVerbatim, 0,
       name.empty() ? "}  // namespace" : "}  // namespace " + name});
}

void Text::Append(Text&& other) {
  for (Line& line : other.lines_) {
    if (!line.text.empty()) line.indent += indent_;
    lines_.push_back(std::move(line));
  }
}

void Text::AppendLines(const std::vector<Line>& lines) {
  for (const Line& line : lines) {
    lines_.push_back(line);
    if (!line.text.empty()) lines_.back().indent += indent_;
  }
}

}  // namespace belay::crux::print
