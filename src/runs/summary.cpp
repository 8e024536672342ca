// SPDX-License-Identifier: Apache-2.0
#include "runs/summary.h"

#include <fmt/format.h>

#include <algorithm>

namespace belay::runs {
namespace {

using nlohmann::json;

std::string_view KindName(GroupKind kind) {
  switch (kind) {
    case GroupKind::kAll:
      return "all";
    case GroupKind::kLevel:
      return "level";
    case GroupKind::kCategory:
      return "category";
  }
  return "";
}

json RatesOf(const std::vector<RateAtK>& rates) {
  json object = json::object();
  for (const RateAtK& one : rates) {
    json& entry = object[std::to_string(one.k)] = ToJson(one.rate);
    entry["problems"] = one.problems;
  }
  return object;
}

json GroupJson(const GroupMetrics& group) {
  json fast = json::object();
  for (size_t p = 0; p < group.fast.size(); ++p) {
    fast[fmt::format("{}", kFastShares[p])] = ToJson(group.fast[p]);
  }
  json object = {{"kind", KindName(group.kind)},
                 {"name", group.name},
                 {"tasks", group.tasks},
                 {"problems", group.problems},
                 {"samples", group.samples},
                 {"infrastructure", group.infrastructure},
                 {"passed", group.passed},
                 {"lucky", group.lucky},
                 {"timed", group.timed},
                 {"compile_at", RatesOf(group.compile_at)},
                 {"pass_at", RatesOf(group.pass_at)},
                 {"fast", fast},
                 {"hap", ToJson(group.hap)},
                 {"share_of_bound", nullptr}};
  if (group.share_of_bound) object["share_of_bound"] = *group.share_of_bound;
  return object;
}

std::string Percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string RowOf(const GroupMetrics& group) {
  const Interval& pass = group.pass_at.front().rate;
  // fast_1 is the fourth of kFastShares.
  static_assert(kFastShares[3] == 1);
  return fmt::format(
      "{:<28} {:>5} {:>7} {:>9} {:>8}  [{:>5.1f}, {:>5.1f}] {:>5} {:>8} {:>9}"
      "\n",
      group.name, group.tasks, group.samples,
      Percent(group.compile_at.front().rate.value), Percent(pass.value),
      100 * pass.low, 100 * pass.high, group.lucky,
      group.timed > 0 ? Percent(group.fast[3].value) : "-",
      group.share_of_bound ? Percent(*group.share_of_bound) : "-");
}

}  // namespace

json ToJson(const Interval& interval) {
  return {{"value", interval.value},
          {"low", interval.low},
          {"high", interval.high}};
}

json Summary(const std::vector<Result>& results) {
  const RunMetrics metrics = MeasureRun(results);
  json groups = json::array();
  for (const GroupMetrics& group : metrics.groups) {
    groups.push_back(GroupJson(group));
  }
  json level_scores = json::object();
  for (const auto& [level, score] : metrics.level_scores.levels) {
    level_scores[std::to_string(level)] = score;
  }
  return {{"groups", groups},
          {"level_score", metrics.level_scores.weighted},
          {"level_scores", level_scores},
          {"outcomes", metrics.outcomes},
          {"error_classes", metrics.error_classes}};
}

std::string SummaryTable(const RunMetrics& metrics) {
  if (metrics.groups.empty()) return "no results\n";
  std::string text = fmt::format(
      "{:<28} {:>5} {:>7} {:>9} {:>8}  {:<14} {:>5} {:>8} {:>9}\n", "", "tasks",
      "samples", "compile@1", "pass@1", "95 %", "lucky", "fast_1", "of bound");
  GroupKind last = GroupKind::kAll;
  // The sum comes last, as in every table.
  for (size_t i = 1; i < metrics.groups.size(); ++i) {
    const GroupMetrics& group = metrics.groups[i];
    if (group.kind != last && last != GroupKind::kAll) text += "\n";
    last = group.kind;
    text += RowOf(group);
  }
  text += "\n" + RowOf(metrics.groups.front());

  const GroupMetrics& all = metrics.groups.front();
  if (all.pass_at.size() > 1) {
    text += "\n";
    for (size_t i = 0; i < all.pass_at.size(); ++i) {
      const RateAtK& pass = all.pass_at[i];
      text += fmt::format(
          "pass@{:<4} {:>8}  [{:>5.1f}, {:>5.1f}]   compile@{:<4} {:>8}   over "
          "{} problems\n",
          pass.k, Percent(pass.rate.value), 100 * pass.rate.low,
          100 * pass.rate.high, pass.k, Percent(all.compile_at[i].rate.value),
          pass.problems);
    }
  }
  text += fmt::format("\nlevel score {:.1f} of 100\n",
                      100 * metrics.level_scores.weighted);
  if (all.timed > 0) {
    text += fmt::format("HAP {:.3f} [{:.3f}, {:.3f}]; fast_p:", all.hap.value,
                        all.hap.low, all.hap.high);
    for (size_t p = 0; p < all.fast.size(); ++p) {
      text +=
          fmt::format("  {}: {}", kFastShares[p], Percent(all.fast[p].value));
    }
    text += "\n";
  }
  if (!metrics.error_classes.empty()) {
    std::vector<std::pair<int64_t, std::string>> classes;
    for (const auto& [name, count] : metrics.error_classes) {
      classes.emplace_back(-count, name);
    }
    std::ranges::sort(classes);
    text += "\nmistakes:";
    for (const auto& [count, name] : classes) {
      text += fmt::format("  {} {}", name, -count);
    }
    text += "\n";
  }
  if (all.infrastructure > 0) {
    text += fmt::format(
        "\n{} samples could not be judged (infrastructure): call again with "
        "--resume\n",
        all.infrastructure);
  }
  return text;
}

}  // namespace belay::runs
