// SPDX-License-Identifier: Apache-2.0
#include "profile/profile.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "clock/what_if.h"
#include "npu/chip_spec.h"

namespace belay::profile {
namespace {

constexpr double kChange = 0.1;  // of assumed constants
// Beyond this many requests the change is priced on a part of the passes.
constexpr uint64_t kMostRequests = 4'000'000;

double AssumedPercent(const clock::LaunchLog& log, const clock::ClockSpec& spec,
                      const clock::LaunchTime& time, clock::L2State l2) {
  clock::ReplayOptions options;
  options.l2 = l2;
  const clock::ClockSpec changed = spec.WithAssumed(1 + kChange);
  clock::Ticks before = time.total;
  clock::Ticks after = 0;
  if (time.memory.requests > kMostRequests) {
    const clock::LaunchLog part =
        clock::Shortened(log, time.memory.requests / (kMostRequests / 2));
    before = clock::Replay(part, spec, options).total;
    after = clock::Replay(part, changed, options).total;
  } else {
    after = clock::Replay(log, changed, options).total;
  }
  if (before == 0) return 0;
  const double ratio = static_cast<double>(after) / static_cast<double>(before);
  return 100 * std::abs(ratio - 1) / kChange;
}

// Several places of the code may be one line.
std::vector<Line> LinesOf(const clock::LaunchLog& log,
                          const clock::Statistics& statistics,
                          double clock_mhz) {
  using Key = std::tuple<std::string, int, abi::Op, abi::Pipe>;
  std::map<Key, Line> lines;
  for (const clock::SiteFigures& site : statistics.Sites()) {
    SourceLocation location;
    const auto known = log.places.find(site.place);
    if (known != log.places.end()) location = known->second;
    Line& line = lines[{location.file, location.line, site.op, site.pipe}];
    line.location = location;
    line.op = site.op;
    line.pipe = site.pipe;
    line.instructions += site.instructions;
    line.busy += clock::ToMicroseconds(site.busy, clock_mhz);
    line.stalled += clock::ToMicroseconds(site.stalled, clock_mhz);
    line.conflict += clock::ToMicroseconds(site.conflict, clock_mhz);
    line.bytes += site.bytes;
  }
  std::vector<Line> sorted;
  for (auto& [key, line] : lines) sorted.push_back(std::move(line));
  std::ranges::stable_sort(
      sorted, [](const Line& a, const Line& b) { return a.busy > b.busy; });
  return sorted;
}

void AddVectorWork(const clock::Statistics& statistics,
                   LaunchProfile& profile) {
  profile.flops = statistics.flops();
  const double seconds = profile.Microseconds(profile.time.total) * 1e-6;
  if (profile.flops == 0 || seconds == 0) return;
  // One operation for each lane and cycle, on all cores.
  const double repeats = statistics.full_repeats();
  const double lanes = static_cast<double>(profile.flops) / repeats;
  profile.vector_rate = static_cast<double>(profile.flops) / seconds;
  profile.vector_peak = profile.vector_cores * profile.clock_mhz * 1e6 * lanes;
  profile.vector_share = profile.vector_rate / profile.vector_peak;
}

void AddCubeWork(const clock::Statistics& statistics, LaunchProfile& profile) {
  profile.cube_flops = 2 * statistics.products();
  const double seconds = profile.Microseconds(profile.time.total) * 1e-6;
  if (profile.cube_flops == 0 || seconds == 0) return;
  const double cycles = seconds * profile.clock_mhz * 1e6;
  profile.cube_rate = static_cast<double>(profile.cube_flops) / seconds;
  profile.cube_share = static_cast<double>(statistics.cube_steps()) /
                       (cycles * profile.cube_cores);
  profile.cube_peak = profile.cube_rate / profile.cube_share;
}

}  // namespace

LaunchProfile ProfileLaunch(const clock::LaunchLog& log,
                            const clock::ClockSpec& spec,
                            const ProfileOptions& options) {
  LaunchProfile profile;
  const npu::ChipSpec chip = npu::LoadChip(log.chip);
  profile.kernel = log.kernel;
  profile.chip = chip.name;
  profile.title = chip.title;
  profile.clock_mhz = spec.clock_mhz();
  profile.blocks = log.blocks;
  profile.vector_cores = spec.vector_cores();
  profile.cube_cores = spec.cube_cores();
  profile.timing_only = log.timing_only;
  profile.l2 = options.l2;
  profile.model_error = clock::LoadModelError();

  clock::Statistics statistics(log, spec);
  std::vector<clock::TimelineSink*> sinks = {&statistics};
  if (options.sink != nullptr) sinks.push_back(options.sink);
  clock::SinkTee tee(sinks);
  clock::ReplayOptions replay;
  replay.l2 = options.l2;
  replay.sink = &tee;
  profile.time = clock::Replay(log, spec, replay);
  profile.bound = clock::HardwareBound(log, spec, options.l2);
  profile.assumed_percent = AssumedPercent(log, spec, profile.time, options.l2);

  profile.stalls = statistics.Stalls();
  profile.lines = LinesOf(log, statistics, profile.clock_mhz);
  profile.reads = statistics.reads();
  profile.writes = statistics.writes();
  AddVectorWork(statistics, profile);
  AddCubeWork(statistics, profile);
  profile.hbm_peak = spec.Value("bound.hbm_read") * 1e9;
  const bool only_cube = std::ranges::all_of(
      profile.time.core_times,
      [](const clock::CoreTime& core) { return core.cube; });
  profile.buffer_bytes =
      chip.BytesOf(only_cube ? abi::Memory::kL1 : abi::Memory::kUb);
  profile.l1_bytes = chip.BytesOf(abi::Memory::kL1);
  if (options.advise) {
    profile.advice = clock::Advise(
        {log, spec, options.l2, profile.time, statistics, profile.bound});
  }
  return profile;
}

int CoresOf(const clock::LaunchTime& time, bool cube) {
  return static_cast<int>(std::ranges::count_if(
      time.core_times,
      [cube](const clock::CoreTime& core) { return core.cube == cube; }));
}

clock::PipeTime SumOf(const clock::LaunchTime& time, abi::Pipe pipe,
                      std::optional<bool> cube) {
  clock::PipeTime sum;
  for (const clock::CoreTime& core : time.core_times) {
    if (cube && core.cube != *cube) continue;
    const clock::PipeTime& own = core.pipes[static_cast<int>(pipe)];
    sum.busy += own.busy;
    sum.instructions += own.instructions;
    for (int cause = 0; cause < clock::kCauseCount; ++cause) {
      sum.stalled[cause] += own.stalled[cause];
    }
  }
  return sum;
}

std::string_view NameOf(clock::Cause cause) {
  switch (cause) {
    case clock::Cause::kNone:
      return "none";
    case clock::Cause::kIssue:
      return "issue";
    case clock::Cause::kFlag:
      return "flag";
    case clock::Cause::kBarrier:
      return "barrier";
    case clock::Cause::kOrder:
      return "auto-sync";
    case clock::Cause::kQueueFull:
      return "queue full";
    case clock::Cause::kMemory:
      return "scalar memory";
    case clock::Cause::kBlocks:
      return "other blocks";
    case clock::Cause::kStart:
      return "start";
    case clock::Cause::kEnd:
      return "end";
    case clock::Cause::kCount:
      break;
  }
  return "";
}

}  // namespace belay::profile
