// SPDX-License-Identifier: Apache-2.0
#include "cli/crux_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/check_flags.h"
#include "cli/command.h"
#include "cli/crux_arguments.h"
#include "cli/crux_report.h"
#include "cli/number_checks.h"
#include "crux/check.h"
#include "crux/run/runner.h"
#include "guest/same_course.h"
#include "profile/json.h"
#include "profile/profile.h"
#include "profile/text.h"

namespace belay::cli {
namespace {

using crux::interpret::OutputTensor;

struct CruxRunFlags {
  std::string file;
  std::string kernel;
  CruxCall call;
  std::vector<std::string> bounds;
  bool interpret = false;
  std::string arithmetic = "exact";
  std::string fits = "yes";
  crux::interpret::Options options;
  CheckFlags check;
  std::string chip = npu::kDefaultChip;
  bool time = false;
  bool profile = false;
  bool timing_only = false;
  uint64_t fuel = runtime::DeviceOptions().fuel;
  CruxTolerance tolerance;
  bool json = false;

  bool carries_bounds() const {
    return interpret && options.bounds &&
           options.arithmetic == crux::interpret::Arithmetic::kExact;
  }
};

// What either road leaves.
struct CruxRan {
  std::string kernel;
  std::vector<Diagnostic> diagnostics;
  std::vector<OutputTensor> outputs;
  std::vector<CruxReport> reports;
  uint64_t steps = 0;
  std::optional<profile::LaunchProfile> profile;
  int exit_code = kFinding;
};

void RunInterpreted(const CruxRunFlags& flags,
                    const crux::typed::Kernel& kernel,
                    const crux::interpret::Arguments& arguments, CruxRan& ran) {
  crux::interpret::Options options = flags.options;
  options.file = flags.file;
  crux::interpret::Results results = Interpret(kernel, arguments, options);
  ran.exit_code = results.ok() ? 0 : kFinding;
  ran.steps = results.steps;
  ran.diagnostics.insert(ran.diagnostics.end(), results.diagnostics.begin(),
                         results.diagnostics.end());
  ran.outputs = std::move(results.outputs);
}

// On a device of its own; `pretence` counts for --timing-only.
crux::run::RunResult RunOnChip(const CruxRunFlags& flags,
                               const crux::typed::Kernel& kernel,
                               const crux::interpret::Arguments& arguments,
                               npu::Pretence pretence) {
  runtime::DeviceOptions options;
  options.chip = flags.chip;
  options.fuel = flags.fuel;
  options.record = flags.time || flags.profile;
  if (flags.timing_only) {
    options.timing_only = pretence;
  } else {
    options.check = ReadCheckFlags(flags.check);
  }
  crux::run::Runner runner(std::move(options));
  return runner.Run(kernel, arguments, flags.file);
}

// The error of a kernel whose time depends on values that --timing-only does
// not compute.
std::optional<Diagnostic> FindDependence(
    const CruxRunFlags& flags, const crux::typed::Kernel& kernel,
    const crux::interpret::Arguments& arguments,
    const clock::LaunchLog& launch) {
  guest::RecordedLaunches first;
  first.launches.push_back(launch);
  return guest::FindDependence(first, [&](npu::Pretence pretence) {
    guest::RecordedLaunches other;
    crux::run::RunResult result = RunOnChip(flags, kernel, arguments, pretence);
    if (result.launch) other.launches.push_back(std::move(*result.launch));
    return other;
  });
}

void RunCompiled(const CruxRunFlags& flags, const crux::typed::Kernel& kernel,
                 const crux::interpret::Arguments& arguments, CruxRan& ran) {
  crux::run::RunResult result =
      RunOnChip(flags, kernel, arguments, npu::kPretences[0]);
  if (flags.timing_only && result.launch) {
    if (auto depends =
            FindDependence(flags, kernel, arguments, *result.launch)) {
      result.diagnostics.push_back(std::move(*depends));
      result.launch.reset();
    }
  }
  const Verdict verdict =
      Judge(flags.check, result.ok() ? 0 : kFinding, result.diagnostics);
  ran.exit_code = verdict.exit_code;
  ran.diagnostics.insert(ran.diagnostics.end(), result.diagnostics.begin(),
                         result.diagnostics.end());
  ran.outputs = std::move(result.outputs);
  if (!result.launch) return;
  profile::ProfileOptions wanted;
  wanted.advise = flags.profile;
  ran.profile = profile::ProfileLaunch(
      *result.launch, clock::LoadClockSpec(flags.chip), wanted);
}

double ShareOfBound(const profile::LaunchProfile& profile) {
  const double total = profile.Microseconds(profile.time.total);
  return total <= 0 ? 0 : profile.bound.total / total;
}

std::string TimeLine(const profile::LaunchProfile& profile) {
  return fmt::format(
      "simulated time on the {}: {:.3f} us on {} cores, {:.1f} % of the "
      "hardware bound of {:.3f} us ({})\n",
      profile.title, profile.Microseconds(profile.time.total), profile.blocks,
      100 * ShareOfBound(profile), profile.bound.total,
      profile.bound.binding());
}

nlohmann::json ToJson(const CruxRunFlags& flags, const CruxRan& ran) {
  nlohmann::json outputs = nlohmann::json::array();
  for (const CruxReport& report : ran.reports) {
    outputs.push_back(ToJson(report, flags.carries_bounds()));
  }
  nlohmann::json json = {{"exit_code", ran.exit_code},
                         {"kernel", ran.kernel},
                         {"road", flags.interpret ? "interpreted" : "compiled"},
                         {"outputs", outputs},
                         {"diagnostics", ran.diagnostics}};
  if (flags.interpret) {
    json["arithmetic"] = flags.arithmetic;
    json["auto_tile"] = flags.options.auto_tile;
    json["fits"] = flags.options.fits;
    json["steps"] = ran.steps;
  } else {
    json["chip"] = flags.chip;
  }
  if (ran.profile) {
    json["simulated_us"] = ran.profile->Microseconds(ran.profile->time.total);
    json["bound_us"] = ran.profile->bound.total;
    json["share_of_bound"] = ShareOfBound(*ran.profile);
    json["bound_by"] = ran.profile->bound.binding();
    if (flags.profile) json["profile"] = profile::ToJson(*ran.profile);
  }
  return json;
}

void Print(const CruxRunFlags& flags, const CruxRan& ran) {
  if (flags.json) {
    std::puts(ToJson(flags, ran)
                  .dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
                  .c_str());
    return;
  }
  const bool color = isatty(STDERR_FILENO) != 0;
  for (const Diagnostic& diagnostic : ran.diagnostics) {
    std::fputs(ToText(diagnostic, color).c_str(), stderr);
  }
  for (const CruxReport& report : ran.reports) {
    fmt::print("{}\n", ToText(report, flags.carries_bounds()));
  }
  if (ran.profile && flags.profile) {
    std::fputs(profile::ToText(*ran.profile).c_str(), stdout);
  } else if (ran.profile) {
    std::fputs(TimeLine(*ran.profile).c_str(), stdout);
  }
}

void RequireRoad(const CruxRunFlags& flags) {
  if (!flags.interpret && !flags.bounds.empty()) {
    throw UserError(
        "[crux run] --bounds: only the interpreter carries error bounds: add "
        "--interpret");
  }
  if (!flags.bounds.empty() && flags.arithmetic != "exact") {
    throw UserError("[crux run] --bounds needs --arithmetic exact");
  }
  if (flags.interpret && (flags.time || flags.profile || flags.timing_only)) {
    throw UserError(
        "[crux run] --time, --profile and --timing-only are of the simulated "
        "chip, which --interpret does not use: leave one of them out");
  }
  if (flags.timing_only && !flags.call.output_files.empty()) {
    throw UserError(
        "[crux run] --timing-only computes no values: leave --out away");
  }
}

void RequireData(const CruxRunFlags& flags,
                 const crux::interpret::Arguments& arguments) {
  if (flags.timing_only) return;
  for (const auto& [name, argument] : arguments.tensors) {
    for (const Array& array : argument.arrays) {
      if (!array.data.empty() || ElementCount(array.shape) == 0) continue;
      throw UserError(fmt::format(
          "[crux run] --in {0}=shape:…: a shape has no values: give a file "
          "({0}=FILE.npy), or ask for the time alone (--timing-only)",
          name));
    }
  }
}

int Run(const CruxRunFlags& flags) {
  RequireRoad(flags);
  const crux::Checked checked = crux::CheckFile(flags.file);
  CruxRan ran;
  ran.diagnostics = checked.diagnostics;
  if (checked.ok()) {
    const crux::typed::Kernel& kernel =
        ChooseKernel(*checked.program, flags.kernel);
    ran.kernel = kernel.name;
    const auto requests = ReadOutputs(kernel, flags.call);
    const auto bounds = ReadOutputs(kernel, {{}, {}, {}, flags.bounds, {}});
    const auto arguments = ReadArguments(kernel, flags.call, requests);
    RequireData(flags, arguments);
    (flags.interpret ? RunInterpreted : RunCompiled)(flags, kernel, arguments,
                                                     ran);
    for (const OutputTensor& output : ran.outputs) {
      ran.reports.push_back(
          DeliverOutput(output, requests, bounds, flags.tolerance));
      if (ran.reports.back().as_expected()) continue;
      ran.diagnostics.push_back(DifferenceOf(ran.reports.back()));
      ran.exit_code = kFinding;
    }
  }
  Print(flags, ran);
  return ran.exit_code;
}

}  // namespace

void AddCruxRun(CLI::App& crux, int* exit_code) {
  auto flags = std::make_shared<CruxRunFlags>();
  CLI::App* run = crux.add_subcommand(
      "run",
      "Run a kernel of a Crux file on the simulated chip, compiled; "
      "--interpret runs the definition");
  run->footer("belay crux run softmax.crux --in x=x.npy --out y=y.npy --time");
  run->add_option("FILE", flags->file, "A Crux program")->required();
  run->add_flag("--interpret", flags->interpret,
                "Run the definition of the language: one core, from top to "
                "bottom, whole tensors");
  run->add_flag("--time", flags->time,
                "Print the simulated time and its share of the hardware bound");
  run->add_flag("--profile", flags->profile,
                "Print where the simulated time goes, line by line");
  run->add_flag("--timing-only", flags->timing_only,
                "Compute no values, only the time: for --in x=shape:8,16:f32");
  run->add_option("--chip", flags->chip, "Which chip is simulated")
      ->capture_default_str();
  run->add_option("--fuel", flags->fuel,
                  "Scalar work a block may do before it counts as endless")
      ->capture_default_str();
  AddCheckFlags(*run, flags->check, Checking::kUnlessOff);
  run->add_option("--kernel", flags->kernel,
                  "Which kernel of the file, if it has several");
  const auto many = [&](const char* name, std::vector<std::string>& values,
                        const char* text) {
    run->add_option(name, values, text)->allow_extra_args(false);
  };
  many("--in", flags->call.inputs,
       "A tensor: x=x.npy, x=x.npy:bf16 (uint16 files), x=[a.npy,b.npy] for a "
       "list, x=none, k=scalar:[1,2]:i64");
  many("--attr", flags->call.attributes,
       "An attribute: eps=1e-5, keep=true, axes=[0,1], mode=sum");
  many("--out", flags->call.output_files,
       "Where an output goes: y=y.npy, y=[a.npy,b.npy]; an optional output is "
       "computed if it is named");
  many("--expect", flags->call.expected,
       "What an output must be: y=golden.npy, within --rtol and --atol");
  many("--bounds", flags->bounds,
       "Where the error bounds of an output go, as f64: y=e.npy");
  many("--dtype", flags->call.dtypes,
       "A dtype variable that no tensor binds: T=f16");
  run->add_option("--arithmetic", flags->arithmetic,
                  "exact: every operation rounded to its dtype, with error "
                  "bounds; float64: everything real in double")
      ->check(CLI::IsMember({"exact", "float64"}))
      ->capture_default_str();
  run->add_option("--tile", flags->options.auto_tile,
                  "What tile=auto means to --interpret")
      ->check(Positive())
      ->capture_default_str();
  run->add_option("--fits", flags->fits, "What fits() answers --interpret")
      ->check(CLI::IsMember({"yes", "no"}))
      ->capture_default_str();
  run->add_option("--steps", flags->options.limits.steps,
                  "Most steps (elements of operations) before the run ends")
      ->capture_default_str();
  run->add_option("--memory", flags->options.limits.bytes,
                  "Most bytes of tensors and tiles at a time")
      ->capture_default_str();
  run->add_option("--rtol", flags->tolerance.rtol,
                  "Relative tolerance of --expect")
      ->check(NotNegative());
  run->add_option("--atol", flags->tolerance.atol,
                  "Absolute tolerance of --expect")
      ->check(NotNegative());
  run->add_flag("--json", flags->json, "Print JSON");
  run->callback([flags, exit_code] {
    flags->options.arithmetic = flags->arithmetic == "exact"
                                    ? crux::interpret::Arithmetic::kExact
                                    : crux::interpret::Arithmetic::kFloat64;
    flags->options.fits = flags->fits == "yes";
    flags->time |= flags->timing_only;
    *exit_code = Run(*flags);
  });
}

}  // namespace belay::cli
