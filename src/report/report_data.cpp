// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "clock/clock_spec.h"
#include "report/report.h"
#include "runs/compare.h"
#include "runs/summary.h"

namespace belay::report {

using nlohmann::json;
using runs::LoadedRun;
using runs::Result;

namespace {

// Lanes of a vector core for f32; each does one operation a cycle.
constexpr double kLanes = 64;

json KernelOf(const Result& result) {
  json files = json::array();
  for (const judge::CandidateFile& file : result.sample.candidate.files) {
    files.push_back({{"path", file.path}, {"text", file.text}});
  }
  return {{"sample", result.sample.name},
          {"manifest", result.sample.manifest},
          {"verdict", result.verdict},
          {"extras", result.extras},
          {"files", std::move(files)}};
}

// The roof of the chip that the run was timed on.
json ChipOf(const LoadedRun& run) {
  const std::string chip =
      run.results.empty() ? "ascend910b1" : run.results.front().verdict.chip;
  const clock::ClockSpec spec = clock::LoadClockSpec(chip);
  return {
      {"name", chip},
      {"hbm_bytes_per_us", spec.Value("bound.hbm_read") * 1e3},
      {"vector_flops_per_us", spec.vector_cores() * spec.clock_mhz() * kLanes}};
}

std::string FactsOf(const LoadedRun& run) {
  if (run.results.empty()) return "no results";
  const judge::Verdict& one = run.results.front().verdict;
  std::set<std::string> models;
  for (const Result& result : run.results) {
    const json& manifest = result.sample.manifest;
    if (manifest.contains("model")) {
      models.insert(manifest["model"].is_string()
                        ? manifest["model"].get<std::string>()
                        : manifest["model"].dump());
    }
  }
  return fmt::format(
      "{}protocol {}, back end {} ({}), Belay {}, cage: {}",
      models.empty() ? "" : fmt::format("{}; ", fmt::join(models, ", ")),
      one.protocol, one.backend, one.chip, one.belay, one.cage);
}

// [p, share of problems that pass and are more than p times as fast]: a point
// at 0 and at every speedup, where the share drops. Samples of a problem share
// its weight.
json FastCurveOf(const LoadedRun& run) {
  std::map<std::pair<std::string, std::string>, int64_t> samples;
  for (const Result& result : run.results) {
    if (result.verdict.outcome == judge::Outcome::kInfrastructure) continue;
    ++samples[{result.sample.task, result.sample.problem()}];
  }
  std::map<double, double> drops;
  double share = 0;
  for (const Result& result : run.results) {
    if (!result.verdict.passed() || result.verdict.speedup() <= 0) continue;
    const double weight =
        1.0 /
        static_cast<double>(
            samples[{result.sample.task, result.sample.problem()}]) /
        static_cast<double>(samples.size());
    share += weight;
    drops[result.verdict.speedup()] += weight;
  }
  json curve = json::array({json::array({0, share})});
  for (const auto& [speedup, weight] : drops) {
    share = std::max(0.0, share - weight);
    curve.push_back(json::array({speedup, share}));
  }
  return curve;
}

json AllOf(const json& summary) {
  for (const json& group : summary.at("groups")) {
    if (group.at("kind") == "all") return group;
  }
  return json::object();
}

double MicrosecondsOf(const judge::Verdict& verdict) {
  double sum = 0;
  for (const judge::CaseTime& time : verdict.times) sum += time.simulated;
  return sum;
}

// The first sample of each problem that both runs have, where outcome or time
// differ.
json ChangesBetween(const LoadedRun& before, const LoadedRun& after) {
  std::map<std::pair<std::string, std::string>, const Result*> first;
  for (const Result& result : before.results) {
    first.emplace(std::pair(result.sample.task, result.sample.problem()),
                  &result);
  }
  json changes = json::array();
  std::set<std::pair<std::string, std::string>> seen;
  for (const Result& result : after.results) {
    const auto problem = std::pair(result.sample.task, result.sample.problem());
    const auto found = first.find(problem);
    if (found == first.end() || !seen.insert(problem).second) continue;
    const judge::Verdict& was = found->second->verdict;
    const double was_us = MicrosecondsOf(was);
    const double is_us = MicrosecondsOf(result.verdict);
    if (was.outcome == result.verdict.outcome && was_us == is_us) continue;
    changes.push_back({{"task", problem.first},
                       {"problem", problem.second},
                       {"first", NameOf(was.outcome)},
                       {"second", NameOf(result.verdict.outcome)},
                       {"first_us", was_us},
                       {"second_us", is_us}});
  }
  return changes;
}

}  // namespace

json ReportData(const NamedRun& run, const NamedRun& other) {
  json kernels = json::array();
  for (const Result& result : run.run->results) {
    kernels.push_back(KernelOf(result));
  }
  json data = {{"name", run.name},
               {"facts", FactsOf(*run.run)},
               {"chip", ChipOf(*run.run)},
               {"kernels", std::move(kernels)},
               {"summary", runs::Summary(run.run->results)},
               {"fast_curve", FastCurveOf(*run.run)}};
  if (other.run != nullptr) {
    data["other"] = {
        {"name", other.name},
        {"text", runs::ComparisonText(
                     runs::CompareResults(other.run->results, run.run->results),
                     other.name, run.name)},
        {"all", AllOf(runs::Summary(other.run->results))},
        {"fast_curve", FastCurveOf(*other.run)},
        {"changes", ChangesBetween(*other.run, *run.run)}};
  }
  return data;
}

}  // namespace belay::report
