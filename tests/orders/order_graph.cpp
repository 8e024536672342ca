// SPDX-License-Identifier: Apache-2.0
#include "order_graph.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "check/auto_sync.h"
#include "npu/cross_core_flags.h"
#include "npu/names.h"

namespace belay::orders {
namespace {

using abi::Op;
using abi::Pipe;

constexpr int kPipes = 7;
constexpr int kScalar = static_cast<int>(Pipe::kS);

// For each pipe of a core, how many of its events are complete.
using Known = std::array<uint32_t, kPipes>;

void Raise(Known& into, const Known& from) {
  for (int i = 0; i < kPipes; ++i) into[i] = std::max(into[i], from[i]);
}

struct Signal {
  int node;
  Known known;
};

struct PipeState {
  int fence = -1;         // later events come behind it
  std::vector<int> open;  // nodes that nothing waits for yet
  Known known{};          // complete before what comes next
  uint32_t count = 0;     // events so far
  // Events with memory, and their number on this pipe.
  std::vector<std::pair<int, uint32_t>> accesses;
};

struct CoreState {
  std::array<PipeState, kPipes> pipes;
  int gate = -1;  // the last thing the scalar unit waited for
  Known gate_known{};
  std::map<std::tuple<Pipe, Pipe, uint32_t>, Signal> flags;
  uint64_t meetings = 0;
  std::map<uint32_t, int> register_writer;
  std::map<uint32_t, std::vector<int>> register_readers;
  std::set<uint64_t> dirty_lines;
  std::set<uint64_t> dropped_lines;
  bool dropped_all = false;
};

bool Conflicts(const Event& a, const Event& b) {
  for (const Touch& x : a.touches) {
    for (const Touch& y : b.touches) {
      if ((x.write || y.write) && x.begin < y.end && y.begin < x.end) {
        return true;
      }
    }
  }
  return false;
}

// Registers, by bits.
enum RegisterBits : uint32_t {
  kCompareMask = 1,
  kSum = 2,
  kBest = 4,
  kMergedCounts = 8,
  kGatheredCount = 16
};

uint32_t RegistersWritten(Op op) {
  switch (op) {
    case Op::kCompareToMask:
    case Op::kSetCmpMask:
      return kCompareMask;
    case Op::kReduceSum:
      return kSum;
    case Op::kReduceMax:
    case Op::kReduceMin:
    case Op::kWholeReduceMax:
    case Op::kWholeReduceMin:
      return kBest;
    case Op::kMrgSort:
      return kMergedCounts;
    case Op::kGatherMask:
      return kGatheredCount;
    default:
      return 0;
  }
}

uint32_t RegistersRead(Op op) {
  return op == Op::kSelect || op == Op::kGetCmpMask ? uint32_t{kCompareMask}
                                                    : 0;
}

uint32_t BitOf(abi::Register which) {
  switch (which) {
    case abi::Register::kReducedSum:
      return kSum;
    case abi::Register::kReducedValue:
    case abi::Register::kReducedIndex:
      return kBest;
    case abi::Register::kMerged:
      return kMergedCounts;
    default:
      return 0;
  }
}

class Builder {
 public:
  Builder(const Recording& recording, bool auto_sync, const npu::Chip& chip)
      : recording_(recording),
        auto_sync_(auto_sync),
        on_chip_(chip.on_chip()),
        vector_cores_(chip.spec().vector_cores),
        cores_(chip.on_chip().slots()),
        core_flags_(npu::ShapeOf(recording.launch)) {}

  std::vector<OrderNode> Build() {
    for (size_t i = 0; i < recording_.events.size(); ++i) {
      Take(static_cast<int>(i), recording_.events[i]);
    }
    return std::move(nodes_);
  }

 private:
  using BlockFlag = std::tuple<uint64_t, uint32_t, uint32_t>;

  static void Append(std::vector<int>& into, const std::vector<int>& from) {
    into.insert(into.end(), from.begin(), from.end());
  }

  npu::Participant ParticipantOf(const Event& event) const {
    return {event.slot >= vector_cores_, event.block};
  }

