// SPDX-License-Identifier: Apache-2.0
#include "runs/results.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace belay::runs {
namespace {

using nlohmann::json;

std::string LineOf(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

// As RFC 4180 has it.
std::string Cell(std::string text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + "\"";
}

std::string ManifestCell(const Sample& sample, const char* key) {
  const auto found = sample.manifest.find(key);
  if (found == sample.manifest.end()) return "";
  return Cell(found->is_string() ? found->get<std::string>() : found->dump());
}

// Empty where nothing was measured.
std::string NumberCell(double value) {
  return value > 0 ? fmt::format("{:.6g}", value) : "";
}

double SimulatedTotal(const judge::Verdict& verdict) {
  if (ShareOfBound(verdict) == 0) return 0;
  double sum = 0;
  for (const judge::CaseTime& time : verdict.times) sum += time.simulated;
  return sum;
}

}  // namespace

double ShareOfBound(const judge::Verdict& verdict) {
  if (verdict.times.empty()) return 0;
  double sum = 0;
  for (const judge::CaseTime& time : verdict.times) {
    if (time.outcome != judge::Outcome::kPassed || time.simulated <= 0 ||
        time.bound <= 0) {
      return 0;
    }
    sum += std::log(time.bound / time.simulated);
  }
  return std::exp(sum / static_cast<double>(verdict.times.size()));
}

std::string ResultLines(const std::vector<Result>& results) {
  std::string text;
  for (const Result& result : results) {
    json line = result.verdict;
    line["sample"] = result.sample.name;
    line["manifest"] = result.sample.manifest;
    text += LineOf(line);
  }
  return text;
}

std::string ExtraLines(const std::vector<Result>& results) {
  std::string text;
  for (const Result& result : results) {
    json line = result.extras;
    line["task"] = result.sample.task;
    line["problem"] = result.sample.problem();
    line["sample"] = result.sample.name;
    line["attempts"] = result.attempts;
    text += LineOf(line);
  }
  return text;
}

std::string ResultTable(const std::vector<Result>& results) {
  std::string text =
      "task,level,category,problem,sample,kind,candidate,outcome,reached,"
      "error_class,calls,calls_passed,simulated_us,speedup,hap,share_of_bound,"
      "flags,model,temperature,prompt_hash,backend,chip,protocol,belay,"
      "public_seed,reason\n";
  for (const Result& result : results) {
    const judge::Verdict& verdict = result.verdict;
    std::string flags;
    for (const judge::Flag& flag : verdict.flags) {
      flags += (flags.empty() ? "" : " ") + flag.name;
    }
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},"
        "{},{},{}\n",
        Cell(verdict.task), verdict.level, Cell(verdict.category),
        Cell(verdict.problem), Cell(result.sample.name), verdict.candidate_kind,
        verdict.candidate_hash, NameOf(verdict.outcome),
        NameOf(verdict.reached), verdict.error_class, verdict.calls,
        verdict.calls_passed, NumberCell(SimulatedTotal(verdict)),
        NumberCell(verdict.speedup()), NumberCell(verdict.hap()),
        NumberCell(ShareOfBound(verdict)), Cell(flags),
        ManifestCell(result.sample, "model"),
        ManifestCell(result.sample, "temperature"),
        ManifestCell(result.sample, "prompt_hash"), verdict.backend,
        verdict.chip, verdict.protocol, verdict.belay, verdict.public_seed,
        Cell(verdict.reason));
  }
  return text;
}

judge::Verdict TroubleVerdict(const Sample& sample, const bench::Task& task,
                              const judge::Verdict& alike,
                              const std::string& trouble) {
  judge::Verdict verdict = alike;
  verdict.task = task.id;
  verdict.task_hash = task.hash;
  verdict.level = task.level;
  verdict.category = task.category;
  verdict.problem = sample.problem();
  verdict.candidate_name = sample.candidate.name;
  verdict.candidate_kind = NameOf(sample.candidate.kind);
  verdict.candidate_hash = sample.candidate.hash;
  verdict.outcome = judge::Outcome::kInfrastructure;
  verdict.reason = trouble;
  verdict.error_class = "infrastructure";
  return verdict;
}

}  // namespace belay::runs
