// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_TRACE_PERFETTO_READER_H_
#define BELAY_TESTS_TRACE_PERFETTO_READER_H_

// Reads a Perfetto trace the way a viewer does: packets of a sequence in order,
// interned strings resolved, slices closed by the ends on their track.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace belay::trace {

struct ReadTrack {
  std::string process;  // name; of a thread or counter: its process's
  std::string name;     // of the thread or counter
  uint64_t parent = 0;
  int rank = 0;
  bool is_counter = false;
};

struct ReadSlice {
  uint64_t track = 0;
  uint64_t begin = 0;  // nanoseconds
  uint64_t end = 0;
  int depth = 0;  // slices open on the track when it began
  std::string name;
  std::string category;
  std::map<std::string, std::string> arguments;  // numbers as text
  std::vector<uint64_t> leaving;
  std::vector<uint64_t> arriving;
};

struct ReadCount {
  uint64_t track = 0;
  uint64_t at = 0;
  double value = 0;
};

struct ReadTrace {
  std::map<uint64_t, ReadTrack> tracks;
  std::vector<ReadSlice> slices;  // in the order they began in the file
  std::vector<ReadCount> counts;
  size_t packets = 0;
  size_t interned = 0;  // strings

  std::vector<ReadSlice> On(std::string_view process,
                            std::string_view thread) const;
  std::vector<ReadCount> Counter(std::string_view process,
                                 std::string_view name) const;
};

// Throws std::runtime_error when a viewer would refuse or drop something:
// unknown interned numbers, tracks without a description, ends without a
// begin, slices left open, events before the state is cleared.
ReadTrace ReadPerfetto(std::string_view bytes);

}  // namespace belay::trace

#endif  // BELAY_TESTS_TRACE_PERFETTO_READER_H_
