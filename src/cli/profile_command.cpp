// SPDX-License-Identifier: Apache-2.0
// `belay profile`: runs as `belay run` does, then says where the simulated time
// of each launch goes.

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "cli/command.h"
#include "cli/run_flags.h"
#include "cli/run_program.h"
#include "clock/log_file.h"
#include "npu/chip_spec.h"
#include "npu/timing_only.h"
#include "profile/json.h"
#include "profile/msprof_csv.h"
#include "profile/profile.h"
#include "profile/progress.h"
#include "profile/text.h"
#include "trace/trace.h"

namespace belay::cli {
namespace {

constexpr const char* kProfileGroup = "Profile";

struct ProfileFlags {
  RunFlags run;
  std::optional<size_t> launch;
  std::string l2 = "cold";
  std::string trace;
  std::string csv;
  std::string log;
  std::string save_log;
  bool timing_only = false;
  bool progress = false;
};

// What a run left to be timed.
struct Ran {
  int exit_code = 0;
  nlohmann::json json;
  std::string name;
  guest::RecordedLaunches recorded;
};

Ran RunAndRecord(const ProfileFlags& flags, const PassedThrough& passed) {
  RunPlan plan = PlanRun(flags.run, passed);
  const guest::RecordOptions record{flags.save_log};
  if (flags.timing_only) {
    if (!flags.run.check.off) {
      throw UserError(
          "[profile] --timing-only computes no values, so that there is "
          "nothing "
          "to check: leave out --check");
    }
    plan.program.device.timing_only = npu::kPretences[0];
    plan.operator_call.device.timing_only = npu::kPretences[0];
  }
  Ran ran;
  ran.name = flags.run.words.empty() ? plan.operator_call.kernel_file
                                     : flags.run.words.front();
  const auto tell = [&](auto& result, int own) {
    const Verdict verdict = Judge(flags.run.check, own, result.diagnostics);
    ran.exit_code = verdict.exit_code;
    ran.json = ToJson(result, flags.run.check, verdict);
    if (!flags.run.json) PrintText(result, flags.run.check, verdict);
    ran.recorded = std::move(result.recorded);
  };
  if (plan.is_operator) {
    plan.operator_call.record = record;
    guest::OperatorResult result = guest::RunOperator(plan.operator_call);
    tell(result, 0);
  } else {
    plan.program.record = record;
    guest::ProgramResult result = guest::RunProgram(plan.program);
    tell(result, result.exit_code);
  }
  return ran;
}

Ran LoadLog(const ProfileFlags& flags) {
  if (!flags.run.words.empty()) {
    throw UserError(fmt::format(
        "[profile] --log times what was run before: leave '{}' out, or the "
        "option",
        flags.run.words.front()));
  }
  Ran ran;
  ran.name = flags.log;
  ran.json = nlohmann::json::object();
  ran.recorded.launches = clock::LogFile::Read(flags.log);
  return ran;
}

// The launches asked for, by number.
std::vector<size_t> ChooseLaunches(const ProfileFlags& flags,
                                   const guest::RecordedLaunches& recorded) {
  std::vector<size_t> chosen;
  const size_t count = recorded.launches.size();
  if (flags.launch) {
    if (*flags.launch >= count) {
      throw UserError(fmt::format(
          "[profile] --launch {}: {} launches were recorded, the first is 0",
          *flags.launch, count));
    }
    return {*flags.launch};
  }
  for (size_t i = 0; i < count; ++i) chosen.push_back(i);
  return chosen;
}

std::unique_ptr<trace::Writer> OpenTrace(const ProfileFlags& flags,
                                         const Ran& ran,
                                         const std::string& chip) {
  if (flags.trace.empty()) return nullptr;
  const npu::ChipSpec spec = npu::LoadChip(chip);
  trace::RunFacts facts;
  facts.chip = spec.title;
  facts.clock_mhz = spec.clock_mhz;
  facts.program = ran.name;
  if (const auto error = clock::LoadModelError()) {
    facts.model_error = clock::ToText(*error);
  }
  return trace::OpenWriter(flags.trace, facts);
}

std::string CsvFolder(const ProfileFlags& flags, size_t launch,
                      const std::string& kernel, bool only) {
  const std::filesystem::path folder(flags.csv);
  return only ? flags.csv
              : (folder / fmt::format("{}_{}", launch, kernel)).string();
}

int Profile(const ProfileFlags& flags, const PassedThrough& passed) {
  if (!flags.run.compile_commands.empty()) {
    return WriteForEditors(flags.run, PlanRun(flags.run, passed));
  }
  if (!flags.trace.empty() && !trace::IsTracePath(flags.trace)) {
    throw UserError(fmt::format(
        "[profile] --trace {}: the file must end in .html, .pftrace or "
        ".perfetto-trace",
        flags.trace));
  }
  Ran ran = flags.log.empty() ? RunAndRecord(flags, passed) : LoadLog(flags);
  const std::vector<size_t> chosen = ChooseLaunches(flags, ran.recorded);
  std::unique_ptr<trace::Writer> writer;
  if (!chosen.empty()) {
    writer = OpenTrace(flags, ran, ran.recorded.launches[chosen.front()].chip);
  }
  const bool show_progress = flags.progress || isatty(STDERR_FILENO) != 0;
  std::map<std::string, clock::ClockSpec> specs;
  nlohmann::json launches = nlohmann::json::array();
  for (const size_t number : chosen) {
    const clock::LaunchLog& log = ran.recorded.launches[number];
    const auto [spec, is_new] = specs.try_emplace(log.chip);
    if (is_new) spec->second = clock::LoadClockSpec(log.chip);
    std::optional<profile::Progress> progress;
    if (show_progress) progress.emplace(log, log.kernel);
    std::vector<clock::TimelineSink*> sinks;
    if (writer) sinks.push_back(writer.get());
    if (progress) sinks.push_back(&*progress);
    clock::SinkTee tee(sinks);
    profile::ProfileOptions options;
    options.l2 =
        flags.l2 == "warm" ? clock::L2State::kWarm : clock::L2State::kCold;
    options.sink = &tee;
    if (writer) writer->BeginLaunch(log);
    const profile::LaunchProfile profiled =
        profile::ProfileLaunch(log, spec->second, options);
    if (writer) writer->EndLaunch(profiled.time);
    progress.reset();
    if (!flags.csv.empty()) {
      profile::WriteMsprofCsv(profiled,
                              CsvFolder(flags, number, log.kernel,
                                        ran.recorded.launches.size() == 1));
    }
    if (flags.run.json) {
      launches.push_back(profile::ToJson(profiled));
      launches.back()["launch"] = number;
    } else {
      fmt::print("{}{}", number == chosen.front() ? "" : "\n",
                 profile::ToText(profiled));
    }
  }
  if (writer) writer->Finish();
  for (const std::string& kernel : ran.recorded.unrecorded) {
    fmt::print(stderr, "belay: the launch of {} failed and is not timed\n",
               kernel);
  }
  if (chosen.empty()) {
    std::fputs("belay: nothing was launched that could be timed\n", stderr);
  }
  if (flags.run.json) {
    nlohmann::json json = std::move(ran.json);
    json["exit_code"] = ran.exit_code;
    json["launches"] = std::move(launches);
    json["untimed"] = ran.recorded.unrecorded;
    PrintJson(json);
  }
  return ran.exit_code;
}

void AddProfileFlags(CLI::App& command, ProfileFlags& flags) {
  command
      .add_option("--launch", flags.launch,
                  "Only this launch of the program, counted from 0")
      ->group(kProfileGroup);
  command
      .add_option("--l2", flags.l2,
                  "The L2 cache when a launch begins: cold, or warm (inputs "
                  "are in it as far as they fit)")
      ->check(CLI::IsMember({"cold", "warm"}))
      ->capture_default_str()
      ->group(kProfileGroup);
  command
      .add_option("--trace", flags.trace,
                  "Write the timeline: FILE.html for a browser, FILE.pftrace "
                  "or FILE.perfetto-trace for Perfetto")
      ->group(kProfileGroup);
  command
      .add_option("--csv", flags.csv,
                  "Write OpBasicInfo.csv, PipeUtilization.csv, Memory.csv and "
                  "ResourceConflictRatio.csv as msprof does to this folder")
      ->group(kProfileGroup);
  command
      .add_option("--save-log", flags.save_log,
                  "Keep what was recorded, to time it again with --log")
      ->group(kProfileGroup);
  command
      .add_option("--log", flags.log, "Run nothing: time what --save-log kept")
      ->group(kProfileGroup);
  command
      .add_flag("--timing-only", flags.timing_only,
                "Compute no values, for shapes too large for this machine; "
                "inputs of operator projects may be shapes, x=shape:8,16:f32. "
                "Refused when the kernel's course depends on values")
      ->group(kProfileGroup);
  command
      .add_flag("--progress", flags.progress,
                "Show how far long replays are, also when standard error is "
                "no terminal")
      ->group(kProfileGroup);
}

}  // namespace

void AddProfileCommand(CLI::App& app, const PassedThrough& passed,
                       int* exit_code) {
  CLI::App* profile = app.add_subcommand(
      "profile",
      "Run as `run` does, and say where the simulated time goes: pipes, "
      "memory, bound, advice");
  auto flags = std::make_shared<ProfileFlags>();
  AddRunFlags(*profile, flags->run, /*can_trace=*/false);
  AddProfileFlags(*profile, *flags);
  AddCheckFlags(*profile, flags->run.check, Checking::kWhenAsked);
  profile->callback(
      [flags, &passed, exit_code] { *exit_code = Profile(*flags, passed); });
  profile->footer(
      "Example:\n  belay profile examples/softmax/softmax.asc\n"
      "  belay profile kernel.asc --launch 0 --l2 warm --trace kernel.html\n"
      "  belay profile my_op --in x=x.npy --csv OPPROF --json\n"
      "  belay profile my_op --in x=shape:2147483648:f32 --timing-only\n"
      "  belay profile kernel.asc --save-log k.log && belay profile --log "
      "k.log\n"
      "Exit code: as `belay run`: the program's own; 1 when the kernel is at "
      "fault; 2 for a bad call.");
}

}  // namespace belay::cli
