// SPDX-License-Identifier: Apache-2.0
#include "clock/auto_sync_waits.h"

#include <algorithm>

#include "check/auto_sync.h"
#include "clock/footprint_end.h"

namespace belay::clock {
namespace {

// Scalar accesses this close together are kept as one range.
constexpr uint64_t kNear = 32;

// On-chip memories lie below it. What follows data may be anywhere in them.
constexpr uint64_t kOnChipEnd = uint64_t{1} << 32;

bool LeavesRegister(abi::Op op) {
  switch (op) {
    case abi::Op::kReduceSum:
    case abi::Op::kReduceMax:
    case abi::Op::kReduceMin:
    case abi::Op::kWholeReduceMax:
    case abi::Op::kWholeReduceMin:
    case abi::Op::kMrgSort:
    case abi::Op::kGatherMask:
      return true;
    default:
      return false;
  }
}

}  // namespace

void AutoSyncWaits::Touched::Add(const Range& range) {
  for (int i = count_ - 1; i >= 0; --i) {
    Range& known = ranges_[i];
    if (known.write == range.write && range.begin <= known.end + kNear &&
        known.begin <= range.end + kNear) {
      known.begin = std::min(known.begin, range.begin);
      known.end = std::max(known.end, range.end);
      return;
    }
  }
  if (count_ < kRanges) {
    ranges_[count_++] = range;
    return;
  }
  Range& last = ranges_[kRanges - 1];
  last = {std::min(last.begin, range.begin), std::max(last.end, range.end),
          last.write || range.write};
}

bool AutoSyncWaits::Touched::ConflictsWith(const Range& range) const {
  return std::any_of(
      ranges_.begin(), ranges_.begin() + count_,
      [&](const Range& known) { return known.ConflictsWith(range); });
}

AutoSyncWaits::PipeState* AutoSyncWaits::StateOf(abi::Pipe pipe) {
  for (size_t i = 0; i < kOrdered.size(); ++i) {
    if (kOrdered[i] == pipe) return &pipes_[i];
  }
  return nullptr;
}

bool AutoSyncWaits::Issue(const npu::InstructionEvent& event,
                          const npu::Footprint& footprint) {
  PipeState* state = StateOf(event.pipe);
  if (state == nullptr) return false;
  Issued& issued = state->recent[state->issued % kRecent];
  ++state->issued;
  issued.count = 0;
  if (LeavesRegister(event.instruction.op)) register_writer_ = state->issued;
  if (!check::TakesTensors(event)) return false;
  bool must_wait = false;
  for (const npu::FootprintUse& use : footprint) {
    const Range range = use.FollowsData()
                            ? Range{0, kOnChipEnd, use.writes()}
                            : Range{use.address, EndOf(use), use.writes()};
    issued.ranges[issued.count++] = range;
    must_wait = must_wait || state->touched.ConflictsWith(range);
  }
  if (must_wait) state->touched.Clear();
  return must_wait;
}

bool AutoSyncWaits::MustWait(PipeState& state, const Range& range) {
  Harmless& harmless = state.harmless;
  if (harmless.issued == state.issued && harmless.write == range.write &&
      harmless.begin <= range.begin && range.end <= harmless.end) {
    return false;
  }
  harmless = {0, UINT64_MAX, state.issued, range.write};
  const uint64_t first =
      std::max(state.waited,
               state.issued > kRecent ? state.issued - kRecent : uint64_t{0});
  for (uint64_t i = state.issued; i > first; --i) {
    const Issued& issued = state.recent[(i - 1) % kRecent];
    for (int use = 0; use < issued.count; ++use) {
      const Range& other = issued.ranges[use];
      if (!other.write && !range.write) continue;
      if (other.end <= range.begin) {
        harmless.begin = std::max(harmless.begin, other.end);
      } else if (other.begin >= range.end) {
        harmless.end = std::min(harmless.end, other.begin);
      } else {
        harmless.end = 0;
        return true;
      }
    }
  }
  return false;
}

AutoSyncWaits::Pipes AutoSyncWaits::Access(const npu::ScalarEvent& event,
                                           bool global) {
  if (!check::TakesTensors(event, global)) return 0;
  const Range range{event.address, event.address + event.bytes, event.write};
  Pipes pipes = 0;
  for (size_t i = 0; i < kOrdered.size(); ++i) {
    PipeState& state = pipes_[i];
    if (state.waited != state.issued && MustWait(state, range)) {
      pipes |= static_cast<Pipes>(1u << static_cast<int>(kOrdered[i]));
      state.waited = state.issued;
    }
    state.touched.Add(range);
  }
  return pipes;
}

AutoSyncWaits::Pipes AutoSyncWaits::ReadRegister(
    const npu::RegisterEvent& event) {
  if (event.core.type != npu::CoreType::kVector ||
      event.which == abi::Register::kControl ||
      event.which == abi::Register::kAtomic) {
    return 0;
  }
  PipeState& vector = *StateOf(abi::Pipe::kV);
  if (register_writer_ <= vector.waited) return 0;
  vector.waited = vector.issued;
  return static_cast<Pipes>(1u << static_cast<int>(abi::Pipe::kV));
}

void AutoSyncWaits::Synchronise(const abi::Instruction& sync) {
  const abi::Sync& flag = sync.sync;
  switch (sync.op) {
    case abi::Op::kSetFlag:
      if (PipeState* from = StateOf(flag.from); from && flag.id < kFlagIds) {
        if (flag.to == abi::Pipe::kS) from->at_flag[flag.id] = from->issued;
      }
      return;
    case abi::Op::kWaitFlag:
      if (PipeState* from = StateOf(flag.from);
          from && flag.to == abi::Pipe::kS && flag.id < kFlagIds) {
        from->waited = std::max(from->waited, from->at_flag[flag.id]);
      }
      if (PipeState* to = StateOf(flag.to); to && flag.from == abi::Pipe::kS) {
        to->touched.Clear();
      }
      return;
    case abi::Op::kPipeBarrier:
    case abi::Op::kDataSyncBarrier:
    case abi::Op::kSyncAll:
      if (sync.op == abi::Op::kPipeBarrier && flag.from != abi::Pipe::kAll) {
        return;
      }
      for (PipeState& state : pipes_) {
        state.waited = state.issued;
        state.touched.Clear();
      }
      return;
    default:
      return;
  }
}

}  // namespace belay::clock
