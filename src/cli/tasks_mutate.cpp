// SPDX-License-Identifier: Apache-2.0
// `belay tasks mutate`: writes a variant of a task that nobody has seen.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/mutate.h"
#include "bench/task_error.h"
#include "cli/command.h"
#include "cli/tasks_command.h"

namespace belay::cli {
namespace {

struct MutateCommand {
  TasksOptions tasks;
  uint64_t seed = 1;
  std::string output;
};

void Mutate(const MutateCommand& command) {
  const auto selected = SelectTasks(command.tasks);
  const bool several = selected->tasks.size() > 1;
  nlohmann::json written = nlohmann::json::array();
  for (const bench::Task* task : selected->tasks) {
    const bench::Variant variant = bench::MutateTask(*task, command.seed);
    const std::filesystem::path folder =
        several ? std::filesystem::path(command.output) / task->id
                : std::filesystem::path(command.output);
    bench::WriteVariant(variant, folder);
    if (command.tasks.json) {
      written.push_back({{"task", task->id},
                         {"hash", task->hash},
                         {"seed", command.seed},
                         {"folder", folder.string()},
                         {"renamed", variant.renamed},
                         {"changed_groups", variant.changed_groups},
                         {"kept_groups", variant.kept_groups}});
      continue;
    }
    fmt::print("{} -> {}: {} names, {} of {} groups of cases changed\n",
               task->id, folder.string(), variant.renamed.size(),
               variant.changed_groups,
               variant.changed_groups + variant.kept_groups);
  }
  if (command.tasks.json) fmt::print("{}\n", written.dump(2));
}

}  // namespace

void AddTasksMutate(CLI::App& tasks, int* exit_code) {
  auto command = std::make_shared<MutateCommand>();
  CLI::App* mutate = tasks.add_subcommand(
      "mutate", "Write variants of tasks: other names, shapes, attributes");
  AddTasksOptions(*mutate, command->tasks, "Ids, names or folders of tasks");
  mutate->get_option("TASK")->required();
  mutate->add_option("--seed", command->seed, "Which variant")
      ->capture_default_str();
  mutate
      ->add_option("--output,-o", command->output,
                   "The folder to write; for several tasks the one above")
      ->required();
  mutate->footer(
      "Example:\n  belay tasks mutate Sqrt --seed 7 --output variants/sqrt7\n"
      "  belay tasks lint variants/sqrt7");
  mutate->callback([command, exit_code] {
    *exit_code = ReportTaskErrors(command->tasks.json, [&] {
      Mutate(*command);
      return 0;
    });
  });
}

}  // namespace belay::cli
