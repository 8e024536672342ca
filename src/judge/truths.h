// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_TRUTHS_H_
#define BELAY_JUDGE_TRUTHS_H_

// What is right, for the calls of one task: made on demand, and kept for calls
// that every candidate of the task makes.

#include <map>
#include <memory>
#include <utility>

#include "bench/compare.h"
#include "judge/problem.h"

namespace belay::judge {

class Truths {
 public:
  // The task must outlive this. Compiles its reference (libtorch is loaded by
  // the first of a process).
  explicit Truths(const bench::Task& task);

  const bench::Task& task() const { return task_; }
  bench::ReferenceRunner& runner() { return *runner_; }

  // Valid until the next call. Public calls of up to 2^16 elements are kept.
  const bench::Truth& Of(const ProblemCall& call);

 private:
  const bench::Task& task_;
  std::unique_ptr<bench::ReferenceRunner> runner_;
  std::map<std::pair<std::string, uint64_t>, bench::Truth> kept_;
  bench::Truth latest_;
};

}  // namespace belay::judge

#endif  // BELAY_JUDGE_TRUTHS_H_
