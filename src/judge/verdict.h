// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_VERDICT_H_
#define BELAY_JUDGE_VERDICT_H_

// What is said about one candidate. The JSON form is stable (docs/judge.md):
// keys are added, never changed. It has no wall times: the same candidate under
// the same seeds gives the same bytes.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "bench/task.h"

namespace belay::judge {

using belay::bench::NameOf;

inline constexpr int kSchemaVersion = 1;

enum class Stage { kCompile, kPrecision, kPerformance };

enum class Outcome {
  kPassed,          // right values everywhere, and nothing found
  kLucky,           // right values everywhere, but a checker found an error
  kWrong,           // ran to the end, some values are wrong
  kFailed,          // a fault: trap, crash, deadlock, out of time, refused call
  kNotCompiled,     //
  kForbidden,       // broke a rule: see `flags` for its number
  kInfrastructure,  // not the candidate's fault; to be tried again
};

// Which seed drew a case's inputs.
enum class SeedKind { kPublic, kSecret };

// One case under one seed, or one that was timed.
struct CaseResult {
  std::string name;  // "edge-3"
  bench::CaseKind kind = bench::CaseKind::kEdge;
  SeedKind seed = SeedKind::kPublic;
  bench::Regime regime = bench::Regime::kNormal;
  Outcome outcome = Outcome::kPassed;
  std::string reason;  // "" when passed
  double mean_error = 0;
  double largest_error = 0;
};

// A diagnostic, once for each code and place.
struct Finding {
  Diagnostic diagnostic;
  std::string first_case;
  int64_t cases = 1;  // in how many calls it was met
};

// Simulated time of one real case. Times in microseconds.
struct CaseTime {
  std::string name;
  int64_t elements = 0;
  Outcome outcome = Outcome::kPassed;
  std::string reason;
  double simulated = 0;
  double bound = 0;         // of the task on this chip, whatever the kernel
  std::string binding;      // which unit bounds it: "HBM reads"
  double kernel_bound = 0;  // of the work this kernel does
  double baseline_70 = 0;   // modelled eager PyTorch at 70 % of its bounds
  double baseline_85 = 0;
  double baseline_100 = 0;
  uint64_t bytes = 0;  // that the task has to move
  uint64_t flops = 0;  // that the kernel did
  // Value check of parts of a case too large to be run in full.
  bool covered = true;             // every output byte was written, once
  bool scalar_only = false;        // no vector, cube or move instruction
  std::vector<std::string> parts;  // blocks whose values were checked

  double speedup() const { return simulated > 0 ? baseline_85 / simulated : 0; }
  // (Tb - Th) / ((Tc - Th) + (Tb - Th)): 0.5 at the baseline, 1 at the bound.
  double hap() const;
};

// Something a reader should know, with the number of its rule (docs/rules.md).
struct Flag {
  std::string name;  // "scalar-only"
  int rule = 0;
  std::string text;
};

struct Verdict {
  // What was judged.
  std::string task;  // id
  std::string task_hash;
  int level = 0;
  std::string category;
  std::string problem;  // "dynamic", or the case of a static problem
  std::string candidate_name;
  std::string candidate_kind;
  std::string candidate_hash;
  // How.
  std::string backend = "sim";
  std::string chip;
  std::string protocol;  // "belay", …
  std::string cage;      // what of it the machine could do
  std::string belay;     // version
  uint64_t public_seed = 0;

  Outcome outcome = Outcome::kPassed;
  Stage reached = Stage::kCompile;  // the last stage that was begun
  std::string reason;               // one sentence; "" when passed
  std::string error_class;          // docs/judge.md; "" when passed
  // Calls with values: how many there were to pass, were run, and passed
  // (lucky ones count as passed here).
  int64_t calls = 0;
  int64_t calls_run = 0;
  int64_t calls_passed = 0;
  std::vector<CaseResult> failures;  // at most 20, then counted only
  std::vector<Finding> findings;     // errors first, at most 50
  std::vector<Flag> flags;
  std::vector<CaseTime> times;

  double share_passed() const {
    return calls == 0 ? 0 : static_cast<double>(calls_passed) / calls;
  }
  bool passed() const { return outcome == Outcome::kPassed; }
  bool compiled() const {
    return outcome != Outcome::kNotCompiled &&
           outcome != Outcome::kInfrastructure &&
           !(outcome == Outcome::kForbidden && reached == Stage::kCompile);
  }
  // Geometric mean over the timed cases; 0 unless all of them were timed.
  double speedup() const;
  double hap() const;  // arithmetic mean; 0 likewise
};

// What one pipe of one core did, in microseconds from the launch.
struct TimelineSlice {
  std::string pipe;  // "V", "MTE2", …
  std::string what;  // "Add", "DataCopy", …
  double begin = 0;
  double end = 0;
  std::string file;  // of the candidate; "" where unknown
  int line = 0;
};

// The first core's part of one launch, from its beginning; long ones are cut.
struct Timeline {
  std::string name;  // of the case
  bool cut = false;
  std::vector<TimelineSlice> slices;
};

// Kept beside verdicts, never in them.
struct Extras {
  // Wall time, seconds.
  double compile = 0;
  double precision = 0;
  double performance = 0;
  Timeline timeline;
};

std::string_view NameOf(Stage stage);      // "compile", …
std::string_view NameOf(Outcome outcome);  // "passed", "not-compiled", …
std::string_view NameOf(SeedKind seed);    // "public", "secret"
std::optional<Outcome> ParseOutcome(std::string_view name);
std::optional<Stage> ParseStage(std::string_view name);
std::optional<SeedKind> ParseSeedKind(std::string_view name);
std::optional<bench::CaseKind> ParseCaseKind(std::string_view name);
std::optional<bench::Regime> ParseRegime(std::string_view name);

// 0 passed, 10 wrong, 11 lucky, 12 failed, 13 not compiled, 14 forbidden,
// 75 infrastructure.
int ExitCodeOf(Outcome outcome);

void to_json(nlohmann::json& json, const Verdict& verdict);
// Throws UserError naming what is missing or of the wrong type.
void from_json(const nlohmann::json& json, Verdict& verdict);
void to_json(nlohmann::json& json, const Extras& extras);
void from_json(const nlohmann::json& json, Extras& extras);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_VERDICT_H_
