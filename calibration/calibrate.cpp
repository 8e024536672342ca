// SPDX-License-Identifier: Apache-2.0
// The `calibrate` program: simulated against measured times, and the fit of
// the clock's free constants.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/resources.h"
#include "calibration/error_table.h"
#include "calibration/fit.h"
#include "calibration/leave_one_out.h"
#include "calibration/measurements.h"
#include "calibration/predict.h"
#include "calibration/record_rows.h"
#include "calibration/write_constants.h"
#include "clock/log_file.h"
#include "clock/model_error.h"

namespace belay::calibration {
namespace {

constexpr const char* kChip = "ascend910b1";
constexpr const char* kFooter = R"(Examples:
  calibrate                   simulated against measured, row by row
  calibrate --fit             finds the free constants, writes data/chips
  calibrate --leave-one-out   the error on groups not used for the fit
  calibrate --set memory.hbm_rate=1500   what another value would do)";

struct Options {
  std::string folder = BELAY_SOURCE_DIR "/calibration";
  std::string document = BELAY_SOURCE_DIR "/docs/clock.md";
  std::string logs;
  std::string save_logs;
  std::vector<std::string> set;
  bool fit = false;
  bool leave_one_out = false;
  bool keep = false;
  bool update = false;
  bool json = false;
  bool markdown = false;
  bool pipes = false;
  bool assumed = false;
  int threads = 2;
};

// Progress, on standard error.
void Say(const std::string& text) {
  std::fprintf(stderr, "calibrate: %s\n", text.c_str());
}

std::vector<Row> LoadRows(const Options& options,
                          const Measurements& measurements) {
  const std::filesystem::path folder = options.folder;
  std::vector<Row> rows;
  if (options.logs.empty()) {
    rows = RecordRows(measurements, folder / "kernels", Say);
  } else {
    auto logs = clock::LogFile::Read(options.logs);
    if (logs.size() != measurements.rows.size()) {
      throw UserError(fmt::format("[calibrate] '{}' has {} logs for {} rows",
                                  options.logs, logs.size(),
                                  measurements.rows.size()));
    }
    for (size_t i = 0; i < logs.size(); ++i) {
      rows.push_back({measurements.rows[i], std::move(logs[i])});
    }
  }
  if (!options.save_logs.empty()) {
    std::vector<clock::LaunchLog> logs;
    for (const Row& row : rows) logs.push_back(row.log);
    clock::LogFile::Write(options.save_logs, logs);
  }
  return rows;
}

void SetConstants(const std::vector<std::string>& settings,
                  clock::ClockSpec& spec) {
  for (const std::string& setting : settings) {
    const size_t equals = setting.find('=');
    char* end = nullptr;
    const double value = equals == std::string::npos
                             ? 0
                             : std::strtod(setting.c_str() + equals + 1, &end);
    if (end == nullptr || *end != '\0') {
      throw UserError(
          fmt::format("[calibrate] --set takes KEY=NUMBER, not '{}'", setting));
    }
    const std::string key = setting.substr(0, equals);
    spec.at(key);
    spec.Set(key, value);
  }
}

FitOptions Progress(const Options& options) {
  return {options.threads, [](const Fit& fit) {
            std::string values;
            for (const double value : fit.values) {
              values += fmt::format(" {:g}", value);
            }
            Say(fmt::format("step {}, loss {:.4f}:{}", fit.steps, fit.loss,
                            values));
          }};
}

void WriteModelError(const ErrorSummary& own, double left_out_median,
                     size_t rows) {
  const auto path = Resource("data/chips") / "costs" / "model_error.toml";
  std::ofstream out(path);
  out << fmt::format(
      "# Written by `calibrate`: how far the clock is off on the measurements "
      "of\n# calibration/measurements.toml, and on groups of them it was not "
      "fitted to.\nchip = \"{}\"\nrows = {}\nmedian_percent = {:.1f}\n"
      "worst_percent = {:.1f}\nleave_one_out_median_percent = {:.1f}\n",
      kChip, rows, own.median * 100, own.worst * 100, left_out_median);
  if (!out.flush()) {
    throw UserError(
        fmt::format("[calibrate] cannot write '{}'", path.string()));
  }
}

// Those that stand in the document.
std::vector<std::string> Tables(const std::vector<Row>& rows,
                                const std::vector<Prediction>& predictions,
                                const std::vector<MeasuredChange>& changes,
                                TableStyle style) {
  return {ErrorTable(rows, predictions, style),
          ChangeTable(rows, predictions, changes, style)};
}

// Replaces the table in the document that has the same head.
void WriteTable(const std::string& path, const std::string& table) {
  std::ifstream in(path);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::string head = table.substr(0, table.find('\n'));
  const size_t begin = text.find(head);
  if (begin == std::string::npos) {
    throw UserError(fmt::format("[calibrate] '{}' has no table that begins {}",
                                path, head));
  }
  const size_t end = text.find("\n\n", begin);
  text.replace(begin, end == std::string::npos ? end : end + 1 - begin, table);
  std::ofstream out(path);
  out << text;
  if (!out.flush()) {
    throw UserError(fmt::format("[calibrate] cannot write '{}'", path));
  }
}

// Writes the fitted values where the chip's other constants stand.
void WriteFit(const Fit& fit, const std::vector<FreeConstant>& constants,
              size_t rows) {
  const auto chips = Resource("data/chips");
  for (size_t i = 0; i < constants.size(); ++i) {
    WriteConstant(chips / (std::string(kChip) + ".toml"),
                  chips / "costs" / "arch2201.toml", constants[i].key,
                  fit.values[i],
                  fmt::format("fitted: on {} published measurements", rows));
  }
}

int Run(const Options& options) {
  clock::ClockSpec spec = clock::LoadClockSpec(kChip);
  SetConstants(options.set, spec);
  const Measurements measurements = LoadMeasurements(
      std::filesystem::path(options.folder) / "measurements.toml");
  const std::vector<Row> rows = LoadRows(options, measurements);
  const auto constants = LoadFreeConstants(
      std::filesystem::path(options.folder) / "free_constants.toml");

  nlohmann::json json;
  if (options.fit) {
    Say(fmt::format("fitting {} constants on {} rows", constants.size(),
                    rows.size()));
    const Fit fit = FitConstants(rows, constants, spec, Progress(options));
    spec = With(spec, constants, fit.values);
    if (!options.keep) WriteFit(fit, constants, rows.size());
    for (size_t i = 0; i < constants.size(); ++i) {
      json["fitted"][constants[i].key] = fit.values[i];
    }
  }

  const auto predictions = PredictAll(rows, spec, options.threads, nullptr);
  json.update(ErrorJson(rows, predictions, spec));
  for (const FreeConstant& constant : constants) {
    json["free_constants"][constant.key] = spec.Value(constant.key);
  }
  const TableStyle style =
      options.markdown ? TableStyle::kMarkdown : TableStyle::kText;
  const auto tables =
      Tables(rows, predictions, measurements.changes, TableStyle::kMarkdown);
  json["markdown"] = tables;
  if (!options.json) {
    for (const std::string& table :
         Tables(rows, predictions, measurements.changes, style)) {
      fmt::print("{}\n", table);
    }
    if (options.pipes) fmt::print("\n{}", PipeTable(rows, predictions));
  }

  if (options.assumed) {
    const auto shares = AssumedShares(rows, predictions, spec, options.threads);
    json["assumed_shares"] = shares;
    if (!options.json) {
      fmt::print("\n{}", AssumedTable(rows, shares, style));
    }
  }

  std::vector<double> errors;
  for (size_t i = 0; i < rows.size(); ++i) {
    errors.push_back(ErrorOf(rows[i], predictions[i]));
  }
  const auto known = clock::LoadModelError();
  double left_out_median = known ? known->leave_one_out_median_percent : 100;
  if (options.leave_one_out) {
    const auto left_out = LeaveOneOut(
        rows, constants, spec, Progress(options),
        [](const std::string& group) { Say("leaving out " + group); });
    json["leave_one_out"] = LeftOutJson(left_out, constants);
    left_out_median = Summarise(left_out).median * 100;
    if (!options.json) {
      fmt::print("\n{}", LeftOutTable(left_out, style));
    }
  }
  const bool changed = options.fit || options.leave_one_out || options.update;
  if (changed && !options.keep) {
    WriteModelError(Summarise(errors), left_out_median, rows.size());
    for (const std::string& table : tables) WriteTable(options.document, table);
  }
  if (options.json) fmt::print("{}\n", json.dump(2));
  return 0;
}

int Main(int argc, char** argv) {
  Options options;
  CLI::App app{
      "Compares simulated with published times of kernels on the Ascend 910B, "
      "and fits the clock's free constants to them."};
  app.name("calibrate");
  app.footer(kFooter);
  app.add_flag("--fit", options.fit,
               "fit the constants of free_constants.toml and write them");
  app.add_flag("--leave-one-out", options.leave_one_out,
               "fit without each group in turn, and predict it");
  app.add_flag(
      "--update", options.update,
      "write the error into model_error.toml and docs/clock.md, as the "
      "two above do");
  app.add_flag("--keep", options.keep, "leave all files as they are");
  app.add_option("--set", options.set, "KEY=VALUE of a constant of the clock");
  app.add_flag("--json", options.json, "everything as JSON");
  app.add_flag("--markdown", options.markdown, "tables as in docs/clock.md");
  app.add_flag("--pipes", options.pipes, "busy times of the pipes as well");
  app.add_flag("--assumed", options.assumed,
               "how much of the times rests on assumed constants");
  app.add_option("--threads", options.threads, "rows replayed side by side")
      ->check(CLI::Range(1, 64));
  app.add_option("--logs", options.logs,
                 "take logs saved before instead of recording");
  app.add_option("--save-logs", options.save_logs, "file to save the logs in");
  app.add_option("--folder", options.folder,
                 "with measurements.toml, free_constants.toml and kernels/");
  try {
    app.parse(argc, argv);
    return Run(options);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const UserError& error) {
    std::fprintf(stderr, "calibrate: error: %s\n", error.what());
    return 2;
  }
}

}  // namespace
}  // namespace belay::calibration

int main(int argc, char** argv) { return belay::calibration::Main(argc, argv); }
