// SPDX-License-Identifier: Apache-2.0
#include "judge/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <tuple>

#include "base/catalogue.h"
#include "base/error.h"
#include "bench/choose_protocol.h"
#include "judge/call_outcome.h"
#include "judge/error_class.h"
#include "judge/flags.h"
#include "judge/performance.h"
#include "judge/problem.h"
#include "judge/protocol.h"
#include "judge/truths.h"

namespace belay::judge {
namespace {

constexpr size_t kMostFailures = 20;
constexpr size_t kMostFindings = 50;
// A candidate that ran out of time so often is not run any further.
constexpr int kMostTimeouts = 2;

double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

bool HasError(const std::vector<Diagnostic>& diagnostics) {
  return std::ranges::any_of(diagnostics, [](const Diagnostic& one) {
    return one.severity == Severity::kError;
  });
}

const Diagnostic* FirstError(const std::vector<Diagnostic>& diagnostics) {
  const auto found =
      std::ranges::find(diagnostics, Severity::kError, &Diagnostic::severity);
  return found == diagnostics.end() ? nullptr : &*found;
}

std::string ReasonOf(const std::vector<Diagnostic>& diagnostics,
                     std::string_view otherwise) {
  const Diagnostic* error = FirstError(diagnostics);
  if (error == nullptr) return std::string(otherwise);
  const std::string place =
      error->location.known()
          ? fmt::format("{}:{}: ", error->location.file, error->location.line)
          : "";
  return fmt::format("{}{} [{}]", place, error->message, error->code);
}

// One diagnostic for each code and place.
class FindingList {
 public:
  void Add(const std::vector<Diagnostic>& diagnostics,
           const std::string& one_case) {
    for (const Diagnostic& one : diagnostics) {
      const auto key =
          std::tuple(one.code, one.location.file, one.location.line);
      const auto [place, fresh] = places_.emplace(key, findings_.size());
      if (!fresh) {
        ++findings_[place->second].cases;
      } else {
        findings_.push_back({one, one_case, 1});
      }
    }
  }

  // Errors first, each kind in the order it was met.
  std::vector<Finding> Take() {
    std::ranges::stable_sort(findings_, {}, [](const Finding& finding) {
      return finding.diagnostic.severity;
    });
    if (findings_.size() > kMostFindings) findings_.resize(kMostFindings);
    return std::move(findings_);
  }

 private:
  std::vector<Finding> findings_;
  std::map<std::tuple<std::string, std::string, int>, size_t> places_;
};

// The worse of two outcomes of calls: infrastructure says nothing about the
// candidate, a fault more than a wrong value, a wrong value more than luck.
Outcome Worse(Outcome a, Outcome b) {
  const auto rank = [](Outcome outcome) {
    switch (outcome) {
      case Outcome::kPassed:
        return 0;
      case Outcome::kLucky:
        return 1;
      case Outcome::kWrong:
        return 2;
      case Outcome::kFailed:
        return 3;
      case Outcome::kNotCompiled:
        return 4;
      case Outcome::kForbidden:
        return 5;
      case Outcome::kInfrastructure:
        return 6;
    }
    return 6;
  };
  return rank(a) >= rank(b) ? a : b;
}

void RequireKind(const Candidate& candidate, const JudgeProtocol& protocol) {
  if (protocol.kernel_only && candidate.kind == CandidateKind::kProject) {
    throw UserError(fmt::format(
        "[judge] the protocol '{}' judges kernels with the task's own op_host: "
        "give the kernel's file rather than the project '{}'",
        protocol.name, candidate.name));
  }
}

}  // namespace

struct Judge::State {
  explicit State(guest::Broker& its_broker) : broker(its_broker) {}

  guest::Broker& broker;
  Baselines baselines;
  std::unique_ptr<Truths> truths;  // of the task judged last

