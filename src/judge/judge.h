// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_JUDGE_H_
#define BELAY_JUDGE_JUDGE_H_

// One candidate, one verdict: compile, precision, performance (docs/rules.md).

#include <functional>
#include <memory>
#include <string>

#include "bench/reference_runner.h"
#include "judge/candidate.h"
#include "judge/seeds.h"
#include "judge/session.h"
#include "judge/verdict.h"

namespace belay::judge {

struct JudgeOptions {
  std::string protocol = "belay";  // a name of judge/protocol.h
  std::string chip = "ascend910b1";
  Stage last = Stage::kPerformance;  // stages after it are left out
  std::string only_case;             // a static problem; "": all cases
  bool fail_fast = false;            // the first failure ends a candidate
  int64_t most_elements = int64_t{1} << 24;  // of cases run with all values
  Seeds seeds;
  Limits limits;
};

// What was judged so far, for whoever shows progress.
struct JudgeProgress {
  Stage stage = Stage::kCompile;
  int64_t calls = 0;
  int64_t of = 0;
};

class Judge {
 public:
  // Starts nothing: references load libtorch at the first value that is
  // compared. The broker must have been started before and outlive this; tasks
  // handed to Try must outlive this, too (their truths are kept).
  explicit Judge(guest::Broker& broker);
  ~Judge();
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  // Throws UserError for options that do not fit the task, TaskError where the
  // task itself is at fault, InternalError for a bug of ours.
  Verdict Try(const bench::Task& task, const Candidate& candidate,
              const JudgeOptions& options, Extras* extras = nullptr,
              const std::function<void(const JudgeProgress&)>& progress = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace belay::judge

#endif  // BELAY_JUDGE_JUDGE_H_
