// SPDX-License-Identifier: Apache-2.0
#include "calibration/error_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "clock/bound.h"
#include "clock/replay.h"

namespace belay::calibration {
namespace {

constexpr std::array<const char*, 5> kPipes = {"core", "vector", "scalar",
                                               "mte2", "mte3"};

// Columns of text, aligned; the first two to the left.
class Columns {
 public:
  explicit Columns(TableStyle style) : style_(style) {}

  void Head(const std::vector<std::string>& cells) {
    Add(cells);
    if (style_ != TableStyle::kMarkdown) return;
    std::vector<std::string> rule;
    for (size_t i = 0; i < cells.size(); ++i) {
      rule.push_back(i < 2 ? "---" : "---:");
    }
    Add(rule);
  }
  void Add(const std::vector<std::string>& cells) { lines_.push_back(cells); }

  std::string Print() const {
    std::vector<size_t> widths;
    for (const auto& line : lines_) {
      widths.resize(std::max(widths.size(), line.size()));
      for (size_t i = 0; i < line.size(); ++i) {
        widths[i] = std::max(widths[i], line[i].size());
      }
    }
    std::string text;
    for (const auto& line : lines_) {
      if (style_ == TableStyle::kMarkdown) {
        text += "|";
        for (const std::string& cell : line) text += " " + cell + " |";
      } else {
        std::string row;
        for (size_t i = 0; i < line.size(); ++i) {
          row += i < 2 ? fmt::format("{:<{}}  ", line[i], widths[i])
                       : fmt::format("{:>{}}  ", line[i], widths[i]);
        }
        while (row.ends_with(' ')) row.pop_back();
        text += row;
      }
      text += '\n';
    }
    return text;
  }