  int NewNode(int event) {
    nodes_.push_back({event, {}});
    return static_cast<int>(nodes_.size()) - 1;
  }
  void Edge(int before, int after) {
    if (before < 0 || before == after) return;
    nodes_[after].after.push_back(before);
  }
  void Edges(const std::vector<int>& before, int after) {
    for (const int node : before) Edge(node, after);
  }

  // `node` comes next on a pipe.
  void Follow(CoreState& core, int pipe, int node) {
    Edge(core.pipes[pipe].fence, node);
    Edge(core.gate, node);
  }
  Known KnownTo(const CoreState& core, int pipe) const {
    Known known = core.pipes[pipe].known;
    Raise(known, core.gate_known);
    return known;
  }

  // All that `pipe` was given so far is before `node`.
  Known Release(CoreState& core, int pipe, int node) {
    PipeState& state = core.pipes[pipe];
    Follow(core, pipe, node);
    Edges(state.open, node);
    state.open = {node};
    Known known = KnownTo(core, pipe);
    known[pipe] = state.count;
    return known;
  }
  // All that `pipe` is given later is behind `node`.
  void Acquire(CoreState& core, int pipe, int node, const Known& known) {
    PipeState& state = core.pipes[pipe];
    Follow(core, pipe, node);
    state.fence = node;
    Raise(state.known, known);
    if (pipe != kScalar) return;
    // Accesses of the scalar unit come one behind the other.
    Edges(state.open, node);
    state.open = {node};
    core.gate = node;
    Raise(core.gate_known, state.known);
  }

  void BarrierAll(CoreState& core, int node) {
    Known known{};
    for (int pipe = 0; pipe < kPipes; ++pipe) {
      Raise(known, Release(core, pipe, node));
    }
    for (PipeState& pipe : core.pipes) {
      pipe.fence = node;
      pipe.open = {node};
      pipe.known = known;
    }
    core.gate = node;
    core.gate_known = known;
  }

  void Barrier(CoreState& core, Pipe which, int node) {
    if (which == Pipe::kAll) return BarrierAll(core, node);
    if (which == Pipe::kS) return;
    const int pipe = static_cast<int>(which);
    const Known known = Release(core, pipe, node);
    core.pipes[pipe].fence = node;
    core.pipes[pipe].known = known;
  }

  // What the compiler puts before the event, which conflicts with earlier ones
  // of other pipes, or of its own.
  void AutoSync(CoreState& core, const Event& event, Pipe to,
                uint32_t register_read) {
    for (int from = 0; from < kPipes; ++from) {
      if (!check::AutoSyncOrders(static_cast<Pipe>(from), to)) continue;
      const uint32_t done = KnownTo(core, static_cast<int>(to))[from];
      const auto& accesses = core.pipes[from].accesses;
      const bool conflicts = std::any_of(
          accesses.rbegin(),
          std::find_if(accesses.rbegin(), accesses.rend(),
                       [&](const auto& it) { return it.second <= done; }),
          [&](const auto& access) {
            const Event& earlier = recording_.events[access.first];
            return earlier.takes_tensors &&
                   (Conflicts(earlier, event) ||
                    (register_read & RegistersWritten(earlier.instruction.op) &&
                     earlier.is_vector));
          });
      if (!conflicts) continue;
      if (from == static_cast<int>(to)) {
        Barrier(core, to, NewNode(-1));
      } else {
        const int set = NewNode(-1);
        const Known known = Release(core, from, set);
        const int wait = NewNode(-1);
        Edge(set, wait);
        Acquire(core, static_cast<int>(to), wait, known);
      }
    }
  }

  // An event with effects on `pipe`.
  int Access(CoreState& core, int index, const Event& event, Pipe pipe,
             uint32_t register_read = 0) {
    if (auto_sync_ && event.takes_tensors) {
      AutoSync(core, event, pipe, register_read);
    }
    const int at = static_cast<int>(pipe);
    PipeState& state = core.pipes[at];
    const int node = NewNode(index);
    if (at == kScalar) {
      Release(core, at, node);
    } else {
      Follow(core, at, node);
      state.open.push_back(node);
    }
    state.accesses.emplace_back(index, ++state.count);
    return node;
  }

