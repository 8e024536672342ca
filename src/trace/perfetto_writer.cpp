// SPDX-License-Identifier: Apache-2.0
#include "trace/perfetto_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "npu/names.h"

namespace belay::trace {
namespace {

using clock::Ticks;

constexpr uint64_t kDeviceTrack = 1;
constexpr uint64_t kLaunchTrack = 2;
constexpr int kDevicePid = 1;
constexpr int kFirstVectorPid = 1000;
constexpr int kFirstCubePid = 2000;
constexpr int64_t kRowsPerPipe = 100;

int PidOf(const CoreId& core) {
  return (core.cube ? kFirstCubePid : kFirstVectorPid) + core.core;
}

std::string PlaceText(const SourceLocation& place) {
  return place.known() ? fmt::format("{}:{}", place.file, place.line) : "";
}

}  // namespace

PerfettoWriter::PerfettoWriter(std::string path, RunFacts facts)
    : path_(std::move(path)),
      facts_(std::move(facts)),
      file_(path_, std::ios::binary | std::ios::trunc),
      stream_(file_) {
  if (!file_) {
    throw UserError(fmt::format("[trace] cannot write '{}'", path_));
  }
  stream_.Process(
      kDeviceTrack, kDevicePid,
      fmt::format("simulated {}, {} MHz", facts_.chip, facts_.clock_mhz), 0);
  stream_.Thread(kLaunchTrack, kDevicePid, kDevicePid + 1, "launches", 0);
}

uint64_t PerfettoWriter::Nanoseconds(Ticks in_launch) const {
  const auto ticks = static_cast<unsigned __int128>(begin_ + in_launch);
  const auto hertz =
      static_cast<uint64_t>(std::llround(facts_.clock_mhz * 1e6));
  return static_cast<uint64_t>(
      ticks * 1'000'000'000u /
      (static_cast<unsigned __int128>(hertz) * clock::kTicksPerCycle));
}

double PerfettoWriter::Microseconds(Ticks ticks) const {
  return clock::ToMicroseconds(ticks, facts_.clock_mhz);
}

uint64_t PerfettoWriter::CoreTrack(const CoreId& core) {
  const auto [track, added] = core_tracks_.try_emplace(core, next_track_);
  if (added) {
    ++next_track_;
    stream_.Process(track->second, PidOf(core), CoreName(core.core, core.cube),
                    PidOf(core));
  }
  return track->second;
}

uint64_t PerfettoWriter::PipeTrack(const CoreId& core, abi::Pipe pipe,
                                   uint32_t row) {
  CoreTrack(core);
  const auto [track, added] =
      pipe_tracks_.try_emplace({core, pipe, row}, next_track_);
  if (added) {
    ++next_track_;
    const int64_t rank = static_cast<int64_t>(pipe) * kRowsPerPipe + row;
    const int64_t tid = PidOf(core) * kRowsPerPipe * 10 + rank;
    std::string name(npu::NameOf(pipe));
    if (row > 0) name += fmt::format(" ({})", row + 1);
    stream_.Thread(track->second, PidOf(core), tid, name,
                   static_cast<int>(rank));
  }
  return track->second;
}

uint64_t PerfettoWriter::CounterTrack(const std::string& name, uint64_t parent,
                                      CounterUnit unit) {
  const auto [track, added] =
      counter_tracks_.try_emplace({parent, name}, next_track_);
  if (added) {
    ++next_track_;
    stream_.Counter(track->second, parent, name, unit);
  }
  return track->second;
}

void PerfettoWriter::BeginLaunch(const clock::LaunchLog& log) {
  log_ = &log;
  timeline_.emplace();
  place_texts_.clear();
  for (const auto& [place, location] : log.places) {
    place_texts_[place] = PlaceText(location);
  }
}

void PerfettoWriter::EndLaunch(const clock::LaunchTime& time) {
  timeline_->Complete();
  WriteLaunch(time);
  for (const auto& [id, core] : timeline_->cores()) WriteCore(id, core);
  WriteSamples();
  begin_ += time.total;
  timeline_.reset();
  log_ = nullptr;
}

void PerfettoWriter::WriteLaunch(const clock::LaunchTime& time) {
  SliceBegin slice{.track = kLaunchTrack,
                   .nanoseconds = Nanoseconds(0),
                   .name = log_->kernel,
                   .category = "launch"};
  slice.annotations = {{"time", std::string_view("simulated")},
                       {"chip", facts_.chip},
                       {"blocks", static_cast<uint64_t>(log_->blocks)},
                       {"total (us)", Microseconds(time.total)},
                       {"cores (us)", Microseconds(time.cores)}};
  if (!facts_.model_error.empty()) {
    slice.annotations.push_back({"model error", facts_.model_error});
  }
  if (!facts_.program.empty()) {
    slice.annotations.push_back({"program", facts_.program});
  }
  stream_.Begin(slice);
  stream_.End(kLaunchTrack, Nanoseconds(time.total));
}

void PerfettoWriter::WriteCore(const CoreId& id, const CoreRows& core) {
  std::vector<ArrowEnd> ends;
  ends.reserve(2 * core.arrows.size());
  for (const Arrow& arrow : core.arrows) {
    const uint64_t flow = next_flow_++;
    ends.push_back(
        {arrow.from.pipe, arrow.from.row, arrow.from.index, flow, true});
    ends.push_back({arrow.to.pipe, arrow.to.row, arrow.to.index, flow, false});
  }
  std::sort(ends.begin(), ends.end(), [](const ArrowEnd& a, const ArrowEnd& b) {
    return std::tie(a.pipe, a.row, a.index, a.flow) <
           std::tie(b.pipe, b.row, b.index, b.flow);
  });
  size_t next_end = 0;
  for (int pipe = 0; pipe < clock::kPipeCount; ++pipe) {
    const std::vector<Row>& rows = core.pipes[static_cast<size_t>(pipe)].rows;
    for (uint32_t row = 0; row < rows.size(); ++row) {
      WriteRow(id, static_cast<abi::Pipe>(pipe), row, rows[row], ends,
               next_end);
    }
  }
  for (const auto& [memory, levels] : core.levels) {
    const uint64_t track =
        CounterTrack(fmt::format("{} in use", npu::NameOf(memory)),
                     CoreTrack(id), CounterUnit::kBytes);
    for (const BufferLevel& level : levels) {
      stream_.Count(track, Nanoseconds(level.at),
                    static_cast<double>(level.bytes));
    }
  }
}

void PerfettoWriter::WriteRow(const CoreId& id, abi::Pipe pipe, uint32_t row,
                              const Row& slices,
                              const std::vector<ArrowEnd>& ends,
                              size_t& next_end) {
  const uint64_t track = PipeTrack(id, pipe, row);
  SliceBegin begin;
  begin.track = track;
  for (uint64_t index = 0; index < slices.size(); ++index) {
    const Slice& slice = slices[index];
    const SliceKind& kind = timeline_->kinds()[slice.kind];
    begin.nanoseconds = Nanoseconds(slice.start);
    begin.name = kind.name;
    begin.category = kind.category;
    begin.annotations.clear();
    const auto place = place_texts_.find(kind.place);
    if (place != place_texts_.end() && !place->second.empty()) {
      begin.annotations.push_back({"source", std::string_view(place->second)});
    }
    begin.annotations.push_back({"block", static_cast<uint64_t>(slice.block)});
    begin.annotations.push_back(
        {"cycles", clock::ToCycles(slice.end - slice.start)});
    for (const auto& [name, size] : kind.sizes) {
      begin.annotations.push_back({name, size});
    }
    if (slice.stall > 0) {
      begin.annotations.push_back(
          {"stall (cycles)", clock::ToCycles(slice.stall)});
      begin.annotations.push_back({"stall cause", CauseText(slice.cause)});
      if (slice.cause == clock::Cause::kFlag ||
          slice.cause == clock::Cause::kQueueFull ||
          slice.cause == clock::Cause::kOrder) {
        begin.annotations.push_back(
            {"waited for", npu::NameOf(slice.waited_for)});
      }
    }
    if (slice.conflict > 0) {
      begin.annotations.push_back(
          {"bank conflicts (cycles)", clock::ToCycles(slice.conflict)});
    }
    if (slice.contention > 0) {
      begin.annotations.push_back(
          {"contention (cycles)", clock::ToCycles(slice.contention)});
    }
    begin.leaving.clear();
    begin.arriving.clear();
    for (; next_end < ends.size() && ends[next_end].pipe == pipe &&
           ends[next_end].row == row && ends[next_end].index == index;
         ++next_end) {
      (ends[next_end].leaves ? begin.leaving : begin.arriving)
          .push_back(ends[next_end].flow);
    }
    stream_.Begin(begin);
    stream_.End(track, Nanoseconds(slice.end));
  }
}

void PerfettoWriter::WriteSamples() {
  const std::vector<clock::MemorySample>& samples = timeline_->samples();
  if (samples.empty()) return;
  const uint64_t read =
      CounterTrack("HBM read", kDeviceTrack, CounterUnit::kGigabytesPerSecond);
  const uint64_t written = CounterTrack("HBM written", kDeviceTrack,
                                        CounterUnit::kGigabytesPerSecond);
  const double to_rate = 1e-3 / Microseconds(clock::kSampleTicks);
  for (size_t i = 0; i < samples.size(); ++i) {
    const clock::MemorySample& sample = samples[i];
    stream_.Count(read, Nanoseconds(sample.begin),
                  static_cast<double>(sample.hbm_read) * to_rate);
    stream_.Count(written, Nanoseconds(sample.begin),
                  static_cast<double>(sample.hbm_written) * to_rate);
    const Ticks end = sample.begin + clock::kSampleTicks;
    if (i + 1 == samples.size() || samples[i + 1].begin > end) {
      stream_.Count(read, Nanoseconds(end), 0);
      stream_.Count(written, Nanoseconds(end), 0);
    }
  }
}

void PerfettoWriter::Finish() {
  file_.close();
  if (!file_) {
    throw UserError(fmt::format("[trace] writing '{}' failed", path_));
  }
}

}  // namespace belay::trace
