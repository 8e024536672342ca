// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNS_SAMPLE_KEY_H_
#define BELAY_RUNS_SAMPLE_KEY_H_

// What a verdict depends on, as one name: the key of the store.

#include <string>

#include "judge/judge.h"
#include "runs/sample.h"

namespace belay::runs {

// How all samples of a run are judged.
struct RunConditions {
  judge::JudgeOptions judge;  // but for only_case, which a sample has
  std::string belay;          // BelayBuild()
  std::string version;        // for readers; the build says more
  std::string cage;           // what of it this machine can do
};

// 64 hex digits of SHA-256 (nobody can write a candidate that takes another's
// place) over candidate, task, problem, chip, belay, protocol, stages, limits
// and seeds. The secret goes in hashed. The names of samples and candidates do
// not count.
std::string KeyOf(const Sample& sample, const std::string& task_hash,
                  const RunConditions& conditions);

}  // namespace belay::runs

#endif  // BELAY_RUNS_SAMPLE_KEY_H_
