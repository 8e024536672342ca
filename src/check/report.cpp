// SPDX-License-Identifier: Apache-2.0
#include "check/report.h"

#include <fmt/format.h>

namespace belay::check {
namespace {

void Append(std::string& text, uint64_t count, const char* one,
            const char* many) {
  if (count == 0) return;
  if (!text.empty()) text += ", ";
  text += fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

npu::Fault WithCount(const Findings::Entry& entry) {
  npu::Fault fault = entry.fault;
  if (entry.count > 1) {
    fault.diagnostic.notes.push_back(
        {fmt::format("seen {} times", entry.count), {}});
  }
  return fault;
}

Totals Count(std::span<const Diagnostic> diagnostics) {
  Totals totals;
  for (const Diagnostic& diagnostic : diagnostics) {
    switch (diagnostic.severity) {
      case Severity::kError:
        ++totals.errors;
        break;
      case Severity::kWarning:
        ++totals.warnings;
        break;
      case Severity::kNote:
        ++totals.notes;
        break;
    }
  }
  return totals;
}

std::string Summarize(const Totals& totals, uint64_t dropped,
                      uint64_t suppressed) {
  std::string text;
  Append(text, totals.errors, "error", "errors");
  Append(text, totals.warnings, "warning", "warnings");
  Append(text, totals.notes, "note", "notes");
  if (text.empty()) text = "nothing found";
  Append(text, suppressed, "finding suppressed", "findings suppressed");
  Append(text, dropped, "kind of finding left out (--max-findings)",
         "kinds of findings left out (--max-findings)");
  return text;
}

int ExitCodeOf(const Totals& totals, bool strict) {
  if (totals.errors > 0) return 1;
  return strict && totals.warnings + totals.notes > 0 ? 1 : 0;
}

}  // namespace belay::check
