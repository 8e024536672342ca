// SPDX-License-Identifier: Apache-2.0
#include "clock/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "base/error.h"
#include "clock/core_costs.h"
#include "clock/core_replay.h"
#include "clock/memory_system.h"
#include "clock/traffic.h"
#include "npu/cross_core_flags.h"

namespace belay::clock {
namespace {

// When the cores of a launch begin.
struct LaunchCosts {
  explicit LaunchCosts(const ClockSpec& spec) {
    const auto ticks = [&](std::string_view key) {
      return FromCycles(spec.Value(key) * spec.clock_mhz());
    };
    start = ticks("launch.start_us");
    core_start = ticks("launch.core_start_us");
    head = ticks("launch.head_us");
    block = ticks("launch.block_us");
    finish = ticks("launch.finish_us");
    mix = ticks("launch.mix_us");
  }
  Ticks start, core_start, head, block, finish, mix;
};

class LaunchReplay : public Outside {
 public:
  LaunchReplay(const LaunchLog& log, const ClockSpec& spec,
               const ReplayOptions& options)
      : log_(log),
        launch_(spec),
        costs_(spec),
        memory_(spec, static_cast<uint64_t>(spec.Value("memory.l2_bytes")),
                options.sink),
        traffic_(spec, memory_),
        sink_(options.sink),
        flags_(ShapeOf(log)) {
    AddLanes();
    if (options.l2 == L2State::kWarm) WarmUp();
  }

  LaunchTime Run() {
    Begin();
    Traffic::Finished finished;
    while (true) {
      if (!traffic_.RunToFinish(finished)) {
        if (AllEnded()) break;
        ReleaseAll();
        continue;
      }
      Lane& lane = lanes_[finished.core];
      lane.replay->OnMoved(finished.pipe, finished.moved);
      Advance(lane);
    }
    memory_.Finish();
    return Summarise();
  }

  void StartMove(CoreReplay& core, abi::Pipe pipe, Ticks at,
                 const Record& record) override {
    traffic_.Start(NumberOf(core), pipe, at, record);
  }

  // The n-th meetings of the blocks that have one of its kind are one meeting.
  void Meet(CoreReplay& core, const SyncWork& sync, Ticks at) override {
    const int number = NumberOf(core);
    const MeetingKind kind = KindOf(sync);
    Meeting& meeting = meetings_.at({kind, lanes_[number].meetings[kind]++});
    meeting.last = std::max(meeting.last, at);
    meeting.waiting.push_back(number);
    if (++meeting.arrived == meeting.expected) Release(meeting);
  }

  void Notify(uint64_t token, Ticks at) override {
    notified_[token] = at;
    const auto found = awaited_.find(token);
    if (found == awaited_.end()) return;
    for (const int number : found->second) released_.push_back({number, at});
    awaited_.erase(found);
  }

  void TellCores(CoreReplay& core, const SyncWork& flag, Ticks at) override {
    const npu::Participant setter = ParticipantOf(core);
    flags_.Set(setter, flag.distance, flag.id, at);
    for (const npu::Participant& told :
         flags_.modes().Told(setter, flag.distance)) {
      const auto waiting = waiting_.find(told);
      if (waiting == waiting_.end() ||
          flags_.CountOf(told, waiting->second.id) == 0) {
        continue;
      }
      released_.push_back(
          {waiting->second.lane, flags_.Take(told, waiting->second.id)});
      waiting_.erase(waiting);
    }
  }

  void AwaitCores(CoreReplay& core, uint32_t id, Ticks) override {
    const npu::Participant self = ParticipantOf(core);
    if (flags_.CountOf(self, id) > 0) {
      core.OnMet(flags_.Take(self, id));
    } else {
      waiting_[self] = {NumberOf(core), id};
    }
  }

  void Await(CoreReplay& core, uint64_t token, Ticks at) override {
    const auto found = notified_.find(token);
    if (token == 0 || found != notified_.end()) {
      core.OnMet(token == 0 ? at : found->second);
    } else {
      awaited_[token].push_back(NumberOf(core));
    }
  }

