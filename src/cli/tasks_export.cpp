// SPDX-License-Identifier: Apache-2.0
// `belay tasks export`: tasks as questions, operator projects without the
// kernel's body.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "bench/export_project.h"
#include "bench/task_error.h"
#include "cli/command.h"
#include "cli/tasks_command.h"

namespace belay::cli {
namespace {

namespace fs = std::filesystem;

struct ExportFlags {
  TasksOptions tasks;
  std::string form = "kernel-only";
  std::string shapes = "static";
  std::string one_case;
  std::string folder;
};

// The case a static question is about: the one named, or the first real one,
// or the first.
const bench::Case& ChooseCase(const bench::Task& task,
                              const std::vector<bench::Case>& cases,
                              const std::string& name) {
  const auto found =
      std::find_if(cases.begin(), cases.end(), [&](const bench::Case& one) {
        return name.empty() ? one.kind == bench::CaseKind::kReal
                            : one.name == name;
      });
  if (found != cases.end()) return *found;
  if (name.empty()) return cases.front();
  throw bench::TaskError(
      code::kK117, task.file, 0,
      fmt::format("[export] {} has no case '{}'", task.id, name),
      fmt::format("`belay tasks show {}` lists its cases", task.id));
}

int Export(const ExportFlags& flags) {
  const auto selected = SelectTasks(flags.tasks);
  nlohmann::json list = nlohmann::json::array();
  for (const bench::Task* task : selected->tasks) {
    const std::vector<bench::Case> cases = ExpandCases(*task);
    bench::ExportOptions options;
    options.full = flags.form == "full";
    if (flags.shapes == "static") {
      options.only = &ChooseCase(*task, cases, flags.one_case);
    }
    const fs::path folder = selected->tasks.size() == 1
                                ? fs::path(flags.folder)
                                : fs::path(flags.folder) / task->id;
    WriteProject(ExportTask(*task, options), folder);
    const std::string name =
        options.only != nullptr ? options.only->name : "all cases";
    list.push_back({{"task", task->id},
                    {"hash", task->hash},
                    {"folder", folder.string()},
                    {"template", flags.form},
                    {"shapes", flags.shapes},
                    {"case", name}});
    if (!flags.tasks.json) {
      fmt::print("{} ({}): {}\n", task->id, name, folder.string());
    }
  }
  if (flags.tasks.json) fmt::print("{}\n", list.dump(2));
  return 0;
}

}  // namespace

void AddTasksExport(CLI::App& tasks, int* exit_code) {
  auto flags = std::make_shared<ExportFlags>();
  CLI::App* command = tasks.add_subcommand(
      "export", "Write tasks as questions: operator projects to fill in");
  AddTasksOptions(*command, flags->tasks, "Ids, names or folders of tasks");
  command->get_option("TASK")->required();
  command
      ->add_option("--to", flags->folder,
                   "Where it goes; several tasks go to folders in it")
      ->required();
  command
      ->add_option("--template", flags->form,
                   "What is asked for: the kernel, or the host part, too")
      ->check(CLI::IsMember({"kernel-only", "full"}))
      ->capture_default_str();
  command
      ->add_option("--shapes", flags->shapes,
                   "static: one case, its sizes constants; dynamic: all cases")
      ->check(CLI::IsMember({"static", "dynamic"}))
      ->capture_default_str();
  command->add_option("--case", flags->one_case,
                      "The case of a static question (default: the first real "
                      "one)");
  command->footer(
      "Example:\n  belay tasks export level1/Math/Sqrt --to sqrt "
      "--template full --shapes dynamic");
  command->callback([flags, exit_code] {
    *exit_code =
        ReportTaskErrors(flags->tasks.json, [&] { return Export(*flags); });
  });
}

}  // namespace belay::cli