  Truths& TruthsOf(const bench::Task& task) {
    if (truths == nullptr || &truths->task() != &task) {
      truths = std::make_unique<Truths>(task);
    }
    return *truths;
  }
};

namespace {

// One candidate on its way through the stages.
class Trial {
 public:
  Trial(const bench::Task& task, const Candidate& candidate,
        const JudgeOptions& options,
        const std::function<void(const JudgeProgress&)>& progress)
      : task_(task),
        candidate_(candidate),
        options_(options),
        protocol_(FindProtocol(options.protocol)),
        progress_(progress),
        problem_(MakeProblem(task, protocol_, options.only_case, options.seeds,
                             candidate.hash, options.most_elements)) {
    RequireKind(candidate, protocol_);
    verdict_.task = task.id;
    verdict_.task_hash = task.hash;
    verdict_.level = task.level;
    verdict_.category = task.category;
    verdict_.problem = problem_.name;
    verdict_.candidate_name = candidate.name;
    verdict_.candidate_kind = NameOf(candidate.kind);
    verdict_.candidate_hash = candidate.hash;
    verdict_.chip = options.chip;
    verdict_.protocol = protocol_.name;
    verdict_.cage = guest::AvailableCage().ToText();
    verdict_.belay = BELAY_VERSION;
    verdict_.public_seed = options.seeds.public_seed;
    verdict_.calls = static_cast<int64_t>(problem_.calls.size());
    verdict_.flags = FlagsOfText(candidate, task, problem_);
  }

  // False when the candidate is out.
  bool CompileIn(Session& session) {
    verdict_.reached = Stage::kCompile;
    Tell(Stage::kCompile, 0, 1);
    std::vector<const bench::Case*> cases;
    for (const ProblemCall& call : problem_.calls) {
      cases.push_back(&call.one_case);
    }
    for (const bench::Case& one : problem_.timed) cases.push_back(&one);
    const CompileReport report = session.Compile(cases);
    findings_.Add(report.diagnostics, "");
    if (report.ok) return true;
    End(OutcomeOf(report.end),
        report.end == CallEnd::kInfrastructure
            ? report.trouble
            : ReasonOf(report.diagnostics, "it does not compile"));
    return false;
  }

  void RunIn(Session& session, Truths& truths) {
    verdict_.reached = Stage::kPrecision;
    int timeouts = 0;
    for (size_t i = 0; i < problem_.calls.size(); ++i) {
      Tell(Stage::kPrecision, static_cast<int64_t>(i), verdict_.calls);
      const ProblemCall& call = problem_.calls[i];
      const bench::Truth& truth = truths.Of(call);
      const CallReport report =
          session.Run(call.one_case, truth.inputs, {.check = call.check});
      ++verdict_.calls_run;
      findings_.Add(report.diagnostics, call.one_case.name);
      const CaseResult result = Compare(call, report, truth, truths.runner());
      Note(result);
      if (result.outcome == Outcome::kInfrastructure) return;
      if (options_.fail_fast && result.outcome != Outcome::kPassed) return;
      timeouts += std::ranges::count(report.diagnostics, code::kJ101,
                                     &Diagnostic::code) > 0;
      if (timeouts >= kMostTimeouts) return;
    }
  }

  void TimeIn(Session& session, Truths& truths, Baselines& baselines,
              Timeline* timeline) {
    verdict_.reached = Stage::kPerformance;
    double longest = 0;
    for (size_t i = 0; i < problem_.timed.size(); ++i) {
      Tell(Stage::kPerformance, static_cast<int64_t>(i),
           static_cast<int64_t>(problem_.timed.size()));
      std::vector<Diagnostic> diagnostics;
      Timeline one;
      const bench::Case& one_case = problem_.timed[i];
      const uint64_t secret =
          WithSecretSeed(one_case, options_.seeds, verdict_.candidate_hash)
              .seed;
      CaseTime time =
          MeasureCase(task_, one_case, session, truths.runner(), baselines,
                      options_.chip, secret, diagnostics, &one);
      findings_.Add(diagnostics, time.name);
      if (timeline != nullptr && time.simulated > longest) {
        longest = time.simulated;
        *timeline = std::move(one);
      }
      if (time.scalar_only) {
        Flagged({"scalar-only", kRuleScalarOnly,
                 fmt::format("{} moves and computes by the scalar unit alone",
                             time.name)});
      }
      if (time.outcome == Outcome::kForbidden) {
        Flagged({"below-bound", kRuleBelowBound, time.reason});
      }
      CaseResult result;
      result.name = time.name;
      result.kind = problem_.timed[i].kind;
      result.regime = problem_.timed[i].regime;
      result.outcome = time.outcome;
      result.reason = time.reason;
      Note(result);
      const bool out = time.outcome == Outcome::kInfrastructure;
      verdict_.times.push_back(std::move(time));
      if (out) return;
    }
  }

  Verdict Take() {
    verdict_.findings = findings_.Take();
    if (!verdict_.passed()) verdict_.error_class = ErrorClassOf(verdict_);
    return std::move(verdict_);
  }

  bool RightValues() const {
    return verdict_.outcome == Outcome::kPassed ||
           verdict_.outcome == Outcome::kLucky;
  }

