// SPDX-License-Identifier: Apache-2.0
// `belay report`: a run as one web page.

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "report/report.h"
#include "runs/atomic_file.h"

namespace belay::cli {
namespace {

namespace fs = std::filesystem;

struct ReportRequest {
  std::string run;
  std::string against;
  std::string output;
  bool json = false;
};

std::string NameOfFolder(const std::string& folder) {
  fs::path path = fs::path(folder).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  return path.filename().string();
}

int Run(const ReportRequest& options) {
  const runs::LoadedRun run = runs::LoadRun(options.run);
  const fs::path output = options.output.empty()
                              ? fs::path(options.run) / "report.html"
                              : fs::path(options.output);
  const report::NamedRun named{NameOfFolder(options.run), &run};
  if (options.against.empty()) {
    runs::WriteAtomically(output, report::MakeReport(named, {}));
  } else {
    const runs::LoadedRun other = runs::LoadRun(options.against);
    runs::WriteAtomically(
        output,
        report::MakeReport(named, {NameOfFolder(options.against), &other}));
  }
  if (options.json) {
    fmt::print("{}\n", nlohmann::json{{"page", output.string()},
                                      {"results", run.results.size()}}
                           .dump(2));
  } else {
    fmt::print("{}: {} results\n", output.string(), run.results.size());
  }
  return 0;
}

}  // namespace

void AddReportCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<ReportRequest>();
  CLI::App* command = app.add_subcommand(
      "report", "Write a run of `belay bench` as one web page");
  command->add_option("RUN", options->run, "The folder of the run")->required();
  command->add_option("--against", options->against,
                      "Another run to show the difference to");
  command->add_option("-o,--output", options->output,
                      "The page; RUN/report.html without it");
  command->add_flag("--json", options->json, "Say what was written as JSON");
  command->footer(
      "Example:\n  belay report runs/answers --against runs/before");
  command->callback([options, exit_code] { *exit_code = Run(*options); });
}

}  // namespace belay::cli