 private:
  TableStyle style_;
  std::vector<std::vector<std::string>> lines_;
};

std::string Microseconds(double value) {
  return value >= 10000 ? fmt::format("{:.0f}", value)
                        : fmt::format("{:.1f}", value);
}

std::string Percent(double error) {
  return fmt::format("{:+.1f} %", error * 100);
}

// The least and the largest of some times.
class Range {
 public:
  void Add(double value) {
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  std::string Print() const {
    return high_ - low_ < 0.05
               ? fmt::format("{:.2f} µs", low_)
               : fmt::format("{:.1f} to {:.1f} µs", low_, high_);
  }

 private:
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

std::string Median(const ErrorSummary& summary) {
  return fmt::format("median {:.1f} %, worst {:.1f} %", summary.median * 100,
                     summary.worst * 100);
}

}  // namespace

std::string ErrorTable(const std::vector<Row>& rows,
                       const std::vector<Prediction>& predictions,
                       TableStyle style) {
  Columns columns(style);
  columns.Head({"group", "row", "measured µs", "simulated µs", "error"});
  std::vector<double> all, group;
  for (size_t i = 0; i < rows.size(); ++i) {
    const Measurement& row = rows[i].measurement;
    const double error = ErrorOf(rows[i], predictions[i]);
    columns.Add({row.group, row.name, Microseconds(row.measured),
                 Microseconds(predictions[i].microseconds), Percent(error)});
    all.push_back(error);
    group.push_back(error);
    if (i + 1 == rows.size() || rows[i + 1].measurement.group != row.group) {
      columns.Add({row.group, Median(Summarise(group)), "", "", ""});
      group.clear();
    }
  }
  columns.Add({"all", Median(Summarise(all)), "", "", ""});
  return columns.Print();
}

std::string ChangeTable(const std::vector<Row>& rows,
                        const std::vector<Prediction>& predictions,
                        const std::vector<MeasuredChange>& changes,
                        TableStyle style) {
  Columns columns(style);
  columns.Head({"change of time", "group", "measured", "simulated"});
  for (const MeasuredChange& change : changes) {
    columns.Add({change.name, rows[change.from].measurement.group,
                 Percent(rows[change.to].measurement.measured /
                             rows[change.from].measurement.measured -
                         1),
                 Percent(predictions[change.to].microseconds /
                             predictions[change.from].microseconds -
                         1)});
  }
  for (const bool many : {false, true}) {
    Range measured, simulated;
    for (size_t i = 0; i < rows.size(); ++i) {
      const Measurement& row = rows[i].measurement;
      const auto core = row.other.find("core");
      if (core == row.other.end() || (rows[i].log.blocks > 1) != many) continue;
      measured.Add(row.measured - core->second);
      simulated.Add(predictions[i].microseconds -
                    predictions[i].other.at("core"));
    }
    columns.Add({"task less mean core time", many ? "many cores" : "one core",
                 measured.Print(), simulated.Print()});
  }
  return columns.Print();
}

std::string PipeTable(const std::vector<Row>& rows,
                      const std::vector<Prediction>& predictions) {
  Columns columns(TableStyle::kText);
  std::vector<std::string> head = {"group", "row"};
  head.insert(head.end(), kPipes.begin(), kPipes.end());
  columns.Head(head);
  for (size_t i = 0; i < rows.size(); ++i) {
    const Measurement& row = rows[i].measurement;
    std::vector<std::string> cells = {row.group, row.name};
    for (const char* pipe : kPipes) {
      const auto measured = row.other.find(pipe);
      cells.push_back(Microseconds(predictions[i].other.at(pipe)) +
                      (measured == row.other.end()
                           ? ""
                           : " (" + Microseconds(measured->second) + ")"));
    }
    columns.Add(cells);
  }
  return columns.Print();
}

std::string AssumedTable(const std::vector<Row>& rows,
                         const std::vector<double>& shares, TableStyle style) {
  Columns columns(style);
  columns.Head({"group", "rows", "median share", "largest share"});
  std::vector<double> group;
  const auto add = [&](const std::string& name,
                       const std::vector<double>& values) {
    const ErrorSummary summary = Summarise(values);
    columns.Add({name, fmt::format("{}", values.size()),
                 fmt::format("{:.1f} %", summary.median * 100),
                 fmt::format("{:.1f} %", summary.worst * 100)});
  };
  for (size_t i = 0; i < rows.size(); ++i) {
    group.push_back(shares[i]);
    if (i + 1 < rows.size() &&
        rows[i + 1].measurement.group == rows[i].measurement.group) {
      continue;
    }
    add(rows[i].measurement.group, group);
    group.clear();
  }
  add("all", shares);
  return columns.Print();
}

std::string LeftOutTable(const std::vector<LeftOut>& groups, TableStyle style) {
  Columns columns(style);
  columns.Head({"left out", "rows", "median error", "worst error"});
  const auto add = [&](const std::string& name, size_t rows,
                       const ErrorSummary& summary) {
    columns.Add({name, fmt::format("{}", rows),
                 fmt::format("{:.1f} %", summary.median * 100),
                 fmt::format("{:.1f} %", summary.worst * 100)});
  };
  size_t rows = 0;
  for (const LeftOut& group : groups) {
    add(group.group, group.errors.size(), Summarise(group.errors));
    rows += group.errors.size();
  }
  add("all, each left out", rows, Summarise(groups));
  return columns.Print();
}

nlohmann::json ErrorJson(const std::vector<Row>& rows,
                         const std::vector<Prediction>& predictions,
                         const clock::ClockSpec& spec) {
  nlohmann::json list = nlohmann::json::array();
  std::vector<double> errors;
  for (size_t i = 0; i < rows.size(); ++i) {
    const Measurement& row = rows[i].measurement;
    errors.push_back(ErrorOf(rows[i], predictions[i]));
    list.push_back({{"group", row.group},
                    {"row", row.name},
                    {"measured_us", row.measured},
                    {"simulated_us", predictions[i].microseconds},
                    {"error", errors.back()},
                    {"measured_pipes_us", row.other},
                    {"simulated_pipes_us", predictions[i].other}});
    // Between two readings there is no launch and no traffic to bound.
    if (row.between_readings) continue;
    list.back()["bound_us"] =
        clock::HardwareBound(rows[i].log, spec, clock::L2State::kCold).total;
  }
  const ErrorSummary summary = Summarise(errors);
  return {{"rows", list},
          {"median_error", summary.median},
          {"worst_error", summary.worst},
          {"table", ErrorTable(rows, predictions, TableStyle::kText)}};
}

nlohmann::json LeftOutJson(const std::vector<LeftOut>& groups,
                           const std::vector<FreeConstant>& constants) {
  nlohmann::json list = nlohmann::json::array();
  for (const LeftOut& group : groups) {
    nlohmann::json values;
    for (size_t i = 0; i < constants.size(); ++i) {
      values[constants[i].key] = group.fit.values[i];
    }
    const ErrorSummary summary = Summarise(group.errors);
    list.push_back({{"group", group.group},
                    {"errors", group.errors},
                    {"median_error", summary.median},
                    {"worst_error", summary.worst},
                    {"constants", values},
                    {"steps", group.fit.steps}});
  }
  const ErrorSummary all = Summarise(groups);
  return {{"groups", list},
          {"median_error", all.median},
          {"worst_error", all.worst}};
}

}  // namespace belay::calibration
