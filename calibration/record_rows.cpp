// SPDX-License-Identifier: Apache-2.0
#include "calibration/record_rows.h"

#include <fmt/format.h>

#include <map>

#include "base/error.h"
#include "calibration/workloads.h"
#include "guest/program.h"

namespace belay::calibration {
namespace {

// All rows of one program in one run.
std::vector<clock::LaunchLog> RunOnce(const std::filesystem::path& source,
                                      std::vector<std::string> arguments) {
  const size_t wanted = arguments.size();
  guest::ProgramOptions options;
  options.sources = {source.string()};
  options.arguments = std::move(arguments);
  options.record.emplace();
  options.output_to_stderr = true;
  guest::ProgramResult result = guest::RunProgram(options);
  if (result.exit_code == 0 && result.recorded.launches.size() == wanted) {
    return std::move(result.recorded.launches);
  }
  std::string why = "no diagnostics";
  if (!result.diagnostics.empty()) why = result.diagnostics.front().message;
  throw UserError(fmt::format(
      "[calibrate] {} was to launch {} kernels, {} were recorded, exit code "
      "{}: {}",
      source.string(), wanted, result.recorded.launches.size(),
      result.exit_code, why));
}

}  // namespace

std::vector<Row> RecordRows(
    const Measurements& measurements, const std::filesystem::path& kernels,
    const std::function<void(const std::string&)>& progress) {
  std::map<std::string, std::vector<size_t>> by_program;
  std::vector<Row> rows;
  for (const Measurement& measurement : measurements.rows) {
    if (!measurement.is_built()) {
      by_program[measurement.program].push_back(rows.size());
    }
    rows.push_back({measurement, {}});
  }
  for (const auto& [program, indices] : by_program) {
    if (progress) progress("recording " + program);
    std::vector<std::string> arguments;
    for (const size_t i : indices) {
      arguments.push_back(rows[i].measurement.argument);
    }
    auto launches = RunOnce(kernels / program, std::move(arguments));
    for (size_t i = 0; i < indices.size(); ++i) {
      rows[indices[i]].log = std::move(launches[i]);
    }
  }
  for (Row& row : rows) {
    if (!row.measurement.is_built()) continue;
    if (row.measurement.program != "gm_to_l1") {
      throw UserError(
          fmt::format("[calibrate] no workload '{}'", row.measurement.program));
    }
    row.log = GmToL1(row.measurement.argument);
  }
  return rows;
}

}  // namespace belay::calibration
