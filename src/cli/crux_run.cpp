// SPDX-License-Identifier: Apache-2.0
#include "cli/crux_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/catalogue.h"
#include "base/error.h"
#include "cli/command.h"
#include "cli/crux_arguments.h"
#include "crux/check.h"
#include "guest/operator_compare.h"

namespace belay::cli {
namespace {

using crux::interpret::OutputTensor;
using crux::interpret::Results;

struct CruxRunFlags {
  std::string file;
  std::string kernel;
  CruxCall call;
  std::vector<std::string> bounds;
  bool interpret = false;
  std::string arithmetic = "exact";
  std::string fits = "yes";
  crux::interpret::Options options;
  std::optional<double> rtol;
  std::optional<double> atol;
  bool json = false;
};

// One tensor that was computed, and what became of it.
struct Report {
  const OutputTensor* output = nullptr;
  std::string file;
  std::string bounds_file;
  std::string expected;
  guest::Tolerance tolerance;
  guest::Comparison comparison;
  double largest_bound = 0;
};

double LargestBound(const OutputTensor& output) {
  double largest = 0;
  for (size_t at = 0; at < output.bounds.data.size(); at += sizeof(double)) {
    double bound = 0;
    std::memcpy(&bound, output.bounds.data.data() + at, sizeof bound);
    largest = std::max(largest, bound);
  }
  return largest;
}

// The file for one tensor of an output; empty when none is named.
std::string FileFor(const std::vector<std::string>& files,
                    const OutputTensor& output, const char* option) {
  if (files.empty()) return "";
  if (output.index >= files.size()) {
    throw UserError(fmt::format(
        "[crux run] {} {}=…: {} files for a list that has more tensors", option,
        output.parameter, files.size()));
  }
  return files[output.index];
}

Report Deliver(const CruxRunFlags& flags, const OutputTensor& output,
               const std::vector<guest::OutputRequest>& requests,
               const std::vector<guest::OutputRequest>& bounds) {
  Report report;
  report.output = &output;
  report.largest_bound = LargestBound(output);
  const auto find = [&](const std::vector<guest::OutputRequest>& all) {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const guest::OutputRequest& request) {
                                      return request.name == output.parameter;
                                    });
    return found == all.end() ? guest::OutputRequest{} : *found;
  };
  const guest::OutputRequest request = find(requests);
  report.file = FileFor(request.files, output, "--out");
  if (!report.file.empty()) WriteNpy(report.file, output.array);
  report.bounds_file = FileFor(find(bounds).files, output, "--bounds");
  if (!report.bounds_file.empty()) {
    WriteNpy(report.bounds_file, output.bounds);
  }
  if (request.expected.empty()) return report;
  if (output.index >= request.expected.size()) {
    throw UserError(fmt::format(
        "[crux run] --expect {}=…: {} files for a list that has more tensors",
        output.parameter, request.expected.size()));
  }
  const guest::TensorFile& expected = request.expected[output.index];
  report.expected = expected.path;
  report.tolerance = guest::DefaultTolerance(output.array.dtype);
  if (flags.rtol) report.tolerance.rtol = *flags.rtol;
  if (flags.atol) report.tolerance.atol = *flags.atol;
  report.comparison =
      Compare(output.array, guest::ReadTensor(expected), report.tolerance);
  return report;
}

nlohmann::json NumberOf(double value) {
  if (std::isfinite(value)) return value;
  return fmt::format("{}", value);
}

nlohmann::json ToJson(const Report& report, bool bounds) {
  nlohmann::json json = {{"name", report.output->name},
                         {"dtype", NameOf(report.output->array.dtype)},
                         {"shape", report.output->array.shape}};
  if (bounds) json["largest_bound"] = NumberOf(report.largest_bound);
  if (!report.file.empty()) json["file"] = report.file;
  if (!report.bounds_file.empty()) json["bounds_file"] = report.bounds_file;
  if (report.expected.empty()) return json;
  const guest::Comparison& comparison = report.comparison;
  json["comparison"] = {{"expected_file", report.expected},
                        {"equal", comparison.equal()},
                        {"rtol", report.tolerance.rtol},
                        {"atol", report.tolerance.atol},
                        {"elements", comparison.elements},
                        {"differing", comparison.differing},
                        {"largest_absolute", comparison.largest_absolute},
                        {"largest_relative", comparison.largest_relative},
                        {"text", ToText(comparison, report.tolerance)}};
  return json;
}