 private:
  void Tell(Stage stage, int64_t calls, int64_t of) const {
    if (progress_) progress_({stage, calls, of});
  }

  void End(Outcome outcome, std::string reason) {
    if (Worse(verdict_.outcome, outcome) == verdict_.outcome) return;
    verdict_.outcome = outcome;
    verdict_.reason = std::move(reason);
  }

  void Flagged(Flag flag) {
    const bool known = std::ranges::any_of(
        verdict_.flags, [&](const Flag& one) { return one.name == flag.name; });
    if (!known) verdict_.flags.push_back(std::move(flag));
  }

  CaseResult Compare(const ProblemCall& call, const CallReport& report,
                     const bench::Truth& truth,
                     bench::ReferenceRunner& runner) const {
    CaseResult result;
    result.name = call.one_case.name;
    result.kind = call.one_case.kind;
    result.seed = call.seed;
    result.regime = call.one_case.regime;
    result.outcome = OutcomeOf(report.end);
    if (report.end != CallEnd::kFinished) {
      result.reason = report.end == CallEnd::kInfrastructure
                          ? report.trouble
                          : ReasonOf(report.diagnostics, "the call failed");
      return result;
    }
    const bench::Verdict values = bench::JudgeBy(
        bench::ChooseProtocol(protocol_.precision, task_, call.one_case), truth,
        report.outputs, runner);
    for (const bench::OutputVerdict& output : values.outputs) {
      result.mean_error = std::max(result.mean_error, output.mean);
      result.largest_error = std::max(result.largest_error, output.largest);
    }
    if (!values.accepted) {
      result.outcome = Outcome::kWrong;
      result.reason = values.reason;
    } else if (protocol_.checkers_count && HasError(report.diagnostics)) {
      result.outcome = Outcome::kLucky;
      result.reason = ReasonOf(report.diagnostics, "");
    }
    return result;
  }

  void Note(const CaseResult& result) {
    const bool right =
        result.outcome == Outcome::kPassed || result.outcome == Outcome::kLucky;
    if (right && verdict_.reached == Stage::kPrecision) {
      ++verdict_.calls_passed;
    }
    if (result.outcome == Outcome::kPassed) return;
    End(result.outcome, fmt::format("{} ({} seed): {}", result.name,
                                    NameOf(result.seed), result.reason));
    if (verdict_.failures.size() < kMostFailures) {
      verdict_.failures.push_back(result);
    }
  }

  const bench::Task& task_;
  const Candidate& candidate_;
  const JudgeOptions& options_;
  const JudgeProtocol& protocol_;
  const std::function<void(const JudgeProgress&)>& progress_;
  Problem problem_;
  Verdict verdict_;
  FindingList findings_;

 public:
  const Problem& problem() const { return problem_; }
};

}  // namespace

Judge::Judge(guest::Broker& broker) : state_(std::make_unique<State>(broker)) {}
Judge::~Judge() = default;

Verdict Judge::Try(const bench::Task& task, const Candidate& candidate,
                   const JudgeOptions& options, Extras* extras,
                   const std::function<void(const JudgeProgress&)>& progress) {
  Extras unwanted;
  Extras& wall = extras != nullptr ? *extras : unwanted;
  wall = {};
  Trial trial(task, candidate, options, progress);
  const SessionOptions session_options{
      options.chip, options.limits,
      trial.problem().only ? &*trial.problem().only : nullptr};
  const std::unique_ptr<Session> session =
      OpenSession(task, candidate, session_options, state_->broker);

  auto begin = std::chrono::steady_clock::now();
  const bool compiled = trial.CompileIn(*session);
  wall.compile = SecondsSince(begin);
  if (!compiled || options.last == Stage::kCompile) return trial.Take();

  begin = std::chrono::steady_clock::now();
  Truths& truths = state_->TruthsOf(task);
  trial.RunIn(*session, truths);
  wall.precision = SecondsSince(begin);
  if (!trial.RightValues() || options.last == Stage::kPrecision) {
    return trial.Take();
  }

  begin = std::chrono::steady_clock::now();
  trial.TimeIn(*session, truths, state_->baselines, &wall.timeline);
  wall.performance = SecondsSince(begin);
  return trial.Take();
}

std::unique_ptr<Session> OpenSession(const bench::Task& task,
                                     const Candidate& candidate,
                                     const SessionOptions& options,
                                     guest::Broker& broker) {
  return candidate.kind == CandidateKind::kCrux
             ? OpenCruxSession(task, candidate, options, broker)
             : OpenOperatorSession(task, candidate, options, broker);
}

}  // namespace belay::judge
