// SPDX-License-Identifier: Apache-2.0
// `belay tasks import`: writes a task from a KernelBench model file.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/import_task.h"
#include "cli/command.h"
#include "cli/tasks_command.h"

namespace belay::cli {
namespace {

struct ImportCommand {
  std::string file;
  std::string output;
  bench::ImportOptions options;
  bool json = false;
};

void Import(const ImportCommand& command) {
  const bench::Imported imported =
      bench::ImportModel(command.file, command.output, command.options);
  if (command.json) {
    const nlohmann::json report = {{"file", command.file},
                                   {"folder", command.output},
                                   {"edge_cases", imported.edge_cases},
                                   {"real_cases", imported.real_cases},
                                   {"unknown_shapes", imported.unknown_shapes}};
    fmt::print("{}\n", report.dump(2));
    return;
  }
  fmt::print("{} -> {}: {} edge cases, {} real\n", command.file, command.output,
             imported.edge_cases, imported.real_cases);
  if (imported.unknown_shapes > 0) {
    fmt::print(
        "  {} outputs have a shape that no expression of the sizes gives; "
        "task.toml says \"?\"\n",
        imported.unknown_shapes);
  }
  fmt::print("  next: belay tasks lint {}\n", command.output);
}

}  // namespace

void AddTasksImport(CLI::App& tasks, int* exit_code) {
  auto command = std::make_shared<ImportCommand>();
  CLI::App* import = tasks.add_subcommand(
      "import", "Write a task from a KernelBench or MultiKernelBench file");
  import
      ->add_option("FILE", command->file,
                   "A Python file with a class Model and get_inputs()")
      ->required();
  import->add_option("--output,-o", command->output, "The folder to write")
      ->required();
  import->add_option("--level", command->options.level, "Of the task")
      ->check(CLI::Range(1, 3))
      ->capture_default_str();
  import
      ->add_option("--source", command->options.source, "Whose operator it is")
      ->capture_default_str();
  import->add_flag("--json", command->json, "Print as JSON");
  import->footer(
      "Example:\n  belay tasks import 19_ReLU.py -o tasks/mine/relu");
  import->callback([command, exit_code] {
    *exit_code = ReportTaskErrors(command->json, [&] {
      Import(*command);
      return 0;
    });
  });
}

}  // namespace belay::cli
