// SPDX-License-Identifier: Apache-2.0
#include "cli/run_operator.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/json_number.h"
#include "cli/number_checks.h"
#include "cli/run_program.h"

namespace belay::cli {
namespace {

constexpr const char* kOperatorGroup =
    "An operator project (DIR) or a kernel alone";

nlohmann::json TimesOf(const toolchain::PhaseTimes& times) {
  return {{"front_end", times.front_end},
          {"passes", times.passes},
          {"code_generation", times.code_generation},
          {"link", times.link}};
}

nlohmann::json ToJson(const guest::OutputReport& output) {
  nlohmann::json json = {{"name", output.name},
                         {"dtype", NameOf(output.dtype)},
                         {"shape", output.shape}};
  if (!output.file.empty()) json["file"] = output.file;
  if (output.expected.empty()) return json;
  const guest::Comparison& comparison = output.comparison;
  json["comparison"] = {{"expected_file", output.expected},
                        {"equal", comparison.equal()},
                        {"rtol", output.tolerance.rtol},
                        {"atol", output.tolerance.atol},
                        {"elements", comparison.elements},
                        {"differing", comparison.differing},
                        {"nan_differing", comparison.nan_differing},
                        {"largest_absolute", comparison.largest_absolute},
                        {"largest_relative", comparison.largest_relative}};
  if (!comparison.problem.empty()) {
    json["comparison"]["problem"] = comparison.problem;
  } else if (comparison.differing != 0) {
    json["comparison"]["worst"] = {{"index", comparison.worst},
                                   {"got", NumberOf(comparison.got)},
                                   {"expected", NumberOf(comparison.expected)}};
  }
  return json;
}

}  // namespace

nlohmann::json ToJson(const guest::OperatorResult& result,
                      const CheckFlags& check, const Verdict& verdict) {
  nlohmann::json outputs = nlohmann::json::array();
  for (const guest::OutputReport& output : result.outputs) {
    outputs.push_back(ToJson(output));
  }
  return {
      {"exit_code", verdict.exit_code},
      {"compiled", result.compiled},
      {"launched", result.launched},
      {"operator", result.type},
      {"kernel", result.kernel},
      {"column", result.column},
      {"blocks", result.blocks},
      {"tiling_key", result.tiling_key},
      {"tiling_bytes", result.tiling_bytes},
      {"workspace_bytes", result.workspace_bytes},
      {"outputs", outputs},
      {"diagnostics", result.diagnostics},
      {"check", ToJson(check, verdict)},
      {"launch_milliseconds", result.launch_milliseconds},
      {"compile_milliseconds",
       {{"op_host", TimesOf(result.host_compile_milliseconds)},
        {"op_kernel", TimesOf(result.kernel_compile_milliseconds)}}},
  };
}

void PrintText(const guest::OperatorResult& result, const CheckFlags& check,
               const Verdict& verdict) {
  const bool color = isatty(STDERR_FILENO) != 0;
  for (const Diagnostic& diagnostic : result.diagnostics) {
    std::fputs(belay::ToText(diagnostic, color).c_str(), stderr);
  }
  if (!result.launched) return;
  std::fputs(VerdictText(check, verdict).c_str(), stderr);
  fmt::print(
      "{}kernel {} on {} blocks, tiling key {}, {} bytes of tiling "
      "data, {} bytes of workspace\n",
      result.type.empty() ? "" : result.type + ": ", result.kernel,
      result.blocks, result.tiling_key, result.tiling_bytes,
      result.workspace_bytes);
  for (const guest::OutputReport& output : result.outputs) {
    fmt::print("{}: {} ({})", output.name, NameOf(output.dtype),
               belay::ToText(output.shape));
    if (!output.file.empty()) fmt::print(", written to {}", output.file);
    if (!output.expected.empty()) {
      fmt::print(", {}", guest::ToText(output.comparison, output.tolerance));
    }
    fmt::print("\n");
  }
}

bool OperatorFlags::any() const {
  return !inputs.empty() || !attributes.empty() || !output_files.empty() ||
         !output_likes.empty() || !output_shapes.empty() || !expected.empty() ||
         !options.kernel_file.empty();
}

void AddOperatorFlags(CLI::App& run, OperatorFlags& flags) {
  const auto many = [&](const char* name, std::vector<std::string>& values,
                        const char* text) {
    run.add_option(name, values, text)
        ->allow_extra_args(false)
        ->group(kOperatorGroup);
  };
  many("--in", flags.inputs,
       "An input: x=x.npy, x=x.npy:bf16 (uint16 files), x=[a.npy,b.npy] for a "
       "list, x=none, s=scalar:1.5:f32 or s=scalar:[1,2]:f32 for host scalars");
  many("--attr", flags.attributes,
       "An attribute: eps=1e-5, keep=true, axes=[0,1], mode=sum");
  many("--out", flags.output_files,
       "Where an output goes: y=y.npy, y=[a.npy,b.npy]; naming an input gives "
       "what it holds afterwards");
  many("--out-like", flags.output_likes,
       "An output has the shape of an input: y=x");
  many("--out-shape", flags.output_shapes,
       "The shape of an output: y=8,16, y=8,16:f16, y=[8,16;4] for a list");
  many("--expect", flags.expected,
       "What an output must be: y=golden.npy, within --rtol and --atol");
  guest::OperatorOptions& options = flags.options;
  run.add_option("--rtol", options.rtol,
                 "Relative tolerance (default: f32 1e-4, f16 1e-3, bf16 1e-2, "
                 "integers 0)")
      ->check(NotNegative())
      ->group(kOperatorGroup);
  run.add_option("--atol", options.atol,
                 "Absolute tolerance (default: as --rtol)")
      ->check(NotNegative())
      ->group(kOperatorGroup);
  run.add_option("--dtype", options.dtype,
                 "Which column of dtypes: its number from 0, or a type")
      ->group(kOperatorGroup);
  run.add_option("--op", options.type,
                 "Which operator of the project, or kernel of the file")
      ->group(kOperatorGroup);
  run.add_option("--tiling-key", options.tiling_key,
                 "Launch with this tiling key instead of tiling's")
      ->group(kOperatorGroup);
  run.add_option("--blocks", options.blocks,
                 "Launch with this many blocks instead of tiling's")
      ->group(kOperatorGroup);
  run.add_option("--kernel", options.kernel_file,
                 "Launch the kernel of this file without op_host, with all "
                 "inputs, then all outputs, in the order given")
      ->group(kOperatorGroup);
  run.add_option("--tiling", options.tiling_file,
                 "Tiling data of a kernel alone: a file of bytes")
      ->group(kOperatorGroup);
  run.add_option("--workspace", options.workspace_bytes,
                 "Bytes of workspace of a kernel alone, behind the system's 16 "
                 "MB")
      ->group(kOperatorGroup);
  run.add_option("--host-timeout", options.host_limits.seconds,
                 "Seconds that op_host may compute")
      ->check(Positive())
      ->capture_default_str()
      ->group(kOperatorGroup);
}

guest::OperatorOptions ReadOperatorFlags(const OperatorFlags& flags) {
  guest::OperatorOptions options = flags.options;
  for (const std::string& text : flags.inputs) {
    options.inputs.push_back(guest::ParseInput(text));
  }
  for (const std::string& text : flags.attributes) {
    options.attributes.push_back(guest::ParseAttribute(text));
  }
  for (const std::string& text : flags.output_files) {
    guest::ParseOutputFile(text, options.outputs);
  }
  for (const std::string& text : flags.output_likes) {
    guest::ParseOutputLike(text, options.outputs);
  }
  for (const std::string& text : flags.output_shapes) {
    guest::ParseOutputShape(text, options.outputs);
  }
  for (const std::string& text : flags.expected) {
    guest::ParseExpected(text, options.outputs);
  }
  return options;
}

int RunOperatorForm(const guest::OperatorOptions& options,
                    const CheckFlags& check, bool json) {
  guest::OperatorResult result = guest::RunOperator(options);
  const Verdict verdict = Judge(check, 0, result.diagnostics);
  if (json) {
    PrintJson(ToJson(result, check, verdict));
  } else {
    PrintText(result, check, verdict);
  }
  return verdict.exit_code;
}

}  // namespace belay::cli
