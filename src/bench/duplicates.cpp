// SPDX-License-Identifier: Apache-2.0
#include "bench/duplicates.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <sstream>

#include "base/catalogue.h"
#include "bench/task_error.h"
#include "bench/word.h"

namespace belay::bench {
namespace {

// The reference without imports, eager(), comments and spaces, its own names
// numbered in the order they appear.
std::string Essence(const Task& task) {
  std::set<std::string> own;
  for (const InputSpec& input : task.inputs) own.insert(input.name);
  for (const AttributeSpec& attribute : task.attributes) {
    own.insert(attribute.name);
  }
  std::map<std::string, size_t> numbers;
  std::string essence;
  std::istringstream lines(task.reference);
  bool counts = true;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("import ") || line.starts_with("from ")) continue;
    if (line.starts_with("def ")) counts = !line.starts_with("def eager");
    if (!counts) continue;
    line = line.substr(0, line.find('#'));
    for (size_t at = 0; at < line.size();) {
      if (!InWord(line[at])) {
        if (line[at] != ' ') essence += line[at];
        ++at;
        continue;
      }
      size_t end = at;
      while (end < line.size() && InWord(line[end])) ++end;
      const std::string word = line.substr(at, end - at);
      const bool member = at > 0 && line[at - 1] == '.';
      essence +=
          own.contains(word) && !member
              ? fmt::format(
                    "\x01{};",
                    numbers.try_emplace(word, numbers.size()).first->second)
              : word + " ";
      at = end;
    }
    essence += '\n';
  }
  return essence;
}

// What a kernel could be tuned to.
std::string KeyOf(const Task& task, const Case& one_case) {
  std::string key(NameOf(one_case.regime));
  for (const InputSpec& input : task.inputs) {
    key += fmt::format("|{}", NameOf(DTypeOf(input.dtype, one_case)));
    for (const Shape& shape : InputShapes(input, one_case)) {
      key += fmt::format("[{}]", ToText(shape));
    }
  }
  for (const AttributeSpec& attribute : task.attributes) {
    key += "|" + one_case.attributes.at(attribute.name).dump();
  }
  return key;
}

std::map<std::string, std::string> RealCases(const Task& task) {
  std::map<std::string, std::string> cases;
  try {
    for (const Case& one_case : ExpandCases(task)) {
      if (one_case.kind != CaseKind::kReal) continue;
      cases.emplace(KeyOf(task, one_case), one_case.name);
    }
  } catch (const TaskError&) {
    // Reported by the lint of the task itself.
  }
  return cases;
}

}  // namespace

void AddDuplicates(const std::vector<const Task*>& tasks,
                   std::vector<LintReport>& reports) {
  std::map<std::string, std::vector<size_t>> by_essence;
  for (size_t i = 0; i < tasks.size(); ++i) {
    auto& same = by_essence[Essence(*tasks[i])];
    const auto own = RealCases(*tasks[i]);
    for (const size_t other : same) {
      const auto theirs = RealCases(*tasks[other]);
      for (const auto& [key, name] : own) {
        const auto found = theirs.find(key);
        if (found == theirs.end()) continue;
        Diagnostic finding;
        finding.code = code::kK127;
        finding.location.file = tasks[i]->file.string();
        finding.message = fmt::format(
            "[lint] {} has the same reference as {} and shares a case with "
            "it: {} is {} there",
            tasks[i]->id, tasks[other]->id, name, found->second);
        finding.fix = "give one of them other shapes or attributes";
        reports[i].findings.push_back(std::move(finding));
        break;
      }
    }
    same.push_back(i);
  }
}

}  // namespace belay::bench