  void KeepRegistersInOrder(CoreState& core, const Event& event, int node) {
    const Op op = event.instruction.op;
    const uint32_t written = RegistersWritten(op);
    const uint32_t touched = written | RegistersRead(op);
    for (uint32_t bit = 1; bit <= touched; bit <<= 1) {
      if ((touched & bit) == 0) continue;
      if (const auto writer = core.register_writer.find(bit);
          writer != core.register_writer.end()) {
        Edge(writer->second, node);
      }
      std::vector<int>& readers = core.register_readers[bit];
      if ((written & bit) == 0) {
        readers.push_back(node);
        continue;
      }
      Edges(readers, node);
      readers.clear();
      core.register_writer[bit] = node;
    }
  }

  void TakeInstruction(CoreState& core, int index, const Event& event) {
    switch (npu::FamilyOf(event.instruction.op)) {
      case npu::Family::kQueue:
      case npu::Family::kRegister:
        return;
      case npu::Family::kSync:
        return Synchronise(core, index, event);
      case npu::Family::kCache:
        return Clean(core, index, event);
      default:
        break;
    }
    const int node = Access(core, index, event, event.pipe);
    if (event.is_vector) KeepRegistersInOrder(core, event, node);
  }

  void Synchronise(CoreState& core, int index, const Event& event) {
    const abi::Sync& sync = event.instruction.sync;
    const auto flag = std::make_tuple(sync.from, sync.to, sync.id);
    const uint64_t workspace = event.instruction.dst.address;
    const int node = NewNode(index);
    switch (event.instruction.op) {
      case Op::kSetFlag:
        core.flags[flag] = {node,
                            Release(core, static_cast<int>(sync.from), node)};
        return;
      case Op::kWaitFlag: {
        const Signal& signal = core.flags.at(flag);
        Edge(signal.node, node);
        return Acquire(core, static_cast<int>(sync.to), node, signal.known);
      }
      case Op::kPipeBarrier:
        return Barrier(core, sync.from, node);
      case Op::kDataSyncBarrier: {
        const Known known = Release(core, kScalar, node);
        return Acquire(core, kScalar, node, known);
      }
      case Op::kSyncAll:
        ReleaseToCores(core, sync.from, node);
        arrived_[core.meetings++].push_back(node);
        return;
      case Op::kCrossCoreSetFlag:
        ReleaseToCores(core, sync.from, node);
        core_flags_.Set(ParticipantOf(event), event.instruction.mode, sync.id,
                        {node});
        return;
      case Op::kIbSet:
        BarrierAll(core, node);
        block_flags_[{workspace, sync.id, sync.block}].push_back(node);
        return;
      case Op::kNotifyNextBlock:
        BarrierAll(core, node);
        turns_[{workspace, event.block}] = node;
        return;
      case Op::kIbWait:
      case Op::kWaitPreBlock:
        return BarrierAll(core, node);
      default:
        return;
    }
  }

  // Other cores learn that all `pipe` was given so far is done.
  void ReleaseToCores(CoreState& core, Pipe pipe, int node) {
    if (pipe == Pipe::kAll) return BarrierAll(core, node);
    Release(core, static_cast<int>(pipe), node);
  }
  // What `to` is given later is behind what other cores told.
  void AcquireFromCores(CoreState& core, Pipe to, int node) {
    for (int pipe = 0; pipe < kPipes; ++pipe) {
      if (to == Pipe::kAll || static_cast<int>(to) == pipe) {
        Acquire(core, pipe, node, Known{});
      }
    }
  }

