// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_LOG_H_
#define BELAY_CLOCK_LOG_H_

// What a launch did, core by core, in program order: the input of the replay.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "clock/record.h"
#include "clock/sequence.h"

namespace belay::clock {

// Bytes of global memory, from `begin` to before `end`.
struct ByteRange {
  uint64_t begin = 0;
  uint64_t end = 0;
};

struct BlockLog {
  int block = 0;
  int core = 0;  // index among the cores of its type
  bool cube = false;
  Sequence records;
  // Where the scalar unit stored, sorted and apart from each other: records of
  // cached stores do not say.
  std::vector<ByteRange> stored;
};

// A live allocation of global memory when the launch began.
struct LoggedAllocation {
  uint64_t address = 0;
  uint64_t bytes = 0;
  std::string name;
};

struct LaunchLog {
  std::string kernel;
  std::string chip;
  int blocks = 0;
  uint64_t argument_bytes = 0;
  uint64_t tiling_bytes = 0;
  bool timing_only = false;  // payloads were not executed
  // Scalar reads of values nobody computed, and where the first was.
  uint64_t pretended_reads = 0;
  uint64_t first_pretended_place = 0;
  // In the order blocks began; blocks of one core one after the other.
  std::vector<BlockLog> logs;
  std::vector<ScalarWork> scalar = {ScalarWork{}};  // [0]: none
  // Names of the costs that VectorWork::cost counts; empty: the chip's.
  std::vector<std::string> vector_costs;
  std::vector<LoggedAllocation> allocations;
  // Where Record::place lies in the kernel's source.
  std::map<uint64_t, SourceLocation> places;
};

}  // namespace belay::clock

#endif  // BELAY_CLOCK_LOG_H_
