// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_CLOCK_CORES_H_
#define BELAY_CHECK_CLOCK_CORES_H_

// The clocks of all cores of a launch, and the order that synchronisation,
// inside a core and between cores, brings into them.

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/clock.h"
#include "npu/core.h"
#include "npu/cross_core_flags.h"

namespace belay::check {

class CoreClocks {
 public:
  // Forgets everything: a launch on some of `slots` cores begins.
  void Begin(int slots, const npu::LaunchShape& shape);

  CoreClock& Of(const npu::Core& core) { return cores_[core.slot]; }
  const CoreClock& Of(int slot) const { return cores_[slot]; }

  // A block starts on a core when the one before it there has ended.
  void BeginBlock(const npu::Core& core);

  // A synchronisation is issued.
  void Synchronise(const npu::Core& core, const abi::Instruction& instruction);

  // A wait for other blocks is over.
  void Waited(const npu::Core& core, const abi::Instruction& instruction);

  // Order that the scalar units pass on through global memory: what core
  // `core` did and knew so far is known to those who load from `line` after
  // it. For stores past the data cache, and for lines the cache wrote back.
  void PublishLine(const npu::Core& core, uint64_t line) {
    PublishLines(core, {&line, 1});
  }
  void PublishLines(const npu::Core& core, std::span<const uint64_t> lines);
  void LearnFromLine(const npu::Core& core, uint64_t line);

 private:
  // The workspace, the event and the block that name a flag between blocks.
  using BlockFlag = std::tuple<uint64_t, uint32_t, uint32_t>;
  using Turn = std::tuple<uint64_t, int>;
  // Who meets: as the instruction's mode and id say.
  using MeetingKind = std::pair<uint8_t, uint32_t>;

  static MeetingKind KindOf(const abi::Instruction& meeting) {
    return {meeting.mode, meeting.sync.id};
  }
  static void JoinInto(CoreCounts& into, const CoreCounts& from) {
    into = JoinCounts(into, from);
  }

  npu::LaunchShape shape_;
  std::vector<CoreClock> cores_;
  // SyncAll: how many each core has reached, and what those that came knew.
  std::vector<std::map<MeetingKind, uint64_t>> meetings_reached_;
  std::map<std::pair<MeetingKind, uint64_t>, CoreCounts> meetings_;
  // What the sets behind each step of a flag's counter knew.
  npu::CrossCoreFlags<CoreCounts, JoinInto> flags_;
  std::map<BlockFlag, CoreCounts> block_flags_;
  std::map<Turn, CoreCounts> turns_;  // by workspace and block that finished
  struct Published {
    int slot = 0;  // of the last core
    CoreCounts counts;
  };
  std::unordered_map<uint64_t, Published> lines_;
};

}  // namespace belay::check

#endif  // BELAY_CHECK_CLOCK_CORES_H_
