// SPDX-License-Identifier: Apache-2.0
// `belay tasks compare`: judges outputs that some kernel wrote, against the
// task's reference.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "bench/choose_protocol.h"
#include "bench/output_files.h"
#include "bench/task_error.h"
#include "bench/tensor_edit.h"
#include "cli/command.h"
#include "cli/tasks_command.h"
#include "guest/operator_request.h"

namespace belay::cli {
namespace {

struct CompareFlags {
  TasksOptions tasks;
  std::vector<std::string> cases;
  std::vector<std::string> files;  // NAME=FILE or NAME=[FILE,…]
  std::string folder;
  std::string role = "output";
  std::vector<std::string> protocols = {"belay"};
};

bench::OutputFiles ParseFiles(const std::vector<std::string>& texts) {
  bench::OutputFiles files;
  for (const std::string& text : texts) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 ||
        equals + 1 == text.size()) {
      throw UserError(fmt::format(
          "[compare] --out takes NAME=FILE.npy or NAME=[A.npy,B.npy], not '{}'",
          text));
    }
    for (const std::string& file :
         guest::SplitList(text.substr(equals + 1), ',')) {
      files[text.substr(0, equals)].emplace_back(file);
    }
  }
  return files;
}

// The place of an element in its tensor: "[3,7]".
std::string PlaceIn(const Array& array, int64_t element) {
  if (array.dtype == DType::kComplex64) element /= 2;
  Shape place(array.shape.size());
  for (size_t axis = place.size(); axis-- > 0;) {
    place[axis] = element % array.shape[axis];
    element /= array.shape[axis];
  }
  return fmt::format("[{}]", ToText(place));
}

// One case of a task and what was given for it.
struct Compared {
  const bench::Truth& truth;
  const bench::Arguments& outputs;
};

nlohmann::json ToJson(const bench::OutputVerdict& verdict, size_t output,
                      const Compared& compared) {
  nlohmann::json json = {
      {"name", verdict.output},       {"accepted", verdict.accepted},
      {"elements", verdict.elements}, {"wrong", verdict.wrong},
      {"mean", verdict.mean},         {"largest", verdict.largest}};
  if (verdict.worst >= 0) {
    const size_t tensor = verdict.worst_tensor;
    const Array& given = compared.outputs[output].tensors[tensor];
    const Array& right = compared.truth.rounded[output].tensors[tensor];
    json["worst"] = {{"tensor", tensor},
                     {"element", verdict.worst},
                     {"place", PlaceIn(given, verdict.worst)},
                     {"is", bench::NumberAt(given, verdict.worst)},
                     {"must_be", bench::NumberAt(right, verdict.worst)}};
  }
  return json;
}

void PrintOutput(const bench::OutputVerdict& verdict, size_t output,
                 const Compared& compared) {
  std::string worst;
  if (verdict.worst >= 0) {
    const size_t tensor = verdict.worst_tensor;
    const Array& given = compared.outputs[output].tensors[tensor];
    const Array& right = compared.truth.rounded[output].tensors[tensor];
    worst = fmt::format(
        ", worst at {}{}: is {:.9g}, must be {:.9g}",
        compared.outputs[output].list ? fmt::format("[{}]", tensor) : "",
        PlaceIn(given, verdict.worst), bench::NumberAt(given, verdict.worst),
        bench::NumberAt(right, verdict.worst));
  }
  fmt::print(
      "    {}: {}, mean error {:.3g}, largest {:.3g}{}; {} of {} wrong\n",
      verdict.output, verdict.accepted ? "accepted" : "refused", verdict.mean,
      verdict.largest, worst, verdict.wrong, verdict.elements);
}

Diagnostic Refusal(const bench::Task& task, const bench::Case& one_case,
                   const std::string& protocol, const std::string& reason) {
  Diagnostic diagnostic;
  diagnostic.code = code::kK129;
  diagnostic.message = fmt::format("[compare] {} {} by {}: {}", task.id,
                                   one_case.name, protocol, reason);
  diagnostic.fix = fmt::format(
      "`belay tasks run {} --case {} --write DIR` writes the inputs and the "
      "truth",
      task.id, one_case.name);
  return diagnostic;
}

// Judges one case by all protocols; adds a diagnostic for each that refuses.
nlohmann::json CompareCase(const bench::Task& task, const bench::Case& one_case,
                           const bench::Arguments& outputs,
                           bench::ReferenceRunner& runner,
                           const CompareFlags& flags,
                           std::vector<Diagnostic>& diagnostics) {
  const bench::Truth truth = bench::MakeTruth(task, one_case, runner);
  const Compared compared{truth, outputs};
  nlohmann::json report = {{"case", one_case.name},
                           {"description", Describe(task, one_case)},
                           {"protocols", nlohmann::json::array()}};
  if (!flags.tasks.json) {
    fmt::print("{} {}: {}\n", task.id, one_case.name, Describe(task, one_case));
  }
  for (const std::string& name : flags.protocols) {
    const bench::ChosenProtocol chosen =
        bench::ChooseProtocol(name, task, one_case);
    const bench::Verdict verdict =
        bench::JudgeBy(chosen, truth, outputs, runner);
    nlohmann::json judged = {{"name", chosen.name},
                             {"accepted", verdict.accepted},
                             {"reason", verdict.reason},
                             {"outputs", nlohmann::json::array()}};
    if (!flags.tasks.json) {
      fmt::print("  {}: {}\n", chosen.name,
                 verdict.accepted ? "accepted" : "refused");
    }
    for (size_t i = 0; i < verdict.outputs.size(); ++i) {
      if (!outputs[i].present) continue;
      judged["outputs"].push_back(ToJson(verdict.outputs[i], i, compared));
      if (!flags.tasks.json) PrintOutput(verdict.outputs[i], i, compared);
    }
    report["protocols"].push_back(std::move(judged));
    if (!verdict.accepted) {
      diagnostics.push_back(
          Refusal(task, one_case, chosen.name, verdict.reason));
    }
  }
  return report;
}

