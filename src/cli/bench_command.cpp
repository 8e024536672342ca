// SPDX-License-Identifier: Apache-2.0
// `belay bench`: many candidates, one run.

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "base/error.h"
#include "cli/command.h"
#include "cli/judge_flags.h"
#include "cli/tasks_command.h"
#include "guest/cage.h"
#include "judge/protocol.h"
#include "runs/build.h"
#include "runs/run.h"
#include "runs/run_folder.h"
#include "runs/summary.h"
#include "runs/worker.h"

namespace belay::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kInfrastructure = 75;
constexpr int kInterrupted = 130;

struct BenchOptions {
  TasksOptions tasks;
  std::string candidates;
  std::string samples;
  std::string run;
  std::string store;
  bool resume = false;
  bool every_case = false;
  bool quiet = false;
  int jobs = 0;
  JudgeFlags flags;
  std::set<std::string> given;  // names of options in run.json
};

std::atomic<bool> stop_requested = false;

// Ctrl-C ends a run cleanly: what was judged is kept.
void StopOnSignals() {
  struct sigaction action{};
  action.sa_handler = [](int) { stop_requested = true; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

// What run.json keeps: everything verdicts depend on but for the samples.
json OptionsJson(const BenchOptions& options,
                 const judge::JudgeOptions& judging) {
  return {{"tasks", options.tasks.names},
          {"suite", options.tasks.suite},
          {"candidates", options.candidates},
          {"samples", options.samples},
          {"static", options.every_case},
          {"store", options.store},
          {"protocol", judging.protocol},
          {"chip", judging.chip},
          {"last_stage", NameOf(judging.last)},
          {"only_case", judging.only_case},
          {"fail_fast", judging.fail_fast},
          {"seed", judging.seeds.public_seed},
          {"secret_file", options.flags.secret_file},
          {"most_elements", judging.most_elements},
          {"compile_seconds", judging.limits.compile_seconds},
          {"run_seconds", judging.limits.run_seconds},
          {"memory", judging.limits.memory_bytes}};
}

// The option on the command line and its name in run.json.
constexpr std::pair<const char*, const char*> kKeptOptions[] = {
    {"TASK", "tasks"},
    {"--suite", "suite"},
    {"--candidates", "candidates"},
    {"--samples", "samples"},
    {"--static", "static"},
    {"--store", "store"},
    {"--protocol", "protocol"},
    {"--chip", "chip"},
    {"--stages", "last_stage"},
    {"--only-case", "only_case"},
    {"--fail-fast", "fail_fast"},
    {"--seed", "seed"},
    {"--secret-file", "secret_file"},
    {"--most-elements", "most_elements"},
    {"--compile-seconds", "compile_seconds"},
    {"--run-seconds", "run_seconds"},
    {"--memory", "memory"},
};

void TakeOptions(const json& from, BenchOptions& options,
                 judge::JudgeOptions& judging) {
  from.at("tasks").get_to(options.tasks.names);
  from.at("suite").get_to(options.tasks.suite);
  from.at("store").get_to(options.store);
  from.at("protocol").get_to(judging.protocol);
  from.at("chip").get_to(judging.chip);
  judging.last = judge::ParseStage(from.at("last_stage").get<std::string>())
                     .value_or(judge::Stage::kPerformance);
  from.at("fail_fast").get_to(judging.fail_fast);
  from.at("seed").get_to(judging.seeds.public_seed);
  from.at("most_elements").get_to(judging.most_elements);
  from.at("compile_seconds").get_to(judging.limits.compile_seconds);
  from.at("run_seconds").get_to(judging.limits.run_seconds);
  from.at("memory").get_to(judging.limits.memory_bytes);
}

std::vector<const bench::Task*> KnownTasks(const SelectedTasks& selected) {
  std::vector<const bench::Task*> known;
  for (const bench::Task& task : selected.suite.tasks) known.push_back(&task);
  for (const auto& task : selected.loose) known.push_back(task.get());
  return known;
}

void RequireKinds(const std::vector<runs::Sample>& samples,
                  const judge::JudgeProtocol& protocol) {
  for (const runs::Sample& sample : samples) {
    if (protocol.kernel_only &&
        sample.candidate.kind == judge::CandidateKind::kProject) {
      throw UserError(fmt::format(
          "[bench] the protocol '{}' judges kernels with the task's own "
          "op_host: sample '{}' of {} is a project",
          protocol.name, sample.name, sample.task));
    }
  }
}

std::vector<runs::Sample> CollectSamples(const BenchOptions& options,
                                         const judge::JudgeOptions& judging,
                                         const SelectedTasks& selected) {
  if (!options.candidates.empty() && !options.samples.empty()) {
    throw UserError("[bench] give --candidates or --samples, not both");
  }
  const std::vector<const bench::Task*> known = KnownTasks(selected);
  std::vector<runs::Sample> samples;
  if (!options.candidates.empty()) {
    samples = runs::SamplesOfFolder(options.candidates, selected.tasks, known);
  } else if (!options.samples.empty()) {
    samples = runs::SamplesOfFile(options.samples, selected.tasks, known);
  } else {
    samples = runs::ShippedAnswers(selected.tasks);
  }
  if (samples.empty()) {
    throw UserError(
        options.candidates.empty() && options.samples.empty()
            ? "[bench] Belay ships no answer to these tasks: give --candidates "
              "or --samples"
            : "[bench] there is no sample for these tasks");
  }
  const judge::JudgeProtocol& protocol = judge::FindProtocol(judging.protocol);
  RequireKinds(samples, protocol);
  runs::ProblemChoice choice;
  choice.only_case = judging.only_case;
  choice.every_case = options.every_case || protocol.static_shapes;
  choice.real_cases_only = !protocol.edge_cases;
  samples = runs::WithProblems(std::move(samples), choice, selected.tasks);
  runs::RequireDistinctNames(samples);
  return samples;
}

std::string DefaultFolder() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y%m%d-%H%M%S", &parts);
  return std::string("runs/") + text;
}

// A worker that says nothing for so long hangs: longer than a launch and some
// modules may take by their own limits.
double SilenceSeconds(const judge::Limits& limits) {
  return 600 + 4 * limits.run_seconds + 40 * limits.compile_seconds;
}

// From the options to a folder that can be resumed, and a plan.
class Bench {
 public:
  explicit Bench(BenchOptions options) : options_(std::move(options)) {
    if (options_.resume && options_.run.empty()) {
      throw UserError(
          "[bench] --resume goes on with the run in --run: name it");
    }
    if (options_.run.empty()) options_.run = DefaultFolder();
    // A run may be resumed from another folder.
    for (std::string* path : {&options_.store, &options_.tasks.suite}) {
      if (!path->empty()) *path = fs::absolute(*path).lexically_normal();
    }
  }

  int Run() {
    StopOnSignals();
    // First of all: workers inherit what this process has by now.
    runs::Nursery nursery([](guest::Channel& channel) {
      runs::ServeSamples(channel, runs::MakeCagedJudge);
    });
    judging_ = ReadJudgeFlags(options_.flags);
    runs::RunPlan plan = MakePlan();
    const runs::RunLock lock(options_.run);
    const runs::ScratchFolder scratch(options_.run);
    runs::RunEnd end;
    {
      const bool terminal = isatty(STDERR_FILENO) != 0;
      runs::Progress progress(stderr, {.results = !options_.quiet,
                                       .status = !options_.quiet,
                                       .terminal = terminal});
      end = runs::ExecuteRun(nursery, plan, progress, stop_requested);
    }
    runs::WriteResults(options_.run, end.results);
    Print(end, plan.samples.size());
    if (end.interrupted) return kInterrupted;
    return end.infrastructure > 0 ? kInfrastructure : 0;
  }

 private:
  runs::RunPlan MakePlan() {
    runs::RunPlan plan;
    const json asked = OptionsJson(options_, judging_);
    const bool again = runs::HasRun(options_.run);
    if (again && !options_.resume) {
      throw UserError(fmt::format(
          "[bench] '{}' holds a run already: --resume goes on with it, another "
          "--run begins a new one",
          options_.run));
    }
    if (again) {
      const json run = runs::ReadRunFile(options_.run);
      TakeOptions(
          runs::ResumedOptions(run.at("options"), asked, options_.given),
          options_, judging_);
      selected_ = SelectTasks(options_.tasks);
      plan.samples = runs::ReadRunSamples(options_.run);
      judging_.seeds.secret = runs::ReadRunSecret(options_.run);
      if (run.at("build") != runs::BelayBuild()) {
        fmt::print(stderr,
                   "belay was built anew since this run was begun: verdicts of "
                   "the other build are not used\n");
      }
    } else {
      selected_ = SelectTasks(options_.tasks);
      plan.samples = CollectSamples(options_, judging_, *selected_);
      if (judging_.seeds.secret.empty()) {
        judging_.seeds.secret = judge::MakeSecret();
      }
      runs::BeginRun(options_.run,
                     {{"options", asked},
                      {"belay", BELAY_VERSION},
                      {"build", runs::BelayBuild()},
                      {"backend", "sim"},
                      {"suite",
                       {{"name", selected_->suite.name},
                        {"version", selected_->suite.version},
                        {"hash", selected_->suite.hash}}},
                      {"samples", plan.samples.size()}},
                     plan.samples, judging_.seeds.secret);
    }
    plan.tasks = KnownTasks(*selected_);
    plan.conditions.judge = judging_;
    plan.conditions.belay = runs::BelayBuild();
    plan.conditions.version = BELAY_VERSION;
    plan.conditions.cage = guest::AvailableCage().ToText();
    plan.store = options_.store.empty()
                     ? fs::path(options_.run) / "store.sqlite"
                     : fs::path(options_.store);
    std::vector<std::string> loose;
    for (const auto& task : selected_->loose) {
      loose.push_back(fs::absolute(task->file.parent_path()).string());
    }
    plan.pipeline.workers =
        options_.jobs > 0
            ? options_.jobs
            : static_cast<int>(std::thread::hardware_concurrency());
    plan.pipeline.silence_seconds = SilenceSeconds(judging_.limits);
    plan.pipeline.setup =
        runs::JudgeSetup(judging_, options_.tasks.suite, loose,
                         runs::ScratchPath(options_.run).string());
    plan.pipeline.secret = judging_.seeds.secret;
    return plan;
  }

  void Print(const runs::RunEnd& end, size_t samples) const {
    if (options_.tasks.json) {
      json summary = runs::Summary(end.results);
      summary["run"] = options_.run;
      summary["asked"] = samples;
      summary["judged"] = end.results.size();
      summary["reused"] = end.reused;
      summary["infrastructure"] = end.infrastructure;
      summary["interrupted"] = end.interrupted;
      fmt::print("{}\n", summary.dump(2));
      return;
    }
    fmt::print("{}", runs::SummaryTable(runs::MeasureRun(end.results)));
    if (end.interrupted) {
      fmt::print(
          "\ninterrupted with {} of {} samples judged; go on with\n"
          "  belay bench --run {} --resume\n",
          end.results.size(), samples, options_.run);
    }
    fmt::print("\n{} (results.jsonl, results.csv)\n", options_.run);
  }

  BenchOptions options_;
  judge::JudgeOptions judging_;
  std::unique_ptr<SelectedTasks> selected_;
};

}  // namespace

void AddBenchCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* command = app.add_subcommand(
      "bench", "Judge many answers to many tasks: verdicts, pass@k, tables");
  AddTasksOptions(*command, options->tasks,
                  "Ids, prefixes or folders of tasks (default: all)");
  command->add_option(
      "--candidates", options->candidates,
      "A folder: DIR/<task id>/ holds one entry for each sample");
  command->add_option("--samples", options->samples,
                      "A file with a sample on each line (docs/bench.md)");
  command->add_option("--run", options->run,
                      "The folder of the run (default: runs/<date>-<time>)");
  command->add_flag("--resume", options->resume,
                    "Go on with the run in --run, as it was begun");
  command->add_option("--store", options->store,
                      "A store of verdicts that several runs share");
  command->add_flag("--static", options->every_case,
                    "Each case of a task is a problem of its own");
  command
      ->add_option("--jobs", options->jobs,
                   "Workers (default: one for each core)")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--quiet", options->quiet, "No progress");
  AddJudgeFlags(*command, options->flags);
  command->footer(
      "Without --candidates and --samples the answers that Belay ships are\n"
      "judged. Exit codes: 0 all judged, 75 some could not be judged, 130\n"
      "interrupted, 2 bad call.\n"
      "Examples:\n"
      "  belay bench level1 --run runs/answers\n"
      "  belay bench --samples samples.jsonl --run runs/model --stages "
      "precision\n"
      "  belay bench --run runs/model --resume");
  command->callback([options, command, exit_code] {
    for (const auto& [option, name] : kKeptOptions) {
      if (command->get_option(option)->count() > 0) {
        options->given.insert(name);
      }
    }
    *exit_code = ReportTaskErrors(options->tasks.json,
                                  [&] { return Bench(*options).Run(); });
  });
}

}  // namespace belay::cli
