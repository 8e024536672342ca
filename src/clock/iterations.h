// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_ITERATIONS_H_
#define BELAY_CLOCK_ITERATIONS_H_

// The main loop of a kernel, found in its log: each pass begins with the same
// load from global memory.

#include <cstdint>
#include <optional>
#include <vector>

#include "clock/log.h"

namespace belay::clock {

// Records of one block, unfolded, and where the passes of its main loop begin.
// What comes before the first pass belongs to none, what comes after the last
// one to the last.
struct Passes {
  std::vector<Record> records;
  std::vector<size_t> starts;

  size_t count() const { return starts.size(); }
  size_t begin(size_t pass) const { return starts[pass]; }
  size_t end(size_t pass) const {
    return pass + 1 < starts.size() ? starts[pass + 1] : records.size();
  }
};

// The place of the load (or, without any, the store) that moves most bytes and
// is passed more than once; of several alike the one that comes first. Nothing
// if no block has a loop.
std::optional<uint64_t> FindMainLoop(const LaunchLog& log);

// O(records) time and memory.
Passes SplitIntoPasses(const Sequence& sequence, uint64_t anchor);

// Appends pass `from` of `source`, as `pass` of `form` does it: kinds, sizes
// and flags are those of `form`, global addresses those of `source` where it
// has the same move.
void AppendPass(const Passes& form, size_t pass, const Passes& source,
                size_t from, std::vector<Record>& out);

// A pass that stands for the `pass`-th of a loop of any length: the same one,
// but never the last, which also ends the kernel; behind that one from the
// middle that uses the same buffer of a pair.
size_t FormOf(const Passes& form, size_t pass);

// Everything of a log but what its blocks did.
LaunchLog FrameOf(const LaunchLog& log);

// Appends a block on the core of `like` with these records.
void AddBlock(LaunchLog& log, const BlockLog& like,
              const std::vector<Record>& records);

// Whether all blocks are vector blocks that never wait for each other.
bool BlocksAreAlone(const LaunchLog& log);

// What comes before the first pass.
void AppendPrologue(const Passes& passes, std::vector<Record>& out);

}  // namespace belay::clock

#endif  // BELAY_CLOCK_ITERATIONS_H_