 private:
  // Whether cube cores take part, and how many blocks do.
  using MeetingKind = std::pair<uint8_t, uint32_t>;
  static MeetingKind KindOf(const SyncWork& sync) {
    return {sync.by_queue, sync.id};
  }
  static void KeepLater(Ticks& into, const Ticks& from) {
    into = std::max(into, from);
  }

  // A core and the blocks that run on it, one after the other.
  struct Lane {
    std::unique_ptr<CoreReplay> replay;
    std::vector<const BlockLog*> blocks;
    size_t block = 0;  // the next one to begin
    std::optional<Sequence::Cursor> cursor;
    std::map<MeetingKind, size_t> meetings;  // of the block so far
    Record record;
    bool ended = false;
  };
  struct Meeting {
    int expected = 0;
    int arrived = 0;
    Ticks last = 0;
    std::vector<int> waiting;
  };

  // A core that waits for a flag between cores.
  struct Waiting {
    int lane = 0;
    uint32_t id = 0;
  };

  static npu::Participant ParticipantOf(const CoreReplay& core) {
    return {core.cube(), core.block()};
  }

  // Cores of each type that a block of the launch has.
  static npu::LaunchShape ShapeOf(const LaunchLog& log) {
    const auto cubes =
        std::count_if(log.logs.begin(), log.logs.end(),
                      [](const BlockLog& block) { return block.cube; });
    const int blocks = std::max(log.blocks, 1);
    const int vectors = static_cast<int>(log.logs.size() - cubes);
    return {static_cast<int>(cubes) / blocks, vectors / blocks, blocks};
  }

  int NumberOf(const CoreReplay& core) const {
    return number_.at({core.cube(), core.core()});
  }

  void AddLanes() {
    for (const BlockLog& block : log_.logs) {
      const std::pair<bool, int> key = {block.cube, block.core};
      if (!number_.contains(key)) {
        number_[key] = traffic_.AddCore(block.cube);
        Lane& lane = lanes_.emplace_back();
        lane.replay = std::make_unique<CoreReplay>(costs_, *this, sink_,
                                                   block.core, block.cube);
      }
      lanes_[number_[key]].blocks.push_back(&block);
      std::map<MeetingKind, uint64_t> counts;
      block.records.ForEachFolded([&](const Record& record, uint64_t times) {
        if (record.kind == Kind::kMeet) counts[KindOf(record.sync)] += times;
      });
      for (const auto& [kind, count] : counts) {
        for (uint64_t i = 0; i < count; ++i) ++meetings_[{kind, i}].expected;
      }
    }
  }

  // Inputs that fit stay in L2, as if they had been used just before.
  void WarmUp() {
    std::set<const LoggedAllocation*> read;
    for (const BlockLog& block : log_.logs) {
      block.records.ForEachFolded([&](const Record& record, uint64_t) {
        if (record.kind != Kind::kMove || record.pipe != abi::Pipe::kMte2) {
          return;
        }
        const LoggedAllocation* found = Containing(record.move.address);
        if (found != nullptr) read.insert(found);
      });
    }
    for (const LoggedAllocation& allocation : log_.allocations) {
      if (!read.contains(&allocation)) continue;
      const uint64_t end = allocation.address + allocation.bytes;
      for (uint64_t line = allocation.address / kLineBytes;
           line * kLineBytes < end; ++line) {
        memory_.Preload(line);
      }
    }
  }

  const LoggedAllocation* Containing(uint64_t address) const {
    for (const LoggedAllocation& allocation : log_.allocations) {
      if (address - allocation.address < allocation.bytes) return &allocation;
    }
    return nullptr;
  }

