// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TRACE_PERFETTO_WRITER_H_
#define BELAY_TRACE_PERFETTO_WRITER_H_

// Launches as a Perfetto trace: a process for each core, a thread for each
// pipe, one launch after the other.

#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "trace/perfetto_stream.h"
#include "trace/timeline.h"
#include "trace/trace.h"

namespace belay::trace {

// Memory O(slices of one launch). Nothing is left out.
class PerfettoWriter : public Writer {
 public:
  // Throws UserError when the file cannot be written.
  PerfettoWriter(std::string path, RunFacts facts);

  void BeginLaunch(const clock::LaunchLog& log) override;
  void EndLaunch(const clock::LaunchTime& time) override;
  void Finish() override;

  void OnSpan(const clock::Span& span) override { timeline_->OnSpan(span); }
  void OnFlow(const clock::Flow& flow) override { timeline_->OnFlow(flow); }
  void OnBuffer(int core, bool cube, clock::Ticks at,
                const clock::BufferWork& work) override {
    timeline_->OnBuffer(core, cube, at, work);
  }
  void OnMemory(const clock::MemorySample& sample) override {
    timeline_->OnMemory(sample);
  }

 private:
  // One end of an arrow.
  struct ArrowEnd {
    abi::Pipe pipe;
    uint32_t row;
    uint64_t index;
    uint64_t flow;
    bool leaves;
  };

  // Whole nanoseconds from the start of the trace; rounded down, so that what
  // comes later never comes earlier.
  uint64_t Nanoseconds(clock::Ticks in_launch) const;
  double Microseconds(clock::Ticks ticks) const;

  uint64_t CoreTrack(const CoreId& core);
  uint64_t PipeTrack(const CoreId& core, abi::Pipe pipe, uint32_t row);
  uint64_t CounterTrack(const std::string& name, uint64_t parent,
                        CounterUnit unit);

  void WriteLaunch(const clock::LaunchTime& time);
  void WriteCore(const CoreId& id, const CoreRows& core);
  void WriteRow(const CoreId& id, abi::Pipe pipe, uint32_t row,
                const Row& slices, const std::vector<ArrowEnd>& ends,
                size_t& next_end);
  void WriteSamples();

  std::string path_;
  RunFacts facts_;
  std::ofstream file_;
  PerfettoStream stream_;
  const clock::LaunchLog* log_ = nullptr;
  std::optional<Timeline> timeline_;
  clock::Ticks begin_ = 0;  // of the launch
  uint64_t next_flow_ = 1;
  uint64_t next_track_ = 3;
  std::map<CoreId, uint64_t> core_tracks_;
  std::map<std::tuple<CoreId, abi::Pipe, uint32_t>, uint64_t> pipe_tracks_;
  std::map<std::pair<uint64_t, std::string>, uint64_t> counter_tracks_;
  std::map<uint64_t, std::string> place_texts_;  // of the launch
};

}  // namespace belay::trace

#endif  // BELAY_TRACE_PERFETTO_WRITER_H_
