// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_BLOCK_RANGES_H_
#define BELAY_JUDGE_BLOCK_RANGES_H_

// Which bytes of a tensor each block of a launch read and wrote.

#include <map>
#include <vector>

#include "clock/log.h"

namespace belay::judge {

// Offsets in the tensor, sorted and apart from each other.
struct BlockRanges {
  std::vector<clock::ByteRange> read;
  std::vector<clock::ByteRange> written;
};

// By block; those that touch nothing of it are left out. Reads of the scalar
// unit are not seen. Time O(moves and their rows).
std::map<int, BlockRanges> RangesByBlock(const clock::LaunchLog& log,
                                         const clock::LoggedAllocation& tensor);

// Whether blocks of the launch wait for each other, so that none can be run
// without the others.
bool BlocksWait(const clock::LaunchLog& log);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_BLOCK_RANGES_H_