  // Cores start one after the other; each fetches its code and arguments before
  // its first instruction.
  void Begin() {
    const auto cores = static_cast<Ticks>(lanes_.size());
    const auto cubes =
        std::count_if(lanes_.begin(), lanes_.end(),
                      [](const Lane& lane) { return lane.replay->cube(); });
    const bool mix = cubes != 0 && cubes != cores;
    first_start_ = launch_.start + (mix ? launch_.mix : 0);
    if (cores == 0) return;
    Ticks at = first_start_;
    for (Lane& lane : lanes_) {
      lane.replay->Begin(at);
      BeginBlock(lane, at + launch_.head);
      at += launch_.core_start;
    }
    for (Lane& lane : lanes_) Advance(lane);
  }

  void BeginBlock(Lane& lane, Ticks at) {
    const BlockLog& block = *lane.blocks[lane.block++];
    lane.replay->BeginBlock(block.block, at);
    lane.meetings.clear();
    lane.cursor.emplace(block.records);
  }

  // Feeds a core until it must wait, or all its blocks have ended; then those
  // it released.
  void Advance(Lane& lane) {
    AdvanceOne(lane);
    AdvanceReleased();
  }

  void AdvanceReleased() {
    while (!released_.empty()) {
      const auto [number, at] = released_.front();
      released_.pop_front();
      lanes_[number].replay->OnMet(at);
      AdvanceOne(lanes_[number]);
    }
  }

  void AdvanceOne(Lane& lane) {
    CoreReplay& core = *lane.replay;
    core.Run();
    while (true) {
      while (lane.cursor && core.WantsRecord()) {
        if (!lane.cursor->Next(lane.record)) {
          lane.cursor.reset();
          break;
        }
        core.Feed(lane.record, log_.scalar[lane.record.scalar]);
      }
      if (lane.cursor || !core.IsDrained() || lane.ended) return;
      core.EndBlock();
      if (lane.block == lane.blocks.size()) {
        lane.ended = true;
        return;
      }
      BeginBlock(lane, core.time().end + launch_.block);
    }
  }

  bool AllEnded() const {
    return std::all_of(lanes_.begin(), lanes_.end(),
                       [](const Lane& lane) { return lane.ended; });
  }

  void Release(Meeting& meeting) {
    for (const int number : meeting.waiting) {
      released_.push_back({number, meeting.last + costs_.meet()});
    }
    meeting.waiting.clear();
  }

  // Nothing moves, and cores wait for blocks that cannot come before they have
  // ended: lets them go on.
  void ReleaseAll() {
    for (auto& [key, meeting] : meetings_) {
      meeting.last = std::max(meeting.last, memory_.last());
      Release(meeting);
    }
    if (released_.empty()) {
      throw InternalError("[replay] a core waits for what never comes");
    }
    AdvanceReleased();
  }

  LaunchTime Summarise() const {
    LaunchTime time;
    time.launch = first_start_;
    Ticks end = first_start_;
    for (const Lane& lane : lanes_) {
      const CoreTime& core = lane.replay->time();
      end = std::max(end, core.end);
      time.core_times.push_back(core);
    }
    time.cores = end - first_start_;
    time.finish = launch_.finish;
    time.total = end + launch_.finish;
    time.memory = memory_.totals();
    return time;
  }

  const LaunchLog& log_;
  const LaunchCosts launch_;
  const CoreCosts costs_;
  MemorySystem memory_;
  Traffic traffic_;
  TimelineSink* sink_;
  std::deque<Lane> lanes_;
  std::map<std::pair<bool, int>, int> number_;
  Ticks first_start_ = 0;
  std::map<std::pair<MeetingKind, uint64_t>, Meeting> meetings_;
  npu::CrossCoreFlags<Ticks, KeepLater> flags_;
  std::map<npu::Participant, Waiting> waiting_;
  std::map<uint64_t, Ticks> notified_;
  std::map<uint64_t, std::vector<int>> awaited_;
  std::deque<std::pair<int, Ticks>> released_;
};

}  // namespace

LaunchTime Replay(const LaunchLog& log, const ClockSpec& spec,
                  const ReplayOptions& options) {
  return LaunchReplay(log, spec, options).Run();
}

}  // namespace belay::clock
