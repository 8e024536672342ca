// SPDX-License-Identifier: Apache-2.0
// `belay compare`: two runs side by side.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "runs/compare.h"

namespace belay::cli {
namespace {

struct CompareOptions {
  std::string first;
  std::string second;
  bool json = false;
};

void CompareTwoRuns(const CompareOptions& options) {
  const runs::LoadedRun first = runs::LoadRun(options.first);
  const runs::LoadedRun second = runs::LoadRun(options.second);
  if (options.json) {
    fmt::print("{}\n", runs::CompareRuns(first, second).dump(2));
    return;
  }
  fmt::print("{}", runs::ComparisonText(
                       runs::CompareResults(first.results, second.results),
                       options.first, options.second));
}

}  // namespace

void AddCompareCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand(
      "compare", "Compare two runs: what was won and lost, and by chance?");
  command->add_option("RUN1", options->first, "The folder of a run")
      ->required();
  command->add_option("RUN2", options->second, "The folder of another")
      ->required();
  command->add_flag("--json", options->json, "Print as JSON");
  command->footer("Example:\n  belay compare runs/before runs/after");
  command->callback([options, exit_code] {
    CompareTwoRuns(*options);
    *exit_code = 0;
  });
}

}  // namespace belay::cli
