// SPDX-License-Identifier: Apache-2.0
#include "judge/verdict.h"

#include <algorithm>
#include <cmath>

namespace belay::judge {

double CaseTime::hap() const {
  const double ahead = baseline_85 - bound;
  const double behind = std::max(0.0, simulated - bound);
  return simulated > 0 && ahead > 0 ? ahead / (behind + ahead) : 0;
}

namespace {

bool AllTimed(const Verdict& verdict) {
  return !verdict.times.empty() &&
         std::ranges::all_of(verdict.times, [](const CaseTime& time) {
           return time.outcome == Outcome::kPassed && time.simulated > 0;
         });
}

}  // namespace

double Verdict::speedup() const {
  if (!AllTimed(*this)) return 0;
  double sum = 0;
  for (const CaseTime& time : times) {
    if (time.speedup() <= 0) return 0;
    sum += std::log(time.speedup());
  }
  return std::exp(sum / static_cast<double>(times.size()));
}

double Verdict::hap() const {
  if (!AllTimed(*this)) return 0;
  double sum = 0;
  for (const CaseTime& time : times) sum += time.hap();
  return sum / static_cast<double>(times.size());
}

std::string_view NameOf(Stage stage) {
  switch (stage) {
    case Stage::kCompile:
      return "compile";
    case Stage::kPrecision:
      return "precision";
    case Stage::kPerformance:
      return "performance";
  }
  return "";
}

std::string_view NameOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPassed:
      return "passed";
    case Outcome::kLucky:
      return "lucky";
    case Outcome::kWrong:
      return "wrong";
    case Outcome::kFailed:
      return "failed";
    case Outcome::kNotCompiled:
      return "not-compiled";
    case Outcome::kForbidden:
      return "forbidden";
    case Outcome::kInfrastructure:
      return "infrastructure";
  }
  return "";
}

std::string_view NameOf(SeedKind seed) {
  return seed == SeedKind::kPublic ? "public" : "secret";
}

namespace {

// The enumerator of this name among those up to `last`.
template <typename Enum>
std::optional<Enum> Parse(std::string_view name, Enum last) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (NameOf(static_cast<Enum>(i)) == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Outcome> ParseOutcome(std::string_view name) {
  return Parse(name, Outcome::kInfrastructure);
}
std::optional<Stage> ParseStage(std::string_view name) {
  return Parse(name, Stage::kPerformance);
}
std::optional<SeedKind> ParseSeedKind(std::string_view name) {
  return Parse(name, SeedKind::kSecret);
}
std::optional<bench::CaseKind> ParseCaseKind(std::string_view name) {
  return Parse(name, bench::CaseKind::kReal);
}
std::optional<bench::Regime> ParseRegime(std::string_view name) {
  return Parse(name, bench::Regime::kTies);
}

int ExitCodeOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPassed:
      return 0;
    case Outcome::kWrong:
      return 10;
    case Outcome::kLucky:
      return 11;
    case Outcome::kFailed:
      return 12;
    case Outcome::kNotCompiled:
      return 13;
    case Outcome::kForbidden:
      return 14;
    case Outcome::kInfrastructure:
      return 75;
  }
  return 70;
}

}  // namespace belay::judge