void Print(const CruxRunFlags& flags, const std::string& kernel,
           const Results& results, const std::vector<Report>& reports,
           const std::vector<Diagnostic>& diagnostics, int exit_code) {
  const bool bounds =
      flags.options.bounds &&
      flags.options.arithmetic == crux::interpret::Arithmetic::kExact;
  if (flags.json) {
    nlohmann::json outputs = nlohmann::json::array();
    for (const Report& report : reports) {
      outputs.push_back(ToJson(report, bounds));
    }
    const nlohmann::json json = {{"exit_code", exit_code},
                                 {"kernel", kernel},
                                 {"arithmetic", flags.arithmetic},
                                 {"auto_tile", flags.options.auto_tile},
                                 {"fits", flags.options.fits},
                                 {"steps", results.steps},
                                 {"outputs", outputs},
                                 {"diagnostics", diagnostics}};
    std::puts(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
                  .c_str());
    return;
  }
  const bool color = isatty(STDERR_FILENO) != 0;
  for (const Diagnostic& diagnostic : diagnostics) {
    std::fputs(ToText(diagnostic, color).c_str(), stderr);
  }
  for (const Report& report : reports) {
    fmt::print("{}: {} ({})", report.output->name,
               NameOf(report.output->array.dtype),
               belay::ToText(report.output->array.shape));
    if (bounds) fmt::print(", error at most {:.3g}", report.largest_bound);
    if (!report.file.empty()) fmt::print(", written to {}", report.file);
    if (!report.expected.empty()) {
      fmt::print(", {}", ToText(report.comparison, report.tolerance));
    }
    fmt::print("\n");
  }
}

Diagnostic DifferenceOf(const Report& report) {
  Diagnostic diagnostic;
  diagnostic.code = code::kH114;
  diagnostic.message = fmt::format("output '{}' is not as expected ({}): {}",
                                   report.output->name, report.expected,
                                   ToText(report.comparison, report.tolerance));
  return diagnostic;
}

int Run(CruxRunFlags& flags) {
  if (!flags.interpret) {
    throw UserError(
        "[crux run] programs run by the interpreter, which defines what they "
        "mean: add --interpret");
  }
  if (!flags.bounds.empty() && flags.arithmetic != "exact") {
    throw UserError("[crux run] --bounds needs --arithmetic exact");
  }
  const crux::Checked checked = crux::CheckFile(flags.file);
  std::vector<Diagnostic> diagnostics = checked.diagnostics;
  Results results;
  std::vector<Report> reports;
  int exit_code = kFinding;
  std::string kernel_name;
  if (checked.ok()) {
    const crux::typed::Kernel& kernel =
        ChooseKernel(*checked.program, flags.kernel);
    kernel_name = kernel.name;
    const auto requests = ReadOutputs(kernel, flags.call);
    const auto bounds = ReadOutputs(kernel, {{}, {}, {}, flags.bounds, {}});
    const auto arguments = ReadArguments(kernel, flags.call, requests);
    flags.options.file = flags.file;
    results = Interpret(kernel, arguments, flags.options);
    diagnostics.insert(diagnostics.end(), results.diagnostics.begin(),
                       results.diagnostics.end());
    exit_code = results.ok() ? 0 : kFinding;
    for (const OutputTensor& output : results.outputs) {
      reports.push_back(Deliver(flags, output, requests, bounds));
      if (reports.back().expected.empty() ||
          reports.back().comparison.equal()) {
        continue;
      }
      diagnostics.push_back(DifferenceOf(reports.back()));
      exit_code = kFinding;
    }
  }
  Print(flags, kernel_name, results, reports, diagnostics, exit_code);
  return exit_code;
}

}  // namespace

void AddCruxRun(CLI::App& crux, int* exit_code) {
  auto flags = std::make_shared<CruxRunFlags>();
  CLI::App* run = crux.add_subcommand(
      "run", "Run a kernel of a Crux file; --interpret runs the definition");
  run->footer(
      "belay crux run softmax.crux --in x=x.npy --out y=y.npy --interpret");
  run->add_option("FILE", flags->file, "A Crux program")->required();
  run->add_flag("--interpret", flags->interpret,
                "Run the definition of the language: one core, from top to "
                "bottom, whole tensors");
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
  run->add_option("--tile", flags->options.auto_tile, "What tile=auto means")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  run->add_option("--fits", flags->fits, "What fits() answers")
      ->check(CLI::IsMember({"yes", "no"}))
      ->capture_default_str();
  run->add_option("--steps", flags->options.limits.steps,
                  "Most steps (elements of operations) before the run ends")
      ->capture_default_str();
  run->add_option("--memory", flags->options.limits.bytes,
                  "Most bytes of tensors and tiles at a time")
      ->capture_default_str();
  run->add_option("--rtol", flags->rtol, "Relative tolerance of --expect")
      ->check(CLI::NonNegativeNumber);
  run->add_option("--atol", flags->atol, "Absolute tolerance of --expect")
      ->check(CLI::NonNegativeNumber);
  run->add_flag("--json", flags->json, "Print JSON");
  run->callback([flags, exit_code] {
    flags->options.arithmetic = flags->arithmetic == "exact"
                                    ? crux::interpret::Arithmetic::kExact
                                    : crux::interpret::Arithmetic::kFloat64;
    flags->options.fits = flags->fits == "yes";
    *exit_code = Run(*flags);
  });
}

}  // namespace belay::cli
