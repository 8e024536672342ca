// SPDX-License-Identifier: Apache-2.0
#include "bench/task_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/append_text.h"
#include "bench/case.h"

namespace belay::bench {
namespace {

std::string FolderOf(const Task& task) {
  const size_t slash = task.id.rfind('/');
  return slash == std::string::npos ? "" : task.id.substr(0, slash);
}

// Text for a cell of a table: one line, and no bar that would end the cell.
std::string Cell(const std::string& text) {
  std::string cell;
  for (const char c : text) {
    if (c == '|') cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

// A cell in the font of code.
std::string Code(const std::string& text) {
  return fmt::format("`{}`", Cell(text));
}

std::string OutputsInShort(const Task& task) {
  std::vector<std::string> parts;
  for (const OutputSpec& output : task.outputs) {
    std::string part =
        fmt::format("{}{}: {}", output.name, output.list ? "[]" : "",
                    fmt::join(DTypesOf(task, output.dtype), " "));
    if (!output.in_place.empty()) {
      part += fmt::format(" over {}", output.in_place);
    }
    parts.push_back(std::move(part));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string AttributesInShort(const Task& task) {
  std::vector<std::string> parts;
  for (const AttributeSpec& attribute : task.attributes) {
    parts.push_back(
        attribute.fallback.is_null()
            ? attribute.name
            : fmt::format("{}={}", attribute.name, attribute.fallback.dump()));
  }
  return parts.empty() ? "" : Code(fmt::format("{}", fmt::join(parts, ", ")));
}

void AppendRow(const Task& task, std::string& page) {
  const std::vector<Case> cases = ExpandCases(task);
  const auto edge = std::count_if(
      cases.begin(), cases.end(),
      [](const Case& one_case) { return one_case.kind == CaseKind::kEdge; });
  Append(page, "| {} | {} | {} | {} | {} | {} | {} | {} |\n", task.name,
         task.level, Code(task.formula), Cell(InputsInShort(task)),
         AttributesInShort(task), Cell(OutputsInShort(task)), edge,
         cases.size() - static_cast<size_t>(edge));
}

}  // namespace

std::vector<std::string> DTypesOf(const Task& task, const std::string& word) {
  std::vector<std::string> names;
  for (const auto& column : task.types) {
    const auto found = column.find(word);
    if (found == column.end()) return {word};
    const std::string name(NameOf(found->second));
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  return names.empty() ? std::vector<std::string>{word} : names;
}

std::string InputsInShort(const Task& task) {
  std::vector<std::string> parts;
  for (const InputSpec& input : task.inputs) {
    parts.push_back(fmt::format(
        "{}{}{}: {} `{}`", input.name, input.list ? "[]" : "",
        input.optional ? "?" : "", fmt::join(DTypesOf(task, input.dtype), " "),
        input.shape.text()));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string MarkdownList(const Suite& suite,
                         const std::vector<const Task*>& tasks) {
  size_t cases = 0;
  for (const Task* task : tasks) cases += ExpandCases(*task).size();
  std::string page = fmt::format(
      "# The tasks\n\n"
      "{} tasks with {} cases, suite {} {}. This page is what `belay tasks "
      "list\n--markdown` prints; [tasks.md](tasks.md) says what the columns "
      "mean, `belay tasks\nshow TASK` gives specification and cases.\n\n"
      "`x[]` is a list of tensors, `bias?` may be absent, `y over x` "
      "overwrites x.\n",
      tasks.size(), cases, suite.name, suite.version);
  std::string folder;
  for (const Task* task : tasks) {
    if (task == tasks.front() || FolderOf(*task) != folder) {
      folder = FolderOf(*task);
      Append(
          page,
          "\n## {}\n\n"
          "| task | level | formula | inputs | attributes | outputs | edge | "
          "real |\n|---|---|---|---|---|---|---|---|\n",
          folder.empty() ? "Tasks" : folder);
    }
    AppendRow(*task, page);
  }
  return page;
}

}  // namespace belay::bench
