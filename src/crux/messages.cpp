// SPDX-License-Identifier: Apache-2.0
#include "crux/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "base/edit_distance.h"
#include "base/error.h"

namespace belay::crux {

SourceLocation Messages::LocationOf(const SourceRange& range) const {
  SourceLocation location;
  location.file = source_.name();
  location.line = range.line;
  location.column = range.column;
  if (range.end_line == range.line) location.end_column = range.end_column;
  return location;
}

Diagnostic& Messages::Report(const char* code, const SourceRange& range,
                             std::string message, std::string fix) {
  const CodeInfo* info = FindCode(code);
  if (!info) throw InternalError(fmt::format("no diagnostic code {}", code));
  for (const Diagnostic& earlier : diagnostics_) {
    if (earlier.code == code && earlier.location.line == range.line &&
        earlier.location.column == range.column) {
      return dropped_ = Diagnostic();
    }
  }
  if (info->severity == Severity::kError && ++errors_ > kLimit) {
    if (errors_ == kLimit + 1) first_left_out_ = LocationOf(range);
    return dropped_ = Diagnostic();
  }
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.severity = info->severity;
  diagnostic.message = std::move(message);
  diagnostic.location = LocationOf(range);
  diagnostic.fix = fix.empty() ? fmt::format(
                                     "`belay explain {}` has the rule "
                                     "and an example",
                                     code)
                               : std::move(fix);
  return diagnostics_.emplace_back(std::move(diagnostic));
}

std::vector<int> Messages::ErrorLines() const {
  std::vector<int> lines;
  for (const Diagnostic& diagnostic : diagnostics_) {
    if (diagnostic.severity == Severity::kError) {
      lines.push_back(diagnostic.location.line);
    }
  }
  return lines;
}

void Messages::Adopt(Messages&& other) {
  std::move(other.diagnostics_.begin(), other.diagnostics_.end(),
            std::back_inserter(diagnostics_));
  errors_ += other.errors_;
  first_left_out_ = std::move(other.first_left_out_);
}

bool Messages::HasErrorBetween(int first_line, int last_line) const {
  for (const Diagnostic& diagnostic : diagnostics_) {
    if (diagnostic.severity == Severity::kError &&
        diagnostic.location.line >= first_line &&
        diagnostic.location.line <= last_line) {
      return true;
    }
  }
  return false;
}

std::vector<Diagnostic> Messages::Take() {
  std::stable_sort(diagnostics_.begin(), diagnostics_.end(),
                   [](const Diagnostic& a, const Diagnostic& b) {
                     return std::tie(a.location.line, a.location.column) <
                            std::tie(b.location.line, b.location.column);
                   });
  if (errors_ > kLimit) {
    Diagnostic note;
    note.code = code::kX179;
    note.severity = Severity::kNote;
    note.message =
        fmt::format("{} further errors are not shown; mend those above first",
                    errors_ - kLimit);
    note.location = first_left_out_;
    diagnostics_.push_back(std::move(note));
  }
  return std::move(diagnostics_);
}

std::string Nearest(std::string_view name,
                    const std::vector<std::string>& candidates) {
  if (name.size() > 64) return "";
  const int limit = std::max(1, static_cast<int>(name.size()) / 3);
  int best = limit + 1;
  std::string nearest;
  for (const std::string& candidate : candidates) {
    const auto gap =
        static_cast<int>(candidate.size()) - static_cast<int>(name.size());
    if (gap > limit || gap < -limit || candidate == name) continue;
    const int distance = EditDistance(name, candidate);
    if (distance < best &&
        distance < static_cast<int>(std::max(candidate.size(), name.size()))) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string Listed(const std::vector<std::string>& items) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? " and " : ", ";
    text += items[i];
  }
  return text;
}

}  // namespace belay::crux
