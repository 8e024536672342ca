// SPDX-License-Identifier: Apache-2.0
#include "check/clock_cores.h"

namespace belay::check {

void CoreClocks::Begin(int slots, const npu::LaunchShape& shape) {
  shape_ = shape;
  cores_.clear();
  for (int slot = 0; slot < slots; ++slot) cores_.emplace_back(slot, slots);
  meetings_reached_.assign(slots, {});
  meetings_.clear();
  flags_ = npu::CrossCoreFlags<CoreCounts, JoinInto>(shape);
  block_flags_.clear();
  turns_.clear();
  lines_.clear();
}

void CoreClocks::BeginBlock(const npu::Core& core) {
  Of(core).Barrier(abi::Pipe::kAll);
}

void CoreClocks::Synchronise(const npu::Core& core,
                             const abi::Instruction& instruction) {
  const abi::Sync& sync = instruction.sync;
  CoreClock& clock = Of(core);
  const uint64_t workspace = instruction.dst.address;
  switch (instruction.op) {
    case abi::Op::kSetFlag:
      return clock.SetFlag(sync);
    case abi::Op::kWaitFlag:
      return clock.WaitFlag(sync);
    case abi::Op::kPipeBarrier:
      return clock.Barrier(sync.from);
    case abi::Op::kDataSyncBarrier:
      return clock.DataBarrier();
    case abi::Op::kSyncAll: {
      const MeetingKind kind = KindOf(instruction);
      JoinInto(meetings_[{kind, meetings_reached_[core.slot][kind]++}],
               clock.ReleaseToCores(sync.from));
      return;
    }
    case abi::Op::kCrossCoreSetFlag:
      return flags_.Set(npu::ParticipantOf(core), instruction.mode, sync.id,
                        clock.ReleaseToCores(sync.from));
    case abi::Op::kIbSet: {
      CoreCounts& flag = block_flags_[{workspace, sync.id, sync.block}];
      flag = JoinCounts(flag, clock.ReleaseToCores(abi::Pipe::kAll));
      return;
    }
    case abi::Op::kNotifyNextBlock:
      turns_[{workspace, core.block}] = clock.ReleaseToCores(abi::Pipe::kAll);
      return;
    case abi::Op::kIbWait:
    case abi::Op::kWaitPreBlock:
      // They look at global memory through the core's own pipes, which have
      // done all before when the wait is over.
      return clock.Barrier(abi::Pipe::kAll);
    default:
      return;
  }
}

void CoreClocks::Waited(const npu::Core& core,
                        const abi::Instruction& instruction) {
  const abi::Sync& sync = instruction.sync;
  CoreClock& clock = Of(core);
  const uint64_t workspace = instruction.dst.address;
  switch (instruction.op) {
    case abi::Op::kSyncAll: {
      const MeetingKind kind = KindOf(instruction);
      const uint64_t meeting = meetings_reached_[core.slot][kind] - 1;
      clock.AcquireFromCores(sync.to, meetings_[{kind, meeting}]);
      // Everybody has left the meetings before the last one.
      if (meeting > 0) meetings_.erase({kind, meeting - 1});
      return;
    }
    case abi::Op::kCrossCoreWaitFlag: {
      const npu::Participant self = npu::ParticipantOf(core);
      if (flags_.CountOf(self, sync.id) == 0) return;
      clock.AcquireFromCores(abi::Pipe::kAll, flags_.Take(self, sync.id));
      return;
    }
    case abi::Op::kIbWait: {
      const auto flag = block_flags_.find({workspace, sync.id, sync.block});
      if (flag == block_flags_.end()) return;
      clock.AcquireFromCores(abi::Pipe::kAll, flag->second);
      block_flags_.erase(flag);
      return;
    }
    case abi::Op::kWaitPreBlock: {
      const bool cube = core.type == npu::CoreType::kCube;
      const int blocks = shape_.blocks * shape_.PartsOf(cube);
      const int before = (core.block == 0 ? blocks : core.block) - 1;
      const auto turn = turns_.find({workspace, before});
      if (turn == turns_.end()) return;
      clock.AcquireFromCores(abi::Pipe::kAll, turn->second);
      return;
    }
    default:
      return;
  }
}

void CoreClocks::PublishLines(const npu::Core& core,
                              std::span<const uint64_t> lines) {
  if (lines.empty()) return;
  const CoreCounts counts = Of(core).ReleaseToCores(abi::Pipe::kS);
  for (const uint64_t line : lines) {
    Published& published = lines_[line];
    published.slot = core.slot;
    published.counts = JoinCounts(published.counts, counts);
  }
}

void CoreClocks::LearnFromLine(const npu::Core& core, uint64_t line) {
  const auto published = lines_.find(line);
  if (published == lines_.end() || published->second.slot == core.slot) return;
  Of(core).AcquireFromCores(abi::Pipe::kS, published->second.counts);
}

}  // namespace belay::check
