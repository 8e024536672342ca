// SPDX-License-Identifier: Apache-2.0
#include "check/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace belay::check {
namespace {

void Append(std::string& text, uint64_t count, const char* one,
            const char* many) {
  if (count == 0) return;
  if (!text.empty()) text += ", ";
  text += fmt::format("{} {}", count, count == 1 ? one : many);
}

constexpr std::string_view kSeen = "seen ";
constexpr std::string_view kTimes = " times";

std::string CountNote(uint64_t count) {
  return fmt::format("{}{}{}", kSeen, count, kTimes);
}

bool IsCountNote(const DiagnosticNote& note) {
  return !note.location.known() && note.message.starts_with(kSeen) &&
         note.message.ends_with(kTimes);
}

uint64_t CountOf(const Diagnostic& finding) {
  const auto note = std::ranges::find_if(finding.notes, IsCountNote);
  if (note == finding.notes.end()) return 1;
  return std::strtoull(note->message.c_str() + kSeen.size(), nullptr, 10);
}

}  // namespace

npu::Fault WithCount(const Findings::Entry& entry) {
  npu::Fault fault = entry.fault;
  if (entry.count > 1) {
    fault.diagnostic.notes.push_back({CountNote(entry.count), {}});
  }
  return fault;
}

void AddCount(const Diagnostic& repeat, Diagnostic& finding) {
  const uint64_t count = CountOf(finding) + CountOf(repeat);
  std::erase_if(finding.notes, IsCountNote);
  finding.notes.insert(std::ranges::find_if(finding.notes,
                                            [](const DiagnosticNote& note) {
                                              return note.location.known();
                                            }),
                       {CountNote(count), {}});
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
