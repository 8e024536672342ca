// SPDX-License-Identifier: Apache-2.0
// `belay tasks list` and `belay tasks show`: the tasks of the benchmark.

#include "cli/tasks_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "bench/case.h"
#include "bench/task_error.h"
#include "bench/task_list.h"
#include "cli/command.h"

namespace belay::cli {
namespace {

namespace fs = std::filesystem;

std::string TypesOf(const bench::Task& task, const std::string& word) {
  return fmt::format("{}", fmt::join(bench::DTypesOf(task, word), "/"));
}

nlohmann::json ToJson(const bench::Task& task) {
  nlohmann::json json = {{"id", task.id},           {"name", task.name},
                         {"level", task.level},     {"category", task.category},
                         {"source", task.source},   {"summary", task.summary},
                         {"formula", task.formula}, {"hash", task.hash}};
  for (const bench::InputSpec& input : task.inputs) {
    json["inputs"].push_back({{"name", input.name},
                              {"dtypes", TypesOf(task, input.dtype)},
                              {"shape", input.shape.text()},
                              {"list", input.list},
                              {"optional", input.optional},
                              {"host_read", input.host_read},
                              {"values", NameOf(input.values.kind)},
                              {"description", input.description}});
  }
  for (const bench::AttributeSpec& attribute : task.attributes) {
    json["attributes"].push_back({{"name", attribute.name},
                                  {"type", NameOf(attribute.type)},
                                  {"default", attribute.fallback},
                                  {"description", attribute.description}});
  }
  for (const bench::OutputSpec& output : task.outputs) {
    json["outputs"].push_back(
        {{"name", output.name},
         {"dtypes", TypesOf(task, output.dtype)},
         {"shape", output.shape.empty() ? "?" : output.shape.text()},
         {"list", output.list},
         {"in_place", output.in_place},
         {"precision", NameOf(output.precision)},
         {"description", output.description}});
  }
  for (const bench::Case& one_case : bench::ExpandCases(task)) {
    json["cases"].push_back({{"name", one_case.name},
                             {"kind", NameOf(one_case.kind)},
                             {"sizes", one_case.sizes},
                             {"attributes", one_case.attributes},
                             {"regime", NameOf(one_case.regime)},
                             {"absent", one_case.absent},
                             {"seed", one_case.seed},
                             {"elements", ElementsOf(task, one_case)}});
  }
  return json;
}

void PrintTensor(const bench::Task& task, std::string_view role,
                 const std::string& name, const std::string& dtype,
                 const std::string& shape, const std::string& marks,
                 const std::string& description) {
  fmt::print("  {:<7} {:<12} {:<14} {:<18} {}{}\n", role, name,
             TypesOf(task, dtype), shape, marks, description);
}

void ShowTask(const bench::Task& task) {
  fmt::print("{}  (level {}, {})\n{}\n\n  {}\n\n", task.id, task.level,
             task.source, task.summary, task.formula);
  for (const bench::InputSpec& input : task.inputs) {
    std::string marks;
    if (input.list) marks += "[list] ";
    if (input.optional) marks += "[optional] ";
    if (input.host_read) marks += "[read by the host] ";
    PrintTensor(task, "input", input.name, input.dtype, input.shape.text(),
                marks, input.description);
  }
  for (const bench::AttributeSpec& attribute : task.attributes) {
    const std::string marks =
        attribute.fallback.is_null()
            ? ""
            : fmt::format("[default {}] ", attribute.fallback.dump());
    fmt::print("  {:<7} {:<12} {:<14} {:<18} {}{}\n", "attr", attribute.name,
               NameOf(attribute.type), "", marks, attribute.description);
  }
  for (const bench::OutputSpec& output : task.outputs) {
    std::string marks;
    if (output.list) marks += "[list] ";
    if (!output.in_place.empty()) {
      marks += fmt::format("[overwrites {}] ", output.in_place);
    }
    if (!output.when.empty()) {
      marks += fmt::format("[if {}] ", output.when.text());
    }
    PrintTensor(task, "output", output.name, output.dtype,
                output.shape.empty() ? "by the data" : output.shape.text(),
                marks, output.description);
  }
  fmt::print("\n{}\n\ncases\n", task.specification);
  for (const bench::Case& one_case : bench::ExpandCases(task)) {
    fmt::print("  {:<8} {}\n", one_case.name, Describe(task, one_case));
  }
  for (const bench::Waiver& waiver : task.waivers) {
    fmt::print("\nwaiver {}: {}\n", waiver.shortcut, waiver.reason);
  }
}

// "elu.crux:elu", or "" for a task without an answer.
std::string AnswerOf(const bench::Task& task) {
  if (task.answer_file.empty()) return "";
  const std::string file = task.answer_file.string();
  return task.answer_kernel.empty() ? file : file + ":" + task.answer_kernel;
}

void List(const TasksOptions& options, bool markdown, bool answers) {
  const auto selected = SelectTasks(options);
  if (answers) {
    std::erase_if(selected->tasks, [](const bench::Task* task) {
      return task->answer_file.empty();
    });
  }
  if (markdown) {
    fmt::print("{}", MarkdownList(selected->suite, selected->tasks));
    return;
  }
  if (options.json) {
    nlohmann::json list = nlohmann::json::array();
    for (const bench::Task* task : selected->tasks) {
      list.push_back({{"id", task->id},
                      {"level", task->level},
                      {"category", task->category},
                      {"summary", task->summary},
                      {"cases", ExpandCases(*task).size()},
                      {"hash", task->hash},
                      {"answer", AnswerOf(*task)}});
    }
    const nlohmann::json json = {{"suite", selected->suite.name},
                                 {"version", selected->suite.version},
                                 {"hash", selected->suite.hash},
                                 {"tasks", list}};
    fmt::print("{}\n", json.dump(2));
    return;
  }
  size_t cases = 0;
  for (const bench::Task* task : selected->tasks) {
    const size_t own = ExpandCases(*task).size();
    cases += own;
    fmt::print("{:<44} {:>4} cases  {}\n", task->id, own,
               answers ? AnswerOf(*task) : task->summary);
  }
  fmt::print("{} tasks, {} cases; suite {} {} ({})\n", selected->tasks.size(),
             cases, selected->suite.name, selected->suite.version,
             selected->suite.hash);
}

void Show(const TasksOptions& options) {
  const auto selected = SelectTasks(options);
  if (options.json) {
    nlohmann::json list = nlohmann::json::array();
    for (const bench::Task* task : selected->tasks) {
      list.push_back(ToJson(*task));
      list.back()["specification"] = task->specification;
    }
    fmt::print("{}\n", list.dump(2));
    return;
  }
  for (const bench::Task* task : selected->tasks) ShowTask(*task);
}

}  // namespace

void AddTasksOptions(CLI::App& command, TasksOptions& options,
                     const std::string& what) {
  command.add_option("TASK", options.names, what);
  command.add_option("--suite", options.suite,
                     "A folder of tasks with suite.toml (default: Belay's)");
  command.add_flag("--json", options.json, "Print as JSON");
}

std::unique_ptr<SelectedTasks> SelectTasks(const TasksOptions& options) {
  auto selected = std::make_unique<SelectedTasks>();
  std::vector<std::string> names;
  for (const std::string& name : options.names) {
    if (fs::exists(fs::path(name) / "task.toml") &&
        !fs::exists(fs::path(name) / "members.toml")) {
      selected->loose.push_back(
          std::make_unique<bench::Task>(bench::LoadTask(name)));
    } else {
      names.push_back(name);
    }
  }
  if (names.empty() && !selected->loose.empty()) {
    for (const auto& task : selected->loose) {
      selected->tasks.push_back(task.get());
    }
    return selected;
  }
  selected->suite = options.suite.empty() ? bench::LoadShippedSuite()
                                          : bench::LoadSuite(options.suite);
  selected->tasks = bench::SelectTasks(selected->suite, names);
  for (const auto& task : selected->loose) {
    selected->tasks.push_back(task.get());
  }
  return selected;
}

int ReportTaskErrors(bool json, const std::function<int()>& command) {
  try {
    return command();
  } catch (const bench::TaskError& error) {
    if (json) {
      const nlohmann::json report = {{"diagnostics", {error.diagnostic()}}};
      fmt::print("{}\n", report.dump(2));
    } else {
      fmt::print(stderr, "{}", ToText(error.diagnostic()));
    }
    return kUsage;
  }
}

void AddTasksCommand(CLI::App& app, int* exit_code) {
  CLI::App* tasks = app.add_subcommand("tasks", "The tasks of the benchmark");
  tasks->require_subcommand(1);

  auto list_options = std::make_shared<TasksOptions>();
  CLI::App* list = tasks->add_subcommand("list", "List tasks");
  AddTasksOptions(*list, *list_options, "Ids, names or folders of tasks");
  auto markdown = std::make_shared<bool>(false);
  list->add_flag("--markdown", *markdown, "Print docs/task_list.md");
  auto answers = std::make_shared<bool>(false);
  list->add_flag("--answers", *answers,
                 "Only tasks that come with a Crux kernel that solves them");
  list->footer("Example:\n  belay tasks list level2/Norm");
  list->callback([list_options, markdown, answers, exit_code] {
    *exit_code = ReportTaskErrors(list_options->json, [&] {
      List(*list_options, *markdown, *answers);
      return 0;
    });
  });

  auto show_options = std::make_shared<TasksOptions>();
  CLI::App* show = tasks->add_subcommand(
      "show", "Show signature, specification and cases of tasks");
  AddTasksOptions(*show, *show_options, "Ids, names or folders of tasks");
  show->get_option("TASK")->required();
  show->footer("Example:\n  belay tasks show level1/Math/Sqrt");
  show->callback([show_options, exit_code] {
    *exit_code = ReportTaskErrors(show_options->json, [&] {
      Show(*show_options);
      return 0;
    });
  });

  AddTasksRun(*tasks, exit_code);
  AddTasksCompare(*tasks, exit_code);
  AddTasksLint(*tasks, exit_code);
  AddTasksMutate(*tasks, exit_code);
  AddTasksImport(*tasks, exit_code);
  AddTasksExport(*tasks, exit_code);
}

}  // namespace belay::cli
