// SPDX-License-Identifier: Apache-2.0
#include "bench/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "base/catalogue.h"
#include "bench/compare.h"
#include "bench/shortcuts.h"
#include "bench/task_error.h"

namespace belay::bench {
namespace {

using Types = std::map<std::string, DType>;

std::string NameOf(const Types& types) {
  std::string text;
  for (const auto& [name, dtype] : types) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name,
                        belay::NameOf(dtype));
  }
  return text.empty() ? "all cases" : text;
}

// One shortcut on the cases of one column of dtypes, or of the whole task.
struct Trial {
  const Shortcut* shortcut = nullptr;
  Types types;
  bool refused = false;
  std::vector<std::string> accepted;  // cases that take it for right
  int64_t terms = 0;                  // of the longest sum, where sums tell
};

class TaskLint {
 public:
  TaskLint(const Task& task, LintReport& report)
      : task_(task), report_(report) {}

  void Run() {
    const std::vector<Case> all = ExpandCases(task_);
    report_.cases = all.size();
    const std::vector<Case> cases = LintCases(task_, all);
    report_.looked_at = cases.size();
    LintText(task_, all, report_);
    if (cases.empty()) {
      Add(code::kK124, 0,
          fmt::format("[lint] {}: no case has at most {} elements", task_.id,
                      kMostCaseElements),
          "add edge cases");
      return;
    }
    const auto runner = MakeReferenceRunner(task_);
    shortcuts_ = ShortcutsOf(task_, cases);
    report_.shortcuts = shortcuts_.size();
    for (const Case& one_case : cases) LookAt(one_case, *runner);
    ReportRightRefused();
    ReportTrials();
    ReportUnusedWaivers();
  }

 private:
  void Add(const char* code, int line, std::string message, std::string fix) {
    Diagnostic finding;
    finding.code = code;
    finding.message = std::move(message);
    finding.fix = std::move(fix);
    finding.location.file = task_.file.string();
    finding.location.line = line;
    report_.findings.push_back(std::move(finding));
  }

  void LookAt(const Case& one_case, ReferenceRunner& runner) {
    const Truth truth = MakeTruth(task_, one_case, runner);
    JudgeRight("reference", truth, truth.rounded, runner);
    JudgeRight("eager", truth, runner.Eager(one_case, truth.inputs), runner);
    for (size_t i = 0; i < shortcuts_.size(); ++i) {
      const Shortcut& shortcut = shortcuts_[i];
      Trial& trial =
          trials_[{i, shortcut.scope == ShortcutScope::kTypes ? one_case.types
                                                              : Types{}}];
      trial.shortcut = &shortcut;
      if (shortcut.scope == ShortcutScope::kTypes) trial.types = one_case.types;
      if (trial.refused) continue;
      const std::optional<Arguments> outputs = shortcut.make(truth, runner);
      if (shortcut.terms) trial.terms = std::max(trial.terms, *shortcut.terms);
      if (!outputs) continue;
      if (Judge(truth, *outputs, runner).accepted) {
        trial.accepted.push_back(one_case.name);
      } else {
        trial.refused = true;
      }
    }
  }

  void JudgeRight(const std::string& who, const Truth& truth,
                  const Arguments& outputs, ReferenceRunner& runner) {
    const Verdict verdict = Judge(truth, outputs, runner);
    if (verdict.accepted) return;
    right_refused_[who].push_back(
        fmt::format("{} ({}): {}", truth.one_case.name,
                    Describe(task_, truth.one_case), verdict.reason));
  }

  void ReportRightRefused() {
    for (const auto& [who, cases] : right_refused_) {
      const auto names_it = [&who](const Waiver& waiver) {
        return waiver.shortcut == who && who == "eager";
      };
      const auto waiver =
          std::find_if(task_.waivers.begin(), task_.waivers.end(), names_it);
      if (waiver != task_.waivers.end()) {
        NoteWaived(*waiver, report_);
        continue;
      }
      Diagnostic finding;
      finding.code = code::kK121;
      finding.location.file = task_.reference_file.string();
      finding.message = fmt::format(
          "[lint] {}: the result of {}() is refused on {} of {} cases, first "
          "on {}",
          task_.id, who, cases.size(), report_.looked_at, cases.front());
      finding.fix =
          "make both compute the same, set `scale = true` where terms cancel, "
          "or keep values away from where f32 cannot follow";
      report_.findings.push_back(std::move(finding));
    }
  }

  // The waiver for a shortcut: its whole name or its kind. What is a constant
  // is also linear, right after any block and independent of everything; what
  // is a copy is linear; of what may be ignored any part may.
  const Waiver* WaiverFor(const std::string& name) const {
    const size_t colon = name.find(':');
    const std::string kind = name.substr(0, colon);
    const std::string of = colon == std::string::npos ? "" : name.substr(colon);
    std::vector<std::string> names = {name, kind, "constant" + of};
    if (task_.outputs.size() == 1) names.push_back("constant");
    if (kind == "affine") {
      names.push_back("identity");
      names.push_back("identity" + of);
    }
    if (kind == "first-block") names.push_back("ignore" + of);
    for (const Waiver& waiver : task_.waivers) {
      if (std::find(names.begin(), names.end(), waiver.shortcut) !=
          names.end()) {
        return &waiver;
      }
    }
    return nullptr;
  }

