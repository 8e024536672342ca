// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_LINT_H_
#define BELAY_BENCH_LINT_H_

// Proves that a task cannot be fooled: every shortcut of bench/shortcuts.h is
// refused, eager() is accepted, and files and cases are complete.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "bench/case.h"
#include "bench/reference_runner.h"

namespace belay::bench {

// A shortcut that passes and may, by a waiver of the task.
struct Waived {
  std::string shortcut;
  std::string reason;
};

struct LintReport {
  std::string id;
  size_t cases = 0;      // of the task
  size_t looked_at = 0;  // by lint, within its limits
  size_t shortcuts = 0;  // wrong kernels that were tried
  // Names of shortcuts about which no case says anything, because nothing in
  // the task could take them.
  std::vector<std::string> untold;
  double seconds = 0;
  std::vector<Diagnostic> findings;
  std::vector<Waived> waived;
};

void to_json(nlohmann::json& json, const LintReport& report);
void from_json(const nlohmann::json& json, LintReport& report);

// Cases with more elements, inputs and outputs together, are left out, and so
// are the largest ones once the others add up to kMostTaskElements.
inline constexpr int64_t kMostCaseElements = int64_t{1} << 20;
inline constexpr int64_t kMostTaskElements = int64_t{1} << 22;

// The cases lint looks at: those of medium size first, because they refuse
// most shortcuts at the least cost.
std::vector<Case> LintCases(const Task& task, const std::vector<Case>& cases);

// Never throws for what is wrong with the task: that is a finding.
LintReport LintTask(const Task& task);

// Adds the waiver to those in use, once.
void NoteWaived(const Waiver& waiver, LintReport& report);

// What the text of the files says without running anything: names missing in
// the specification, cases that leave out a dtype, are too small or aligned.
void LintText(const Task& task, const std::vector<Case>& cases,
              LintReport& report);

}  // namespace belay::bench

#endif  // BELAY_BENCH_LINT_H_
