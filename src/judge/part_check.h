// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_PART_CHECK_H_
#define BELAY_JUDGE_PART_CHECK_H_

// Values of some blocks of a case that is too large to be run in full.

#include <string>
#include <vector>

#include "bench/reference_runner.h"
#include "judge/session.h"
#include "judge/verdict.h"

namespace belay::judge {

struct PartCheck {
  Outcome outcome = Outcome::kPassed;
  std::string reason;
  std::vector<std::string> parts;  // "block 0", or why there is none
  std::vector<Diagnostic> diagnostics;
};

// Runs the first and the last block of the call, those that reach over byte or
// element 2^31 or 2^32 of a tensor, and one that `secret` names, on inputs of
// few rows over and over, and compares what they write: at the ends of what a
// block writes, where it passes such a place, and at two that `secret` names.
// `launches`, of the call without values, say who writes what. Where they read
// values that were pretended, the blocks must do with values what they did
// without: the time of a call that tells the two apart is nobody's
// (kForbidden).
PartCheck CheckParts(const bench::Task& task, const bench::Case& one_case,
                     Session& session, bench::ReferenceRunner& runner,
                     const std::vector<clock::LaunchLog>& launches,
                     uint64_t secret);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_PART_CHECK_H_
