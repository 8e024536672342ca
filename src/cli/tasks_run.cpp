// SPDX-License-Identifier: Apache-2.0
// `belay tasks run`: makes the inputs of each case, runs reference() and
// eager() and says how far apart they are. For authors of tasks.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "bench/case_files.h"
#include "bench/element.h"
#include "bench/reference_runner.h"
#include "bench/task_error.h"
#include "cli/command.h"
#include "cli/tasks_command.h"

namespace belay::cli {
namespace {

struct RunOptions {
  TasksOptions tasks;
  std::vector<std::string> cases;
  std::string kind;   // "edge", "real", or "" for both
  std::string write;  // a folder for the cases as files, or ""
  int64_t most_elements = int64_t{1} << 24;
};

std::string ShapesOf(const bench::Argument& argument) {
  if (!argument.present) return "absent";
  std::vector<std::string> shapes;
  for (const Array& array : argument.tensors) {
    shapes.push_back(
        fmt::format("{}[{}]", NameOf(array.dtype), ToText(array.shape)));
  }
  const std::string all = fmt::format("{}", fmt::join(shapes, " "));
  return argument.list ? "(" + all + ")" : all;
}

std::string Signature(const bench::Arguments& arguments) {
  std::vector<std::string> parts;
  for (const bench::Argument& argument : arguments) {
    parts.push_back(argument.name + " " + ShapesOf(argument));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

// How far eager() is from reference(), element by element.
struct Difference {
  int64_t elements = 0;
  int64_t unequal = 0;    // after rounding both to the declared dtype
  int64_t misplaced = 0;  // NaN or infinity on one side only
  int64_t special = 0;    // NaN or infinity on both
  double largest = 0;     // relative error of finite elements
};

void Compare(const Array& golden, const Array& rounded, const Array& eager,
             Difference& difference) {
  const DType part =
      rounded.dtype == DType::kComplex64 ? DType::kFloat : rounded.dtype;
  const size_t width = BytesOf(part);
  const auto count = static_cast<int64_t>(eager.data.size() / width);
  difference.elements += count;
  for (int64_t i = 0; i < count; ++i) {
    const std::byte* left = rounded.data.data() + i * width;
    const std::byte* right = eager.data.data() + i * width;
    if (!bench::IsReal(part)) {
      difference.unequal +=
          bench::LoadInteger(part, left) != bench::LoadInteger(part, right);
      continue;
    }
    const double expected = bench::LoadReal(part, left);
    const double actual = bench::LoadReal(part, right);
    if (!std::isfinite(expected) || !std::isfinite(actual)) {
      const bool same =
          std::isnan(expected) ? std::isnan(actual) : expected == actual;
      (same ? difference.special : difference.misplaced) += 1;
      continue;
    }
    difference.unequal += expected != actual;
    const double exact = bench::LoadReal(
        DType::kDouble, golden.data.data() + i * sizeof(double));
    const double error =
        std::abs(actual - exact) / std::max(std::abs(exact), 0x1p-14);
    difference.largest = std::max(difference.largest, error);
  }
}

nlohmann::json RunCase(const bench::Task& task, const bench::Case& one_case,
                       bench::ReferenceRunner& runner, bool json,
                       bench::CaseFiles* files) {
  const auto seconds = [begin = std::chrono::steady_clock::now()]() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         begin)
        .count();
  };
  const bench::Arguments inputs = runner.Inputs(one_case);
  const double drawn = seconds();
  const bench::Arguments golden = runner.Reference(one_case, inputs);
  const double referenced = seconds();
  const bench::Arguments eager = runner.Eager(one_case, inputs);
  const double done = seconds();
  if (files != nullptr) files->Add(one_case, {inputs, golden, eager});
  const bench::Arguments rounded = RoundToDeclared(task, one_case, golden);
  if (!json) {
    fmt::print("  {:<8} {}\n           in  {}\n", one_case.name,
               Describe(task, one_case), Signature(inputs));
  }
  nlohmann::json report = {{"case", one_case.name},
                           {"seconds", done},
                           {"outputs", nlohmann::json::array()}};
  for (size_t i = 0; i < golden.size(); ++i) {
    Difference difference;
    if (golden[i].tensors.size() != eager[i].tensors.size()) {
      throw bench::TaskError(
          code::kK115, task.reference_file, 0,
          fmt::format("[eager] {}: '{}' has {} tensors, reference() has {}",
                      task.id, golden[i].name, eager[i].tensors.size(),
                      golden[i].tensors.size()));
    }
    for (size_t k = 0; k < golden[i].tensors.size(); ++k) {
      if (rounded[i].tensors[k].shape != eager[i].tensors[k].shape) {
        throw bench::TaskError(
            code::kK115, task.reference_file, 0,
            fmt::format("[eager] {}: '{}' has the shape [{}], reference() "
                        "has [{}]",
                        task.id, golden[i].name,
                        ToText(eager[i].tensors[k].shape),
                        ToText(rounded[i].tensors[k].shape)));
      }
      Compare(golden[i].tensors[k], rounded[i].tensors[k], eager[i].tensors[k],
              difference);
    }
    report["outputs"].push_back({{"name", golden[i].name},
                                 {"elements", difference.elements},
                                 {"unequal", difference.unequal},
                                 {"misplaced", difference.misplaced},
                                 {"special", difference.special},
                                 {"largest_error", difference.largest}});
    if (json) continue;
    fmt::print(
        "           out {} {}: {} elements, {} unequal, {} misplaced, "
        "{} special, largest relative error {:.2e}\n",
        rounded[i].name, ShapesOf(rounded[i]), difference.elements,
        difference.unequal, difference.misplaced, difference.special,
        difference.largest);
  }
  if (runner.Has("check")) {
    for (const auto& [who, outputs] :
         {std::pair{"reference", rounded}, std::pair{"eager", eager}}) {
      const std::string reason = runner.Check(one_case, inputs, outputs);
      if (!json && !reason.empty()) {
        fmt::print("           check() refuses {}(): {}\n", who, reason);
      }
      report["check"][who] = reason;
    }
  }
  if (!json) {
    fmt::print(
        "           inputs {:.3f} s, reference {:.3f} s, eager {:.3f} "
        "s\n",
        drawn, referenced - drawn, done - referenced);
  }
  return report;
}

nlohmann::json RunTask(const bench::Task& task, const RunOptions& options) {
  const auto runner = bench::MakeReferenceRunner(task);
  nlohmann::json report = {{"task", task.id},
                           {"hash", task.hash},
                           {"cases", nlohmann::json::array()}};
  std::unique_ptr<bench::CaseFiles> files;
  if (!options.write.empty()) {
    files = std::make_unique<bench::CaseFiles>(
        task, std::filesystem::path(options.write) / task.id);
  }
  size_t skipped = 0;
  for (const bench::Case& one_case : bench::ExpandCases(task)) {
    if (!options.kind.empty() && NameOf(one_case.kind) != options.kind) {
      continue;
    }
    const bool named = std::find(options.cases.begin(), options.cases.end(),
                                 one_case.name) != options.cases.end();
    if (!options.cases.empty() && !named) continue;
    if (!named && ElementsOf(task, one_case) > options.most_elements) {
      ++skipped;
      continue;
    }
    report["cases"].push_back(
        RunCase(task, one_case, *runner, options.tasks.json, files.get()));
  }
  if (files != nullptr) files->Finish();
  report["skipped"] = skipped;
  if (!options.tasks.json && skipped > 0) {
    fmt::print("  {} cases of more than {} elements left out\n", skipped,
               options.most_elements);
  }
  return report;
}

// Goes on after a task that fails; kUsage if any did.
int Run(const RunOptions& options) {
  const auto selected = SelectTasks(options.tasks);
  nlohmann::json reports = nlohmann::json::array();
  int exit_code = 0;
  for (const bench::Task* task : selected->tasks) {
    if (!options.tasks.json) fmt::print("{}\n", task->id);
    try {
      reports.push_back(RunTask(*task, options));
    } catch (const bench::TaskError& error) {
      exit_code = kUsage;
      reports.push_back(
          {{"task", task->id}, {"diagnostics", {error.diagnostic()}}});
      std::fflush(stdout);
      fmt::print(stderr, "{}", ToText(error.diagnostic()));
    }
  }
  if (options.tasks.json) fmt::print("{}\n", reports.dump(2));
  return exit_code;
}

}  // namespace

void AddTasksRun(CLI::App& tasks, int* exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* run = tasks.add_subcommand(
      "run", "Run reference() and eager() of tasks on their cases");
  AddTasksOptions(*run, options->tasks, "Ids, names or folders of tasks");
  run->get_option("TASK")->required();
  run->add_option("--case", options->cases, "Only this case; may be repeated");
  run->add_option("--kind", options->kind, "Only cases of this kind")
      ->check(CLI::IsMember({"edge", "real"}));
  run->add_option("--write", options->write,
                  "Write inputs and results of each case below this folder");
  run->add_option("--most-elements", options->most_elements,
                  "Leave out cases with more elements, unless named")
      ->capture_default_str();
  run->footer("Example:\n  belay tasks run level1/Math/Sqrt --case edge-0");
  run->callback([options, exit_code] {
    *exit_code =
        ReportTaskErrors(options->tasks.json, [&] { return Run(*options); });
  });
}

}  // namespace belay::cli
