// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_COVERAGE_H_
#define BELAY_JUDGE_COVERAGE_H_

// Whether the blocks of a call wrote every byte of its outputs, and each of
// them once: what can be said of a call that computed no values.

#include <string>
#include <vector>

#include "clock/log.h"

namespace belay::judge {

struct Coverage {
  bool complete = true;  // every byte was written
  bool once = true;      // no two blocks wrote the same
  bool known = true;     // false: the writes are too scattered to be told apart
  std::string reason;    // of the first that does not hold

  bool ok() const { return complete && once; }
};

// `outputs` are names of the signature. A block may write a byte again, and so
// may several with atomic operations or with a meeting of all blocks between
// them. Blocks that wait for single others are taken to know what they do. One
// move of each block, its tail, may overlap with another block's work.
// Time O(moves and their rows), memory O(ranges that do not touch), at most
// 2^24 of them.
Coverage CoverageOf(const std::vector<clock::LaunchLog>& launches,
                    const std::vector<std::string>& outputs);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_COVERAGE_H_