  void ReportTrials() {
    std::map<std::string, bool> told;
    for (const auto& [key, trial] : trials_) {
      told[trial.shortcut->name] |= trial.refused || !trial.accepted.empty();
    }
    for (const auto& [name, any] : told) {
      if (!any) report_.untold.push_back(name);
    }
    for (const auto& [key, trial] : trials_) {
      if (!trial.refused && trial.accepted.empty()) ReportShortSums(trial);
      if (trial.refused || trial.accepted.empty()) continue;
      const std::string& name = trial.shortcut->name;
      if (const Waiver* waiver = WaiverFor(name)) {
        NoteWaived(*waiver, report_);
        continue;
      }
      const bool noise = name.starts_with("noise");
      const std::string where = trial.shortcut->scope == ShortcutScope::kTypes
                                    ? " for " + NameOf(trial.types)
                                    : "";
      Add(noise ? code::kK122 : code::kK120, 0,
          fmt::format("[lint] {}: a kernel that {} passes all {} cases{} "
                      "that tell, {} among them",
                      task_.id, trial.shortcut->what, trial.accepted.size(),
                      where, trial.accepted.front()),
          fmt::format("add a case that refuses it, or a [[waiver]] with "
                      "shortcut = \"{}\" and the reason why it is right",
                      name));
    }
  }

  // Sums there are, but none long enough to tell.
  void ReportShortSums(const Trial& trial) {
    if (trial.terms < 2) return;
    const std::string& name = trial.shortcut->name;
    if (const Waiver* waiver = WaiverFor(name)) {
      NoteWaived(*waiver, report_);
      return;
    }
    Add(code::kK124, 0,
        fmt::format("[lint] {}: no case for {} tells whether a kernel {}: the "
                    "longest sum has {} terms, {} are needed",
                    task_.id, NameOf(trial.types), trial.shortcut->what,
                    trial.terms, kLongSum),
        fmt::format("add a case with longer sums, or a [[waiver]] with "
                    "shortcut = \"{}\" and the reason why they are short",
                    name));
  }

  void ReportUnusedWaivers() {
    for (const Waiver& waiver : task_.waivers) {
      const auto used = [&](const Waived& waived) {
        return waived.shortcut == waiver.shortcut;
      };
      if (std::any_of(report_.waived.begin(), report_.waived.end(), used)) {
        continue;
      }
      Add(code::kK125, waiver.line,
          fmt::format("[lint] {}: the waiver for \"{}\" waives nothing: no "
                      "shortcut of that name passes",
                      task_.id, waiver.shortcut),
          "remove it, or correct the name");
    }
  }

  const Task& task_;
  LintReport& report_;
  std::vector<Shortcut> shortcuts_;
  std::map<std::pair<size_t, Types>, Trial> trials_;
  std::map<std::string, std::vector<std::string>> right_refused_;
};

}  // namespace

void NoteWaived(const Waiver& waiver, LintReport& report) {
  for (const Waived& known : report.waived) {
    if (known.shortcut == waiver.shortcut) return;
  }
  report.waived.push_back({waiver.shortcut, waiver.reason});
}

std::vector<Case> LintCases(const Task& task, const std::vector<Case>& cases) {
  std::vector<std::pair<int64_t, const Case*>> sized;
  for (const Case& one_case : cases) {
    if (!one_case.lint) continue;
    const int64_t elements = ElementsOf(task, one_case);
    if (elements <= kMostCaseElements) sized.emplace_back(elements, &one_case);
  }
  std::stable_sort(
      sized.begin(), sized.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  int64_t total = 0;
  const auto fits = [&total](const auto& entry) {
    total += entry.first;
    return total <= kMostTaskElements;
  };
  sized.erase(std::find_if_not(sized.begin(), sized.end(), fits), sized.end());
  const auto distance = [](int64_t elements) {
    constexpr double kMedium = 12;  // 2^12 elements
    return std::abs(std::log2(static_cast<double>(elements) + 1) - kMedium);
  };
  std::stable_sort(sized.begin(), sized.end(),
                   [&](const auto& a, const auto& b) {
                     return distance(a.first) < distance(b.first);
                   });
  std::vector<Case> chosen;
  for (const auto& [elements, one_case] : sized) chosen.push_back(*one_case);
  return chosen;
}

LintReport LintTask(const Task& task) {
  const auto begin = std::chrono::steady_clock::now();
  LintReport report;
  report.id = task.id;
  try {
    TaskLint(task, report).Run();
  } catch (const TaskError& error) {
    report.findings.push_back(error.diagnostic());
  }
  report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  return report;
}

}  // namespace belay::bench
