// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_PERFORMANCE_H_
#define BELAY_JUDGE_PERFORMANCE_H_

// Simulated time of a candidate on the real cases of a task, beside the
// hardware bound of the task and the modelled time of eager PyTorch.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/case.h"
#include "bench/reference_runner.h"
#include "clock/log.h"
#include "judge/session.h"
#include "judge/verdict.h"

namespace belay::judge {

// One ATen operator of eager() that would be a kernel of its own on a card.
using EagerOperator = bench::EagerOperator;

// Modelled: each operator at a share of its own bound, plus its launch. Times
// in microseconds, 0 where `note` says why there is none.
struct Baseline {
  std::vector<EagerOperator> operators;
  std::string note;  // "extrapolated along S[0]"; "" when run as it is
  double at_70 = 0;
  double at_85 = 0;
  double at_100 = 0;
};

// Which tensors no kernel can do without: inputs of which every element counts,
// outputs of which every element must be written.
struct TaskNeeds {
  std::vector<bool> inputs;
  std::vector<bool> outputs;
};

// Remembers what is known of tasks and does not depend on candidates: in memory
// and in the user's cache folder.
class Baselines {
 public:
  Baselines();
  ~Baselines();
  Baselines(const Baselines&) = delete;
  Baselines& operator=(const Baselines&) = delete;

  // Runs eager() on the case or, where it is large, on smaller ones like it.
  // The reference is valid until the next call.
  const Baseline& Of(const bench::Task& task, const bench::Case& one_case,
                     bench::ReferenceRunner& runner, const std::string& chip);

  // Runs reference() a few times on a small case like this one.
  TaskNeeds NeedsOf(const bench::Task& task, const bench::Case& one_case,
                    bench::ReferenceRunner& runner);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// What has to be moved and computed for a case, whatever the kernel: the times
// nobody can beat. Microseconds.
struct TaskBound {
  double total = 0;  // with the launch
  std::string binding;
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;
  uint64_t cube_flops = 0;
};
TaskBound BoundOf(const bench::Task& task, const bench::Case& one_case,
                  bench::ReferenceRunner& runner, Baselines& baselines,
                  const std::string& chip);

// Times the case and fills in everything a CaseTime has. `secret` says what of
// a large case is looked at beside the places everybody knows. Findings of the
// session's call are appended to `diagnostics`; *timeline, unless null, becomes
// the case's.
CaseTime MeasureCase(const bench::Task& task, const bench::Case& one_case,
                     Session& session, bench::ReferenceRunner& runner,
                     Baselines& baselines, const std::string& chip,
                     uint64_t secret, std::vector<Diagnostic>& diagnostics,
                     Timeline* timeline);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_PERFORMANCE_H_
