// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_REPORT_H_
#define BELAY_CHECK_REPORT_H_

// How findings are told: how often each was met, and all of them in one line.

#include <span>
#include <string>

#include "base/diagnostic.h"
#include "check/findings.h"

namespace belay::check {

// The finding with a note that says how often it was met, if more than once.
npu::Fault WithCount(const Findings::Entry& entry);

// Adds how often `repeat` was met to the note of `finding`.
void AddCount(const Diagnostic& repeat, Diagnostic& finding);

struct Totals {
  int errors = 0;
  int warnings = 0;
  int notes = 0;
  bool operator==(const Totals&) const = default;
};
Totals Count(std::span<const Diagnostic> diagnostics);

// "2 errors, 1 warning", "nothing found"; `dropped` kinds beyond the limit and
// `suppressed` findings are mentioned if there are any.
std::string Summarize(const Totals& totals, uint64_t dropped = 0,
                      uint64_t suppressed = 0);

// 1 for an error, and with `strict` for anything at all; else 0.
int ExitCodeOf(const Totals& totals, bool strict);

}  // namespace belay::check

#endif  // BELAY_CHECK_REPORT_H_
