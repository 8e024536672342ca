// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TRACE_PERFETTO_STREAM_H_
#define BELAY_TRACE_PERFETTO_STREAM_H_

// Packets of a Perfetto trace: tracks, slices, counters. Every string is
// written once.

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "trace/protobuf.h"

namespace belay::trace {

struct Annotation {
  std::string_view name;
  std::variant<uint64_t, double, std::string_view> value;
};

struct SliceBegin {
  uint64_t track = 0;
  uint64_t nanoseconds = 0;
  std::string_view name;
  std::string_view category;
  std::vector<Annotation> annotations = {};
  std::vector<uint64_t> leaving = {};   // flows that go on from here
  std::vector<uint64_t> arriving = {};  // flows that end here
};

enum class CounterUnit { kBytes, kGigabytesPerSecond };

// Tracks are numbered by the caller, from 1 on. Slices of one track must nest
// in the order they are written; tracks may be written in any order.
class PerfettoStream {
 public:
  explicit PerfettoStream(std::ostream& output);

  // Processes and threads are shown by ascending rank.
  void Process(uint64_t track, int pid, std::string_view name, int rank);
  void Thread(uint64_t track, int pid, int64_t tid, std::string_view name,
              int rank);
  void Counter(uint64_t track, uint64_t parent, std::string_view name,
               CounterUnit unit);

  void Begin(const SliceBegin& slice);
  void End(uint64_t track, uint64_t nanoseconds);
  void Count(uint64_t track, uint64_t nanoseconds, double value);

 private:
  // Strings of one field of InternedData.
  struct Strings {
    int field;
    std::unordered_map<std::string, uint64_t> numbers;
  };
  // The number of a string; a new one goes into fresh_.
  uint64_t Intern(Strings& strings, std::string_view text);
  void WriteTrack(const Message& descriptor);
  // event_ at a time, with fresh_.
  void WriteEvent(uint64_t nanoseconds);
  void WritePacket();

  std::ostream& output_;
  Strings categories_{1, {}};
  Strings names_{2, {}};
  Strings annotation_names_{3, {}};
  Strings annotation_values_{29, {}};
  bool first_event_ = true;
  // Kept for their memory.
  Message packet_;
  Message event_;
  Message fresh_;
  Message part_;
};

}  // namespace belay::trace

#endif  // BELAY_TRACE_PERFETTO_STREAM_H_
