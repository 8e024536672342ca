// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "judge/scores.h"
#include "judge/verdict.h"

namespace belay::judge {

using nlohmann::json;

namespace {

template <typename Enum>
void Read(const json& from, const char* key, Enum& into,
          std::optional<Enum> (*parse)(std::string_view)) {
  const std::string name = from.at(key).get<std::string>();
  const std::optional<Enum> value = parse(name);
  if (!value) {
    throw UserError(
        fmt::format("[verdict] '{}' is no value of \"{}\"", name, key));
  }
  into = *value;
}

json ToJson(const CaseResult& one) {
  return {{"case", one.name},
          {"kind", NameOf(one.kind)},
          {"seed", NameOf(one.seed)},
          {"regime", NameOf(one.regime)},
          {"outcome", NameOf(one.outcome)},
          {"reason", one.reason},
          {"mean_error", one.mean_error},
          {"largest_error", one.largest_error}};
}

// Infinite and undefined errors are null in JSON.
double ReadNumber(const json& from, const char* key) {
  const json& value = from.at(key);
  return value.is_null() ? std::numeric_limits<double>::infinity()
                         : value.get<double>();
}

CaseResult ReadCaseResult(const json& from) {
  CaseResult one;
  from.at("case").get_to(one.name);
  Read(from, "kind", one.kind, ParseCaseKind);
  Read(from, "seed", one.seed, ParseSeedKind);
  Read(from, "regime", one.regime, ParseRegime);
  Read(from, "outcome", one.outcome, ParseOutcome);
  from.at("reason").get_to(one.reason);
  one.mean_error = ReadNumber(from, "mean_error");
  one.largest_error = ReadNumber(from, "largest_error");
  return one;
}

json ToJson(const CaseTime& time) {
  return {{"case", time.name},
          {"elements", time.elements},
          {"outcome", NameOf(time.outcome)},
          {"reason", time.reason},
          {"simulated_us", time.simulated},
          {"bound_us", time.bound},
          {"binding", time.binding},
          {"kernel_bound_us", time.kernel_bound},
          {"modelled_eager_us",
           {{"70", time.baseline_70},
            {"85", time.baseline_85},
            {"100", time.baseline_100}}},
          {"speedup", time.speedup()},
          {"hap", time.hap()},
          {"bytes", time.bytes},
          {"flops", time.flops},
          {"bytes_per_second", BytesPerSecond(time)},
          {"flops_per_second", FlopsPerSecond(time)},
          {"covered", time.covered},
          {"scalar_only", time.scalar_only},
          {"parts", time.parts}};
}

CaseTime ReadCaseTime(const json& from) {
  CaseTime time;
  from.at("case").get_to(time.name);
  from.at("elements").get_to(time.elements);
  Read(from, "outcome", time.outcome, ParseOutcome);
  from.at("reason").get_to(time.reason);
  from.at("simulated_us").get_to(time.simulated);
  from.at("bound_us").get_to(time.bound);
  from.at("binding").get_to(time.binding);
  from.at("kernel_bound_us").get_to(time.kernel_bound);
  const json& eager = from.at("modelled_eager_us");
  eager.at("70").get_to(time.baseline_70);
  eager.at("85").get_to(time.baseline_85);
  eager.at("100").get_to(time.baseline_100);
  from.at("bytes").get_to(time.bytes);
  from.at("flops").get_to(time.flops);
  from.at("covered").get_to(time.covered);
  from.at("scalar_only").get_to(time.scalar_only);
  from.at("parts").get_to(time.parts);
  return time;
}

json ToJson(const Finding& finding) {
  return {{"diagnostic", finding.diagnostic},
          {"first_case", finding.first_case},
          {"cases", finding.cases}};
}

json ToJson(const Flag& flag) {
  return {{"name", flag.name}, {"rule", flag.rule}, {"text", flag.text}};
}

json ToJson(const TimelineSlice& slice) {
  return {{"pipe", slice.pipe}, {"what", slice.what}, {"begin", slice.begin},
          {"end", slice.end},   {"file", slice.file}, {"line", slice.line}};
}

template <typename T>
json ListOf(const std::vector<T>& values) {
  json list = json::array();
  for (const T& value : values) list.push_back(ToJson(value));
  return list;
}

void ReadVerdict(const json& from, Verdict& verdict) {
  if (const int schema = from.at("schema").get<int>();
      schema != kSchemaVersion) {
    throw UserError(fmt::format(
        "[verdict] schema {} is not the one this program knows ({})", schema,
        kSchemaVersion));
  }
  from.at("task").get_to(verdict.task);
  from.at("task_hash").get_to(verdict.task_hash);
  from.at("level").get_to(verdict.level);
  from.at("category").get_to(verdict.category);
  from.at("problem").get_to(verdict.problem);
  const json& candidate = from.at("candidate");
  candidate.at("name").get_to(verdict.candidate_name);
  candidate.at("kind").get_to(verdict.candidate_kind);
  candidate.at("hash").get_to(verdict.candidate_hash);
  from.at("backend").get_to(verdict.backend);
  from.at("chip").get_to(verdict.chip);
  from.at("protocol").get_to(verdict.protocol);
  from.at("cage").get_to(verdict.cage);
  from.at("belay").get_to(verdict.belay);
  from.at("public_seed").get_to(verdict.public_seed);
  Read(from, "outcome", verdict.outcome, ParseOutcome);
  Read(from, "reached", verdict.reached, ParseStage);
  from.at("reason").get_to(verdict.reason);
  from.at("error_class").get_to(verdict.error_class);
  const json& calls = from.at("calls");
  calls.at("to_pass").get_to(verdict.calls);
  calls.at("run").get_to(verdict.calls_run);
  calls.at("passed").get_to(verdict.calls_passed);
  for (const json& one : from.at("failures")) {
    verdict.failures.push_back(ReadCaseResult(one));
  }
  for (const json& one : from.at("findings")) {
    verdict.findings.push_back({one.at("diagnostic").get<Diagnostic>(),
                                one.at("first_case").get<std::string>(),
                                one.at("cases").get<int64_t>()});
  }
  for (const json& one : from.at("flags")) {
    verdict.flags.push_back({one.at("name").get<std::string>(),
                             one.at("rule").get<int>(),
                             one.at("text").get<std::string>()});
  }
  for (const json& one : from.at("times")) {
    verdict.times.push_back(ReadCaseTime(one));
  }
}

}  // namespace

void to_json(json& into, const Verdict& verdict) {
  into = {{"schema", kSchemaVersion},
          {"task", verdict.task},
          {"task_hash", verdict.task_hash},
          {"level", verdict.level},
          {"category", verdict.category},
          {"problem", verdict.problem},
          {"candidate",
           {{"name", verdict.candidate_name},
            {"kind", verdict.candidate_kind},
            {"hash", verdict.candidate_hash}}},
          {"backend", verdict.backend},
          {"chip", verdict.chip},
          {"protocol", verdict.protocol},
          {"cage", verdict.cage},
          {"belay", verdict.belay},
          {"public_seed", verdict.public_seed},
          {"outcome", NameOf(verdict.outcome)},
          {"reached", NameOf(verdict.reached)},
          {"reason", verdict.reason},
          {"error_class", verdict.error_class},
          {"calls",
           {{"to_pass", verdict.calls},
            {"run", verdict.calls_run},
            {"passed", verdict.calls_passed},
            {"share", verdict.share_passed()}}},
          {"failures", ListOf(verdict.failures)},
          {"findings", ListOf(verdict.findings)},
          {"flags", ListOf(verdict.flags)},
          {"times", ListOf(verdict.times)},
          {"speedup", verdict.speedup()},
          {"hap", verdict.hap()}};
}

void from_json(const json& from, Verdict& verdict) {
  verdict = {};
  try {
    ReadVerdict(from, verdict);
  } catch (const json::exception& error) {
    throw UserError(fmt::format("[verdict] {}", error.what()));
  }
}

void to_json(json& into, const Extras& extras) {
  into = {{"wall_seconds",
           {{"compile", extras.compile},
            {"precision", extras.precision},
            {"performance", extras.performance}}},
          {"timeline",
           {{"case", extras.timeline.name},
            {"cut", extras.timeline.cut},
            {"slices", ListOf(extras.timeline.slices)}}}};
}

void from_json(const json& from, Extras& extras) {
  extras = {};
  try {
    const json& wall = from.at("wall_seconds");
    wall.at("compile").get_to(extras.compile);
    wall.at("precision").get_to(extras.precision);
    wall.at("performance").get_to(extras.performance);
    const json& timeline = from.at("timeline");
    timeline.at("case").get_to(extras.timeline.name);
    timeline.at("cut").get_to(extras.timeline.cut);
    for (const json& one : timeline.at("slices")) {
      extras.timeline.slices.push_back(
          {one.at("pipe").get<std::string>(), one.at("what").get<std::string>(),
           one.at("begin").get<double>(), one.at("end").get<double>(),
           one.at("file").get<std::string>(), one.at("line").get<int>()});
    }
  } catch (const json::exception& error) {
    throw UserError(fmt::format("[verdict] {}", error.what()));
  }
}

}  // namespace belay::judge
