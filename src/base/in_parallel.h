// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASE_IN_PARALLEL_H_
#define BELAY_BASE_IN_PARALLEL_H_

// Work that falls into independent parts, done on several cores of the host.

#include <cstddef>
#include <functional>
#include <vector>

namespace belay {

// Calls work(0) … work(count - 1), several at a time, and returns when all have
// ended. Of the exceptions that calls end in, that of the lowest number is
// thrown; numbers behind it may be left out then. Where no thread can be
// started, or there is one core only, the calls are made one after the other.
// Starting threads takes about 50 us.
void InParallel(size_t count, const std::function<void(size_t)>& work);

// The same for ranges, which together are 0 … count - 1: work(begin, end). Many
// numbers at first, so that what is done to all of a range step by step finds
// the code of a step in the cache; single ones in the end. An exception is that
// of its range, whatever number it was about.
void InRanges(size_t count,
              const std::function<void(size_t begin, size_t end)>& work);

// Calls work(number) for the numbers of all chains, several at a time, from the
// lowest on, and take(number) when its work has ended: for the numbers of a
// chain, which go up, one after the other. An exception of either ends it; of
// several, that of the lowest number is thrown.
void InChains(const std::vector<std::vector<size_t>>& chains,
              const std::function<void(size_t)>& work,
              const std::function<void(size_t)>& take);

}  // namespace belay

#endif  // BELAY_BASE_IN_PARALLEL_H_
