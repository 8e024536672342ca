// SPDX-License-Identifier: Apache-2.0
#include "cli/check_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "check/suppressions.h"
#include "cli/number_checks.h"

namespace belay::cli {
namespace {

constexpr const char* kCheckingGroup = "Checking";

std::vector<std::string> ToolsOf(const CheckFlags& flags) {
  check::CheckOptions options;
  check::SelectTools(flags.tools, options);
  std::vector<std::string> names;
  if (options.memcheck) names.push_back("memcheck");
  if (options.initcheck) names.push_back("initcheck");
  if (options.racecheck) names.push_back("racecheck");
  if (options.synccheck) names.push_back("synccheck");
  return names;
}

}  // namespace

void AddCheckFlags(CLI::App& command, CheckFlags& flags, Checking when) {
  if (when == Checking::kWhenAsked) {
    flags.off = true;
    command
        .add_flag_callback(
            "--check", [&flags] { flags.off = false; },
            "Run under the checkers as well")
        ->group(kCheckingGroup);
  }
  if (when == Checking::kUnlessOff) {
    command.add_flag("--no-check", flags.off, "Run without the checkers")
        ->group(kCheckingGroup);
  }
  command
      .add_option("--tool", flags.tools,
                  "Which checkers: memcheck, initcheck, racecheck, synccheck, "
                  "separated by commas, or all")
      ->capture_default_str()
      ->group(kCheckingGroup);
  command
      .add_flag("--strict", flags.strict,
                "Exit with 1 for warnings and notes too")
      ->group(kCheckingGroup);
  command
      .add_option("--block", flags.blocks,
                  "Report what these blocks do only (all are checked)")
      ->delimiter(',')
      ->check(NotNegative())
      ->group(kCheckingGroup);
  command
      .add_option("--max-findings", flags.options.max_findings,
                  "Different findings kept of one launch")
      ->check(Positive())
      ->capture_default_str()
      ->group(kCheckingGroup);
  command
      .add_option("--suppressions", flags.suppressions,
                  "File of findings not to report: CODE FILE:LINE reason")
      ->group(kCheckingGroup);
  command
      .add_option("--auto-sync", flags.auto_sync,
                  "Whether the compiler synchronises as with "
                  "--cce-auto-sync=on; off for kernels compiled without it")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str()
      ->group(kCheckingGroup);
  command
      .add_flag("--auto-sync-log", flags.options.auto_sync_log,
                "List what the compiler synchronises by itself, as notes")
      ->group(kCheckingGroup);
}

std::optional<check::CheckOptions> ReadCheckFlags(const CheckFlags& flags) {
  if (flags.off) return std::nullopt;
  check::CheckOptions options = flags.options;
  check::SelectTools(flags.tools, options);
  options.auto_sync = flags.auto_sync == "on";
  options.blocks = {flags.blocks.begin(), flags.blocks.end()};
  return options;
}

Verdict Judge(const CheckFlags& flags, int own,
              std::vector<Diagnostic>& diagnostics) {
  Verdict verdict;
  if (!flags.suppressions.empty()) {
    auto suppressions = check::Suppressions::Load(flags.suppressions);
    verdict.suppressed = suppressions.Apply(diagnostics);
    std::ranges::move(suppressions.Unused(), std::back_inserter(diagnostics));
  }
  verdict.totals = check::Count(diagnostics);
  verdict.exit_code = check::ExitCodeOf(verdict.totals, flags.strict);
  if (verdict.exit_code == 0) verdict.exit_code = own;
  return verdict;
}

std::string VerdictText(const CheckFlags& flags, const Verdict& verdict) {
  if (flags.off) return {};
  return fmt::format("checked with {}: {}\n", fmt::join(ToolsOf(flags), ", "),
                     check::Summarize(verdict.totals, 0, verdict.suppressed));
}

nlohmann::json ToJson(const CheckFlags& flags, const Verdict& verdict) {
  return {
      {"tools", flags.off ? std::vector<std::string>{} : ToolsOf(flags)},
      {"errors", verdict.totals.errors},
      {"warnings", verdict.totals.warnings},
      {"notes", verdict.totals.notes},
      {"suppressed", verdict.suppressed},
  };
}

}  // namespace belay::cli