// Where the files of a case lie below --outputs: in a folder of the case's
// name, as `tasks run --write` lays them out for one task or for several.
std::filesystem::path FolderOf(const CompareFlags& flags,
                               const bench::Task& task,
                               const std::string& one_case) {
  const std::filesystem::path root = flags.folder;
  const bool several = std::filesystem::is_directory(root / task.id);
  return (several ? root / task.id : root) / one_case;
}

nlohmann::json CompareTask(const bench::Task& task, const CompareFlags& flags,
                           std::vector<Diagnostic>& diagnostics) {
  const auto runner = bench::MakeReferenceRunner(task);
  const std::vector<bench::Case> all = ExpandCases(task);
  for (const std::string& name : flags.cases) {
    if (std::any_of(all.begin(), all.end(), [&](const bench::Case& one_case) {
          return one_case.name == name;
        })) {
      continue;
    }
    throw bench::TaskError(
        code::kK117, task.file, 0,
        fmt::format("[compare] {} has no case '{}'", task.id, name),
        fmt::format("`belay tasks show {}` lists its cases", task.id));
  }
  nlohmann::json report = {{"task", task.id},
                           {"hash", task.hash},
                           {"cases", nlohmann::json::array()}};
  for (const bench::Case& one_case : all) {
    const bool named = std::find(flags.cases.begin(), flags.cases.end(),
                                 one_case.name) != flags.cases.end();
    if (!flags.cases.empty() && !named) continue;
    bench::OutputFiles files;
    if (flags.folder.empty()) {
      files = ParseFiles(flags.files);
    } else {
      const auto folder = FolderOf(flags, task, one_case.name);
      if (!named && !std::filesystem::is_directory(folder)) continue;
      files = bench::FindOutputFiles(task, one_case, folder, flags.role);
    }
    report["cases"].push_back(
        CompareCase(task, one_case, bench::ReadOutputs(task, one_case, files),
                    *runner, flags, diagnostics));
  }
  if (report["cases"].empty()) {
    throw UserError(fmt::format(
        "[compare] no folder in {} is named after a case of {}: the outputs of "
        "case edge-0 lie in edge-0/{}.NAME.0.npy",
        flags.folder, task.id, flags.role));
  }
  return report;
}

int Compare(const CompareFlags& flags) {
  const auto selected = SelectTasks(flags.tasks);
  if (flags.folder.empty() == flags.files.empty()) {
    throw UserError("[compare] give either --outputs DIR or --out NAME=FILE");
  }
  if (!flags.files.empty() &&
      (flags.cases.size() != 1 || selected->tasks.size() != 1)) {
    throw UserError(
        "[compare] --out needs one task and one --case; several come from "
        "--outputs DIR");
  }
  std::vector<Diagnostic> diagnostics;
  nlohmann::json reports = nlohmann::json::array();
  for (const bench::Task* task : selected->tasks) {
    reports.push_back(CompareTask(*task, flags, diagnostics));
  }
  if (flags.tasks.json) {
    const nlohmann::json json = {{"accepted", diagnostics.empty()},
                                 {"tasks", reports},
                                 {"diagnostics", diagnostics}};
    fmt::print("{}\n", json.dump(2));
  } else {
    std::fflush(stdout);
    for (const Diagnostic& diagnostic : diagnostics) {
      fmt::print(stderr, "{}", ToText(diagnostic));
    }
  }
  return diagnostics.empty() ? 0 : kFinding;
}

}  // namespace

void AddTasksCompare(CLI::App& tasks, int* exit_code) {
  auto flags = std::make_shared<CompareFlags>();
  CLI::App* compare = tasks.add_subcommand(
      "compare", "Judge outputs of a kernel by a task's reference");
  AddTasksOptions(*compare, flags->tasks, "Ids, names or folders of tasks");
  compare->get_option("TASK")->required();
  compare->add_option("--case", flags->cases,
                      "Only this case; may be repeated (default: those with a "
                      "folder in --outputs)");
  compare->add_option("--out", flags->files,
                      "An output of the one case named: y=y.npy, or "
                      "y=[a.npy,b.npy] for a list");
  compare->add_option("--outputs", flags->folder,
                      "A folder with edge-0/output.y.0.npy, …: case, name of "
                      "the output, number of the tensor");
  compare
      ->add_option("--role", flags->role,
                   "The first word of the files in --outputs")
      ->capture_default_str();
  compare
      ->add_option("--protocol", flags->protocols,
                   "Rule to judge by; may be repeated: belay, npukernelbench, "
                   "npukernelbench:twofold|relative|matmul|quantised, "
                   "multikernelbench")
      ->capture_default_str();
  compare->footer(
      "Exit code 0: accepted by every protocol; 1: refused; 2: bad call.\n"
      "Example:\n"
      "  belay tasks run Sqrt --case edge-4 --write data\n"
      "  belay run sqrt --in x=data/level1/Math/Sqrt/edge-4/input.x.0.npy "
      "--out y=y.npy\n"
      "  belay tasks compare Sqrt --case edge-4 --out y=y.npy --protocol belay "
      "--protocol npukernelbench");
  compare->callback([flags, exit_code] {
    *exit_code =
        ReportTaskErrors(flags->tasks.json, [&] { return Compare(*flags); });
  });
}

}  // namespace belay::cli