  void TakeWaited(CoreState& core, int index, const Event& event) {
    const abi::Sync& sync = event.instruction.sync;
    const uint64_t workspace = event.instruction.dst.address;
    const int node = NewNode(index);
    switch (event.instruction.op) {
      case Op::kSyncAll:
        Edges(arrived_[core.meetings - 1], node);
        return AcquireFromCores(core, sync.to, node);
      case Op::kCrossCoreWaitFlag: {
        const npu::Participant self = ParticipantOf(event);
        if (core_flags_.CountOf(self, sync.id) == 0) return;
        Edges(core_flags_.Take(self, sync.id), node);
        return AcquireFromCores(core, Pipe::kAll, node);
      }
      case Op::kIbWait: {
        auto& flag = block_flags_[{workspace, sync.id, sync.block}];
        Edges(flag, node);
        flag.clear();
        return BarrierAll(core, node);
      }
      default: {
        const npu::LaunchShape shape = npu::ShapeOf(recording_.launch);
        const int cores =
            shape.blocks * shape.PartsOf(ParticipantOf(event).cube);
        const int before = (event.block == 0 ? cores : event.block) - 1;
        if (const auto turn = turns_.find({workspace, before});
            turn != turns_.end()) {
          Edge(turn->second, node);
        }
        return BarrierAll(core, node);
      }
    }
  }

  // Keeps signals through a line of global memory in order.
  void Signalled(int node, uint64_t line) {
    if (const auto last = lines_.find(line); last != lines_.end()) {
      Edge(last->second, node);
    }
    lines_[line] = node;
  }

  void Clean(CoreState& core, int index, const Event& event) {
    const int node = Access(core, index, event, Pipe::kS);
    const abi::Cache& cache = event.instruction.cache;
    if (cache.entire) {
      for (const uint64_t line : core.dirty_lines) Signalled(node, line);
      core.dirty_lines.clear();
      core.dropped_all = true;
      return;
    }
    const uint64_t line = cache.address / npu::DataCache::kLineBytes;
    core.dropped_lines.insert(line);
    if (core.dirty_lines.erase(line) != 0) Signalled(node, line);
  }

  void TakeScalar(CoreState& core, int index, const Event& event) {
    const int node = Access(core, index, event, Pipe::kS);
    if (on_chip_.Spans(event.address)) return;
    const uint64_t line = event.address / npu::DataCache::kLineBytes;
    if (event.write && !event.direct) {
      core.dirty_lines.insert(line);
      return;
    }
    const bool looks =
        !event.write && (event.direct || (!event.was_cached &&
                                          (core.dropped_all ||
                                           core.dropped_lines.contains(line))));
    if (!event.direct && !looks) return;
    Signalled(node, line);
    if (!looks) return;
    core.gate = node;
    core.pipes[kScalar].fence = node;
  }

  void Take(int index, const Event& event) {
    CoreState& core = cores_[event.slot];
    switch (event.kind) {
      case Event::Kind::kBlockBegin:
      case Event::Kind::kBlockEnd:
        return BarrierAll(core, NewNode(index));
      case Event::Kind::kInstruction:
        return TakeInstruction(core, index, event);
      case Event::Kind::kWaited:
        return TakeWaited(core, index, event);
      case Event::Kind::kScalar:
        return TakeScalar(core, index, event);
      case Event::Kind::kRegister:
        Access(core, index, event, Pipe::kS, BitOf(event.which));
        return;
      case Event::Kind::kOutside:
        return;
    }
  }

  const Recording& recording_;
  const bool auto_sync_;
  const npu::OnChipMemory& on_chip_;
  const int vector_cores_;
  std::vector<CoreState> cores_;
  std::vector<OrderNode> nodes_;
  std::map<uint64_t, std::vector<int>> arrived_;  // by number of the meeting
  npu::CrossCoreFlags<std::vector<int>, Append> core_flags_;
  std::map<BlockFlag, std::vector<int>> block_flags_;
  std::map<std::pair<uint64_t, int>, int> turns_;
  std::map<uint64_t, int> lines_;
};

}  // namespace

std::vector<OrderNode> BuildOrderGraph(const Recording& recording,
                                       bool auto_sync, const npu::Chip& chip) {
  return Builder(recording, auto_sync, chip).Build();
}

}  // namespace belay::orders
