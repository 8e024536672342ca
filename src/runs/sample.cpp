// SPDX-License-Identifier: Apache-2.0
#include "runs/sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

#include "base/error.h"
#include "bench/case.h"

namespace belay::runs {
namespace fs = std::filesystem;
namespace {

// A text whose plain order is the natural one: runs of digits are written with
// their length before them.
std::string OrderOf(std::string_view name) {
  std::string order;
  for (size_t i = 0; i < name.size();) {
    if (!std::isdigit(static_cast<unsigned char>(name[i]))) {
      order += name[i++];
      continue;
    }
    while (i + 1 < name.size() && name[i] == '0' &&
           std::isdigit(static_cast<unsigned char>(name[i + 1]))) {
      ++i;
    }
    size_t end = i;
    while (end < name.size() &&
           std::isdigit(static_cast<unsigned char>(name[end]))) {
      ++end;
    }
    order += fmt::format("0{:06}{}", end - i, name.substr(i, end - i));
    i = end;
  }
  return order;
}

bool IsHidden(const fs::path& path) {
  return path.filename().string().starts_with('.');
}

std::vector<fs::path> EntriesOf(const fs::path& folder) {
  std::vector<fs::path> entries;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!IsHidden(entry.path())) entries.push_back(entry.path());
  }
  std::ranges::sort(entries);
  return entries;
}

// Folders that lead to tasks, and those of tasks themselves.
struct KnownFolders {
  std::set<std::string> on_the_way;
  std::set<std::string> tasks;
};

KnownFolders FoldersOf(const std::vector<const bench::Task*>& known) {
  KnownFolders folders;
  for (const bench::Task* task : known) {
    folders.tasks.insert(task->id);
    for (fs::path above = fs::path(task->id).parent_path(); !above.empty();
         above = above.parent_path()) {
      folders.on_the_way.insert(above.string());
    }
  }
  return folders;
}

void RequireKnownFolders(const fs::path& root, const fs::path& below,
                         const KnownFolders& folders) {
  for (const fs::path& entry : EntriesOf(root / below)) {
    const fs::path name = below / entry.filename();
    if (folders.tasks.contains(name.string())) continue;
    if (fs::is_directory(entry) && folders.on_the_way.contains(name.string())) {
      RequireKnownFolders(root, name, folders);
      continue;
    }
    throw UserError(
        fmt::format("[candidates] '{}' belongs to no task: candidates lie in "
                    "{}/<task id>/, and `belay tasks list` lists the ids",
                    entry.string(), root.string()));
  }
}

}  // namespace

void SortSamples(std::vector<Sample>& samples) {
  std::vector<
      std::pair<std::tuple<std::string, std::string, std::string>, Sample>>
      keyed;
  keyed.reserve(samples.size());
  for (Sample& sample : samples) {
    std::tuple order(sample.task, OrderOf(sample.problem()),
                     OrderOf(sample.name));
    keyed.emplace_back(std::move(order), std::move(sample));
  }
  std::ranges::stable_sort(
      keyed, {}, [](const auto& one) -> const auto& { return one.first; });
  samples.clear();
  for (auto& [order, sample] : keyed) samples.push_back(std::move(sample));
}

std::vector<Sample> SamplesOfFolder(
    const fs::path& folder, const std::vector<const bench::Task*>& selected,
    const std::vector<const bench::Task*>& known) {
  if (!fs::is_directory(folder)) {
    throw UserError(
        fmt::format("[candidates] '{}' is no folder", folder.string()));
  }
  RequireKnownFolders(folder, "", FoldersOf(known));
  std::vector<Sample> samples;
  for (const bench::Task* task : selected) {
    const fs::path own = folder / task->id;
    if (!fs::is_directory(own)) continue;
    for (const fs::path& entry : EntriesOf(own)) {
      Sample sample;
      sample.task = task->id;
      sample.name = entry.filename().string();
      sample.candidate = judge::LoadCandidate(entry.string());
      samples.push_back(std::move(sample));
    }
  }
  SortSamples(samples);
  return samples;
}

std::vector<Sample> ShippedAnswers(
    const std::vector<const bench::Task*>& selected) {
  std::vector<Sample> samples;
  for (const bench::Task* task : selected) {
    if (task->answer_file.empty()) continue;
    std::string path = task->answer_file.string();
    if (!task->answer_kernel.empty()) path += ":" + task->answer_kernel;
    Sample sample;
    sample.task = task->id;
    sample.name = "answer";
    sample.candidate = judge::LoadCandidate(path);
    samples.push_back(std::move(sample));
  }
  SortSamples(samples);
  return samples;
}

std::vector<Sample> WithProblems(std::vector<Sample> samples,
                                 const ProblemChoice& choice,
                                 const std::vector<const bench::Task*>& tasks) {
  std::map<std::string, std::vector<bench::Case>> cases;
  for (const bench::Task* task : tasks) cases[task->id] = {};
  for (const bench::Task* task : tasks) {
    const bool needed = std::ranges::any_of(samples, [&](const Sample& one) {
      return one.task == task->id &&
             (!one.only_case.empty() || !choice.only_case.empty() ||
              choice.every_case);
    });
    if (needed) cases[task->id] = bench::ExpandCases(*task);
  }
  std::vector<Sample> all;
  for (Sample& sample : samples) {
    if (sample.only_case.empty()) sample.only_case = choice.only_case;
    const std::vector<bench::Case>& own = cases.at(sample.task);
    if (sample.only_case.empty() && choice.every_case) {
      for (const bench::Case& one : own) {
        if (choice.real_cases_only && one.kind != bench::CaseKind::kReal) {
          continue;
        }
        all.push_back(sample);
        all.back().only_case = one.name;
      }
      continue;
    }
    if (!sample.only_case.empty() &&
        std::ranges::find(own, sample.only_case, &bench::Case::name) ==
            own.end()) {
      throw UserError(fmt::format(
          "[samples] {} has no case '{}'; `belay tasks show {}` lists them",
          sample.task, sample.only_case, sample.task));
    }
    all.push_back(std::move(sample));
  }
  SortSamples(all);
  return all;
}

void RequireDistinctNames(const std::vector<Sample>& sorted) {
  for (size_t i = 1; i < sorted.size(); ++i) {
    const Sample& one = sorted[i];
    const Sample& before = sorted[i - 1];
    if (one.task == before.task && one.problem() == before.problem() &&
        one.name == before.name) {
      throw UserError(fmt::format(
          "[samples] {} has two samples called '{}' for its problem {}: give "
          "each a \"sample\" of its own",
          one.task, one.name, one.problem()));
    }
  }
}

}  // namespace belay::runs
