// SPDX-License-Identifier: Apache-2.0
#include "clock/recorder.h"

#include <algorithm>

#include "belay/scalar_work.h"
#include "clock/byte_ranges.h"
#include "clock/cube_work.h"
#include "clock/footprint_end.h"
#include "npu/footprint.h"
#include "npu/names.h"
#include "npu/transfer.h"

namespace belay::clock {
namespace {

// What one scalar access moves; a copy of more is several.
constexpr uint64_t kAccessBytes = 8;

// Element accesses between two records that are a loop of their own, which
// gets a record with its own place.
constexpr uint32_t kElementLoop = 16;

// Scalar work that is kept before it could overflow.
constexpr uint32_t kMuchWork = 1u << 30;

constexpr uint64_t kTurns = UINT64_MAX;  // in place of an event's id

uint64_t BytesMoved(const abi::Instruction& move) {
  const npu::TransferSide side = npu::SourceOf(move);
  return side.blocks * side.block;
}

MoveWork MoveOf(const npu::InstructionEvent& event, uint64_t local_base) {
  const abi::Instruction& move = event.instruction;
  const bool reads = move.src0.memory == abi::Memory::kGm;
  const abi::Operand& global = reads ? move.src0 : move.dst;
  const abi::Operand& local = reads ? move.dst : move.src0;
  const npu::TransferSide side =
      reads ? npu::SourceOf(move) : npu::DestinationOf(move);
  MoveWork work{};
  work.address = global.address;
  work.stride = side.step;
  work.bursts = static_cast<uint32_t>(side.blocks);
  work.burst_bytes = static_cast<uint32_t>(side.block);
  work.memory = local.memory;
  work.local_offset = static_cast<uint32_t>(local.address - local_base);
  if ((global.past_l2 & (reads ? 1 : 2)) != 0) {
    work.flags |= MoveWork::kBypassL2;
  }
  if (!reads && event.core.vector.atomic != abi::Atomic::kNone) {
    work.flags |= MoveWork::kAtomic;
  }
  return work;
}

}  // namespace

Recorder::Recorder(npu::Chip& chip, const ClockSpec& spec,
                   RecorderOptions options)
    : chip_(chip),
      spec_(spec),
      options_(options),
      pricer_(spec_),
      depths_(spec_),
      states_(chip.on_chip().slots()) {
  ReadCounters();
}

void Recorder::ReadCounters() {
  const ScalarCounters& counters = options_.counters;
  if (counters.budget == nullptr) return;
  done_ = *counters.offset - static_cast<uint64_t>(*counters.budget);
  std::copy_n(counters.classes, 2, classes_);
}

void Recorder::OnLaunch(const npu::LaunchEvent& event) {
  ended_ = 0;
  const auto running =
      options_.only_blocks.empty()
          ? event.blocks
          : std::ranges::count_if(options_.only_blocks, [&](int block) {
              return block < event.blocks;
            });
  expected_ =
      static_cast<int>(running) * (event.cube_cores + event.vector_cores);
  vector_cores_ = event.vector_cores;
  tokens_ = 0;
  notified_.clear();
  scalar_.Clear();
  current_ = LaunchLog{};
  current_.kernel = event.kernel;
  current_.chip = chip_.spec().name;
  current_.blocks = event.blocks;
  current_.argument_bytes = event.argument_bytes;
  current_.tiling_bytes = tiling_bytes_;
  current_.timing_only = chip_.timing_only() != nullptr;
  if (!options_.keep_logs) return;
  for (const VectorCost& cost : spec_.vector_costs()) {
    current_.vector_costs.push_back(cost.name);
  }
  for (const auto& [address, allocation] : chip_.global().allocations()) {
    current_.allocations.push_back(
        {address, allocation.bytes, allocation.label.name});
  }
}

void Recorder::OnLaunchEnd() {
  if (!options_.keep_logs) return;
  if (ended_ != expected_) {
    dropped_.push_back(current_.kernel);
    current_ = LaunchLog{};
    return;
  }
  current_.scalar = scalar_.all();
  if (npu::TimingOnly* timing_only = chip_.timing_only()) {
    current_.pretended_reads = timing_only->pretended();
    current_.first_pretended_place = PlaceOf(timing_only->first_pc());
  }
  launches_.push_back(std::move(current_));
}

void Recorder::OnBlockBegin(const npu::Core& core) {
  CoreState& state = StateOf(core);
  state.work = ScalarWork{};
  state.loads_elsewhere = state.stores_elsewhere = 0;
  state.first_access_pc = 0;
  state.waits.Reset();
  state.units.Reset();
  state.buffers.Reset();
  ReadCounters();
  if (!options_.keep_logs) return;
  state.log = current_.logs.size();
  BlockLog log;
  log.block = core.block;
  log.core = core.index;
  log.cube = core.type == npu::CoreType::kCube;
  current_.logs.push_back(std::move(log));
}

void Recorder::OnBlockEnd(const npu::Core& core) {
  CoreState& state = StateOf(core);
  Count(state);
  if (IsWatched(state)) {
    if (const uint64_t dirty = core.cache.DirtyLines(); dirty != 0) {
      Record record;
      record.kind = Kind::kCacheClean;
      record.lines = dirty;
      Emit(state, record, 0);
    } else {
      EmitScalar(state, abi::Op::kInvalid, 0);
    }
  }
  ++ended_;
  if (!options_.keep_logs) return;
  current_.logs[state.log].records.Close();
  JoinRanges(current_.logs[state.log].stored);
}

void Recorder::OnYield(const npu::Core& core) {
  CoreState& state = StateOf(core);
  Count(state);
  if (IsWatched(state) && state.work.simple >= kMuchWork) {
    EmitScalar(state, abi::Op::kInvalid, 0);
  }
}

void Recorder::Count(CoreState& state) {
  if (options_.counters.budget == nullptr) return;
  const uint64_t before = done_;
  uint64_t difference[2] = {classes_[0], classes_[1]};
  ReadCounters();
  if (done_ == before) return;
  for (int i = 0; i < 2; ++i) difference[i] = classes_[i] - difference[i];
  const auto count = [&](abi::ScalarClass which) {
    return static_cast<uint32_t>(abi::ScalarCount(difference, which));
  };
  // Some of what was counted as own variables lies elsewhere after all.
  const auto less = [](uint32_t counted, uint32_t& elsewhere) {
    const uint32_t moved = std::min(counted, elsewhere);
    elsewhere -= moved;
    return counted - moved;
  };
  const uint32_t loads = count(abi::ScalarClass::kStackLoad);
  const uint32_t stores = count(abi::ScalarClass::kStackStore);
  const uint32_t floating = count(abi::ScalarClass::kFloating);
  const uint32_t multiplies = count(abi::ScalarClass::kMultiply);
  const uint32_t divisions = count(abi::ScalarClass::kDivide);
  const uint32_t idle = count(abi::ScalarClass::kIdle);
  const auto all = static_cast<uint32_t>(done_ - before);
  ScalarWork& work = state.work;
  work.simple +=
      all - idle - loads - stores - floating - multiplies - divisions;
  work.multiply += multiplies;
  work.divide += divisions;
  work.floating += floating;
  work.stack_load += less(loads, state.loads_elsewhere);
  work.stack_store += less(stores, state.stores_elsewhere);
}

void Recorder::Keep(CoreState& state, Record& record,
                    const ScalarWork& before) {
  if (record.kind == Kind::kMmad || record.kind == Kind::kMove ||
      record.kind == Kind::kLoad) {
    if (record.pipe == abi::Pipe::kM) state.units.Count(true);
    if (record.pipe == abi::Pipe::kFix) state.units.Count(false);
  }
  if (options_.keep_logs) {
    record.scalar = scalar_.NumberOf(before);
    current_.logs[state.log].records.Append(record);
  }
  if (state.estimate) state.estimate->Feed(record, before);
}

void Recorder::Emit(CoreState& state, Record& record, uint64_t pc) {
  Count(state);
  if (state.work.local_load + state.work.local_store >= kElementLoop) {
    Record loop;
    loop.place = PlaceOf(state.first_access_pc);
    Keep(state, loop, state.work);
    state.work = ScalarWork{};
  }
  record.place = PlaceOf(pc);
  Keep(state, record, state.work);
  state.work = ScalarWork{};
  state.first_access_pc = 0;
  state.loads_elsewhere = state.stores_elsewhere = 0;
}

void Recorder::EmitScalar(CoreState& state, abi::Op op, uint64_t pc) {
  Count(state);
  if (op == abi::Op::kInvalid && state.work == ScalarWork{}) return;
  Record record;
  record.op = op;
  Emit(state, record, pc);
}

void Recorder::EmitOrder(CoreState& state, abi::Pipe from, abi::Pipe to,
                         uint64_t pc, uint32_t distance) {
  Record record;
  record.kind = Kind::kOrder;
  record.pipe = to;
  record.sync = {from, to, 0, 0, distance, 0};
  Emit(state, record, pc);
}

void Recorder::EmitWaits(CoreState& state, AutoSyncWaits::Pipes pipes,
                         uint64_t pc) {
  for (int pipe = 0; pipes >> pipe != 0; ++pipe) {
    if (pipes >> pipe & 1) {
      EmitOrder(state, static_cast<abi::Pipe>(pipe), abi::Pipe::kS, pc);
    }
  }
}

void Recorder::EmitBuffer(CoreState& state, abi::Memory memory, uint64_t pc) {
  Record record;
  record.kind = Kind::kBuffer;
  record.buffer = {memory, state.buffers.BytesIn(memory)};
  Emit(state, record, pc);
}

void Recorder::OnInstruction(const npu::InstructionEvent& event) {
  CoreState& state = StateOf(event.core);
  if (!IsWatched(state)) return;
  const npu::Family family = npu::FamilyOf(event.instruction.op);
  switch (family) {
    case npu::Family::kTransfer:
      return RecordTransfer(state, event);
    case npu::Family::kSync:
      return RecordSync(state, event);
    case npu::Family::kCache:
      return RecordCache(state, event);
    case npu::Family::kQueue:
      return RecordQueue(state, event);
    case npu::Family::kRegister:
    case npu::Family::kCubeRegister:
      return EmitScalar(state, event.instruction.op, event.instruction.pc);
    default:
      if (npu::IsVector(family)) RecordVector(state, event);
      if (npu::IsCube(family)) RecordCube(state, event);
      return;
  }
}

// What comes before an instruction that touches memory.
void Recorder::Prepare(CoreState& state, const npu::InstructionEvent& event) {
  const npu::Footprint footprint = npu::FootprintOf(event);
  const uint64_t pc = event.instruction.pc;
  if (state.waits.Issue(event, footprint)) {
    EmitOrder(state, abi::Pipe::kS, event.pipe, pc);
  }
  for (const npu::FootprintUse& use : footprint) {
    if (use.memory == abi::Memory::kGm || use.FollowsData()) continue;
    const uint64_t base = chip_.on_chip().Base(event.core.slot, use.memory);
    if (state.buffers.Touch(use.memory, EndOf(use) - base)) {
      EmitBuffer(state, use.memory, pc);
    }
  }
}

void Recorder::RecordVector(CoreState& state,
                            const npu::InstructionEvent& event) {
  Prepare(state, event);
  Record record;
  record.kind = Kind::kVector;
  record.pipe = abi::Pipe::kV;
  record.op = event.instruction.op;
  record.vector = pricer_.Price(event);
  const uint64_t pc = event.instruction.pc;
  Emit(state, record, pc);
  // The call gives back how many elements it kept.
  if (record.op == abi::Op::kGatherMask) {
    EmitWaits(
        state,
        state.waits.ReadRegister({event.core, abi::Register::kGathered, pc}),
        pc);
  }
}

void Recorder::RecordTransfer(CoreState& state,
                              const npu::InstructionEvent& event) {
  if (event.pipe == abi::Pipe::kV) return RecordVector(state, event);
  Prepare(state, event);
  const abi::Instruction& move = event.instruction;
  Record record;
  record.pipe = event.pipe;
  record.op = move.op;
  const bool reads = move.src0.memory == abi::Memory::kGm;
  if (reads || move.dst.memory == abi::Memory::kGm) {
    record.kind = Kind::kMove;
    record.move = MoveOf(
        event, chip_.on_chip().Base(event.core.slot, reads ? move.dst.memory
                                                           : move.src0.memory));
  } else {
    record.kind = Kind::kLoad;
    record.cube = {0, BytesMoved(move), 0, move.dst.memory, 0};
  }
  Emit(state, record, move.pc);
}

void Recorder::RecordCube(CoreState& state,
                          const npu::InstructionEvent& event) {
  Prepare(state, event);
  const abi::Instruction& i = event.instruction;
  const bool mmad = event.pipe == abi::Pipe::kM;
  std::vector<MoveWork> moves;
  if (MovesGlobal(i)) {
    const abi::Memory local =
        i.src0.memory == abi::Memory::kGm ? i.dst.memory : i.src0.memory;
    moves = MovesOf(event, chip_.on_chip().Base(event.core.slot, local));
  }
  const bool hands_over =
      mmad ? i.mmad.unit_flag != 0
           : event.pipe == abi::Pipe::kFix && i.fixpipe.unit_flag != 0;
  if (hands_over) {
    const uint32_t distance = state.units.Issue(
        mmad, std::max<size_t>(1, moves.size()), npu::FootprintOf(event),
        chip_.on_chip().Base(event.core.slot, abi::Memory::kL0c));
    if (distance != 0) {
      EmitOrder(state, mmad ? abi::Pipe::kFix : abi::Pipe::kM, event.pipe, i.pc,
                distance);
    }
  }
  Record record;
  record.pipe = event.pipe;
  record.op = i.op;
  record.kind = Kind::kMove;
  for (const MoveWork& move : moves) {
    record.move = move;
    Emit(state, record, i.pc);
  }
  if (!moves.empty()) return;
  record.kind = mmad ? Kind::kMmad : Kind::kLoad;
  record.cube = mmad ? MmadWorkOf(event, depths_) : LoadWorkOf(event);
  Emit(state, record, i.pc);
}

Recorder::NotifyKey Recorder::KeyOf(const npu::InstructionEvent& event,
                                    bool waits) const {
  const abi::Instruction& i = event.instruction;
  if (i.op == abi::Op::kIbSet || i.op == abi::Op::kIbWait) {
    return {i.dst.address, i.sync.id, i.sync.block};
  }
  const int blocks = std::max(current_.blocks * vector_cores_, 1);
  const int block = event.core.block;
  return {i.dst.address, kTurns, waits ? (block + blocks - 1) % blocks : block};
}

void Recorder::RecordSync(CoreState& state,
                          const npu::InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  state.waits.Synchronise(i);
  Record record;
  record.pipe = event.pipe;
  record.op = i.op;
  record.sync = {i.sync.from, i.sync.to, i.mode, i.sync.id, 0, 0};
  switch (i.op) {
    case abi::Op::kSetFlag:
      record.kind = Kind::kSetFlag;
      break;
    case abi::Op::kWaitFlag:
      record.kind = Kind::kWaitFlag;
      break;
    case abi::Op::kPipeBarrier:
      record.kind = Kind::kBarrier;
      break;
    case abi::Op::kDataSyncBarrier:
      record.kind = Kind::kBarrier;
      record.pipe = record.sync.from = record.sync.to = abi::Pipe::kAll;
      break;
    case abi::Op::kSyncAll:
      record.kind = Kind::kMeet;
      record.pipe = abi::Pipe::kS;
      break;
    case abi::Op::kCrossCoreSetFlag:
      record.kind = Kind::kTellCores;
      record.sync.by_queue = 0;
      record.sync.distance = i.mode;
      break;
    case abi::Op::kIbSet:
    case abi::Op::kNotifyNextBlock:
      record.kind = Kind::kNotify;
      record.pipe = abi::Pipe::kS;
      record.sync.token = notified_[KeyOf(event, false)] = ++tokens_;
      break;
    default:
      return;  // waits for other blocks: when they are over
  }
  Emit(state, record, i.pc);
}

void Recorder::OnWaited(const npu::InstructionEvent& event) {
  CoreState& state = StateOf(event.core);
  const abi::Instruction& i = event.instruction;
  if (!IsWatched(state) || i.op == abi::Op::kSyncAll) return;
  Record record;
  record.kind =
      i.op == abi::Op::kCrossCoreWaitFlag ? Kind::kAwaitCores : Kind::kAwait;
  record.pipe = abi::Pipe::kS;
  record.op = i.op;
  record.sync = {i.sync.from, i.sync.to, 0, i.sync.id, 0, 0};
  if (record.kind == Kind::kAwait) {
    const auto notified = notified_.find(KeyOf(event, true));
    if (notified != notified_.end()) record.sync.token = notified->second;
  }
  Emit(state, record, i.pc);
}

void Recorder::RecordCache(CoreState& state,
                           const npu::InstructionEvent& event) {
  const abi::Cache& cache = event.instruction.cache;
  const npu::DataCache& lines = event.core.cache;
  Record record;
  record.kind = Kind::kCacheClean;
  record.op = event.instruction.op;
  record.lines = cache.entire ? lines.DirtyLines()
                              : (lines.IsDirty(cache.address) ? 1 : 0);
  Emit(state, record, event.instruction.pc);
}

void Recorder::RecordQueue(CoreState& state,
                           const npu::InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  if (i.op == abi::Op::kInitBuffer) {
    const auto place = chip_.on_chip().Locate(i.queue.address);
    if (place &&
        state.buffers.Init(place->memory, i.queue.address, i.queue.bytes)) {
      EmitBuffer(state, place->memory, i.pc);
    }
  } else if (i.op == abi::Op::kResetBuffers) {
    const uint32_t changed =
        state.buffers.GiveBack(i.queue.address, i.queue.bytes);
    for (int memory = 0; memory < npu::kMemoryCount; ++memory) {
      if (changed >> memory & 1) {
        EmitBuffer(state, static_cast<abi::Memory>(memory), i.pc);
      }
    }
  }
}

void Recorder::OnScalar(const npu::ScalarEvent& event) {
  CoreState& state = StateOf(event.core);
  if (!IsWatched(state)) return;
  const bool global = !chip_.on_chip().Spans(event.address);
  EmitWaits(state, state.waits.Access(event, global), event.pc);
  if (state.first_access_pc == 0) state.first_access_pc = event.pc;
  const auto accesses =
      static_cast<uint32_t>((event.bytes + kAccessBytes - 1) / kAccessBytes);
  if (!event.ordered && !event.direct && accesses == 1) {
    ++(event.write ? state.stores_elsewhere : state.loads_elsewhere);
  }
  if (!global) {
    (event.write ? state.work.local_store : state.work.local_load) += accesses;
    return;
  }
  constexpr uint64_t kLine = npu::DataCache::kLineBytes;
  const uint64_t end = event.address + event.bytes;
  if (event.write && options_.keep_logs) {
    AddRange(current_.logs[state.log].stored, {event.address, end});
  }
  uint32_t missed = 0;
  for (uint64_t at = event.address; at < end; at = at / kLine * kLine + kLine) {
    if (!event.direct && event.core.cache.Find(at) != nullptr) continue;
    Record record;
    record.kind = Kind::kGlobalScalar;
    record.global = {
        at,
        static_cast<uint32_t>(std::min(end, at / kLine * kLine + kLine) - at),
        event.write, event.direct};
    Emit(state, record, event.pc);
    ++missed;
  }
  (event.write ? state.work.cached_store : state.work.cached_load) +=
      accesses - std::min(accesses, missed);
}

void Recorder::OnRegister(const npu::RegisterEvent& event) {
  CoreState& state = StateOf(event.core);
  if (!IsWatched(state)) return;
  EmitWaits(state, state.waits.ReadRegister(event), event.pc);
}

int64_t Recorder::ReadClock(const npu::Core& core, uint64_t pc) {
  CoreState& state = StateOf(core);
  if (!state.estimate) {
    state.estimate = std::make_unique<CoreEstimate>(
        spec_, core.type == npu::CoreType::kCube);
    if (options_.keep_logs) {
      Sequence::Cursor cursor(current_.logs[state.log].records);
      for (Record record; cursor.Next(record);) {
        state.estimate->Feed(record, scalar_.all()[record.scalar]);
      }
    }
  }
  Record record;
  record.kind = Kind::kReadClock;
  Emit(state, record, pc);
  const npu::ChipSpec& chip = chip_.spec();
  return state.estimate->Now() * chip.counter_mhz /
         (kTicksPerCycle * chip.clock_mhz);
}

}  // namespace belay::clock
