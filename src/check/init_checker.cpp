// SPDX-License-Identifier: Apache-2.0
#include "check/init_checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/catalogue.h"
#include "check/init_cube.h"
#include "npu/footprint.h"
#include "npu/names.h"
#include "npu/transfer.h"

namespace belay::check {
namespace {

using npu::Family;

// The range set aside for on-chip memories starts with the first slot.
uint64_t OnChipBase(const npu::Chip& chip) {
  return chip.on_chip().Base(0, abi::Memory::kUb);
}
uint64_t OnChipBytes(const npu::Chip& chip) {
  return chip.on_chip().Base(chip.on_chip().slots(), abi::Memory::kUb) -
         OnChipBase(chip);
}

// Instructions that read or write the comparison register.
bool UsesCompareRegister(const abi::Instruction& instruction) {
  switch (instruction.op) {
    case abi::Op::kCompareToMask:
    case abi::Op::kGetCmpMask:
    case abi::Op::kSetCmpMask:
    case abi::Op::kSelect:
      return true;
    default:
      return false;
  }
}

// True when nothing is undefined before and after; the dense result of defined
// sources is made so at once.
bool StaysClear(const npu::InstructionEvent& event, const Touches& touches,
                ShadowMap& shadow, const uint64_t* compare_bits) {
  for (const Touch& read : touches.reads) {
    if (!shadow.IsClear(read.address, read.bytes)) return false;
  }
  if ((compare_bits[0] | compare_bits[1]) != 0 &&
      UsesCompareRegister(event.instruction)) {
    return false;
  }
  for (const Touch& write : touches.writes) {
    if (touches.dense) {
      shadow.Clear(write.address, write.bytes);
    } else if (!shadow.IsClear(write.address, write.bytes)) {
      return false;
    }
  }
  return true;
}

struct SinkText {
  const char* code;
  const char* rule;
};

SinkText TextOf(Sink sink) {
  switch (sink) {
    case Sink::kIndex:
      return {code::kI103, "takes an undefined offset or address: "};
    case Sink::kMask:
      return {code::kI104, "keeps elements by undefined bits: "};
    case Sink::kReduction:
      return {code::kI105, "reduces undefined lanes: the first is "};
    default:
      return {code::kI106,
              "sorts undefined values among others: the first is "};
  }
}

}  // namespace

InitChecker::InitChecker(npu::Chip& chip, Findings& findings)
    : chip_(chip),
      on_chip_(OnChipBase(chip), OnChipBytes(chip)),
      global_(chip.global().base(), chip.global().total_bytes()),
      stale_(OnChipBase(chip), OnChipBytes(chip)),
      cores_(chip.on_chip().slots()),
      report_(chip, findings) {
  for (int slot = 0; slot < chip.on_chip().slots(); ++slot) {
    const bool vector = slot < chip.spec().vector_cores;
    OnBlockBegin(vector ? chip.VectorCore(slot)
                        : chip.CubeCore(slot - chip.spec().vector_cores));
  }
  for (CoreState& core : cores_) core.blocks = 0;
}

void InitChecker::OnLaunch(const npu::LaunchEvent&) {
  for (CoreState& core : cores_) core.blocks = 0;
}

void InitChecker::OnBlockBegin(const npu::Core& core) {
  CoreState& state = cores_[core.slot];
  state.undefined_bits.fill(~uint64_t{0});
  state.stale_bits.fill(0);
  state.buffers.Clear();
  ++state.blocks;
  for (int i = 1; i < npu::kMemoryCount; ++i) {
    const auto memory = static_cast<abi::Memory>(i);
    if (!chip_.on_chip().Has(core.slot, memory)) continue;
    const uint64_t base = chip_.on_chip().Base(core.slot, memory);
    const uint64_t bytes = chip_.spec().BytesOf(memory);
    on_chip_.Fill(base, bytes);
    on_chip_.SetOrigin(base, bytes, 0);
    stale_.Clear(base, bytes);
  }
}

void InitChecker::OnInstruction(const npu::InstructionEvent& event) {
  const Family family = npu::FamilyOf(event.instruction.op);
  if (npu::IsVector(family)) return OnVector(event);
  if (npu::IsCube(family)) return OnCube(event);
  if (family == Family::kTransfer) {
    return npu::Widens(event.instruction) ? OnCube(event) : OnTransfer(event);
  }
  if (family == Family::kQueue) return OnQueue(event);
}

void InitChecker::OnQueue(const npu::InstructionEvent& event) {
  const abi::Instruction& instruction = event.instruction;
  const abi::Queue& queue = instruction.queue;
  if (instruction.op == abi::Op::kInitBuffer) {
    cores_[event.core.slot].buffers.Add(
        {queue.address, queue.bytes, instruction.pc});
  } else if (instruction.op == abi::Op::kResetBuffers) {
    cores_[event.core.slot].buffers.Drop(queue.address, queue.bytes);
  } else if (instruction.op == abi::Op::kAllocTensor) {
    stale_.Fill(queue.address, queue.bytes);
    stale_.SetOrigin(queue.address, queue.bytes,
                     origins_.Number({Origin::Kind::kAllocated, instruction.op,
                                      instruction.pc, 0}));
  }
}

template <typename F>
void InitChecker::Report(const char* code, const npu::Core& core,
                         abi::Pipe pipe, uint64_t pc, const ShadowMap& map,
                         uint64_t address, F rule) {
  const CoreState& state = cores_[core.slot];
  report_.Add({code, core, pipe, pc, address, OriginAt(map, address)},
              state.buffers, state.blocks > 1, rule);
}

uint32_t InitChecker::PassOn(const ShadowMap& map, uint64_t address,
                             const abi::Instruction& instruction) {
  if (const uint32_t origin = map.OriginAt(address); origin != 0) return origin;
  return origins_.Number(
      {Origin::Kind::kSource, instruction.op, instruction.pc, address});
}

Reached InitChecker::Run(const npu::InstructionEvent& event,
                         const Touches& touches, ShadowMap& shadow,
                         uint64_t* compare_bits, bool judges) {
  LaneWork work{event, touches, shadow, compare_bits, judges, {}};
  const abi::Instruction& instruction = event.instruction;
  if (npu::FamilyOf(instruction.op) == Family::kReduce) {
    // The origin of what it leaves in the work buffer is itself.
    Propagate(work);
    const uint64_t bytes = judges ? ReduceWorkBytes(event) : 0;
    if (bytes != 0) {
      shadow.SetOrigin(instruction.src1.address, bytes,
                       origins_.Number({Origin::Kind::kWorkBuffer,
                                        instruction.op, instruction.pc, 0}));
    }
    return work.reached;
  }
  if (StaysClear(event, touches, shadow, compare_bits)) return {};
  // Sources may be overwritten: their origin is looked up first.
  uint32_t origin = 0;
  for (const Touch& read : touches.reads) {
    const uint64_t first = shadow.FirstSet(read.address, read.bytes);
    if (first == read.address + read.bytes) continue;
    origin = PassOn(shadow, first, instruction);
    break;
  }
  if (origin == 0 && judges && (compare_bits[0] | compare_bits[1]) != 0 &&
      UsesCompareRegister(instruction)) {
    origin = origins_.Number(
        {Origin::Kind::kCompareBits, instruction.op, instruction.pc, 0});
  }
  Propagate(work);
  if (origin != 0) {
    for (const Touch& write : touches.writes) {
      shadow.SetOrigin(write.address, write.bytes, origin);
    }
  }
  return work.reached;
}

void InitChecker::OnVector(const npu::InstructionEvent& event) {
  const abi::Instruction& instruction = event.instruction;
  CoreState& state = cores_[event.core.slot];
  Touches touches = TouchesOf(event);
  if (instruction.op == abi::Op::kTransDataTo5HD) {
    for (const uint64_t list :
         {instruction.lists.destinations, instruction.lists.sources}) {
      if (on_chip_.Spans(list)) touches.reads.Add(list, 16 * sizeof(uint64_t));
    }
  }
  const Reached reached = Run(event, touches, on_chip_,
                              state.undefined_bits.data(), /*judges=*/true);
  Run(event, touches, stale_, state.stale_bits.data(), /*judges=*/false);
  ReportReached(event, reached);
}

void InitChecker::OnRefusedByData(const npu::InstructionEvent& event) {
  ReportReached(event, FindUndefinedIndex(event, on_chip_));
}

void InitChecker::ReportReached(const npu::InstructionEvent& event,
                                const Reached& reached) {
  const abi::Instruction& instruction = event.instruction;
  if (reached.sink == Sink::kNone) return;
  const SinkText text = TextOf(reached.sink);
  Report(text.code, event.core, event.pipe, instruction.pc, on_chip_,
         reached.address, [&] {
           return fmt::format("[{}] {}", npu::NameOf(instruction.op),
                              text.rule);
         });
}

void InitChecker::OnTransfer(const npu::InstructionEvent& event) {
  if (event.instruction.dst.memory == abi::Memory::kGm) {
    OnStore(event);
  } else {
    OnLoad(event);
  }
}

void InitChecker::OnCube(const npu::InstructionEvent& event) {
  const abi::Instruction& instruction = event.instruction;
  if (npu::FamilyOf(instruction.op) == Family::kCubeRegister) return;
  const CubeShadow shadow{
      on_chip_, global_,
      chip_.on_chip().Base(event.core.slot, abi::Memory::kL1)};
  const uint64_t source = FindUndefinedSource(event, shadow);
  uint32_t origin = 0;
  if (source != 0) origin = PassOn(UndefinedMap(source), source, instruction);
  const StoreFaults faults = PropagateCube(event, shadow);
  for (const npu::FootprintUse& use : npu::FootprintOf(event)) {
    if (!use.writes() || use.memory == abi::Memory::kGm) continue;
    npu::ForEachRange(use, [&](uint64_t begin, uint64_t end) {
      if (origin != 0) on_chip_.SetOrigin(begin, end - begin, origin);
      stale_.Clear(begin, end - begin);
    });
  }
  const auto report = [&](const char* code, const ShadowMap& map,
                          const Faulty& faulty, const char* text) {
    if (faulty.bytes == 0) return;
    Report(
        code, event.core, event.pipe, instruction.pc, map, faulty.first, [&] {
          return fmt::format("[{}] {} {}, the first is ",
                             npu::NameOf(instruction.op), text, faulty.bytes);
        });
  };
  report(code::kI101, on_chip_, faults.stored,
         "stores undefined bytes to global memory:");
  report(code::kI107, global_, faults.accumulated,
         "accumulates onto undefined bytes of global memory:");
}

void InitChecker::OnLoad(const npu::InstructionEvent& event) {
  const abi::Instruction& move = event.instruction;
  const bool from_global = move.src0.memory == abi::Memory::kGm;
  const ShadowMap& source = from_global ? global_ : on_chip_;
  const uint64_t extent = npu::DestinationOf(move).Extent();
  const uint64_t from = move.src0.address;
  const uint64_t read = npu::SourceOf(move).Extent();
  uint32_t origin = 0;
  if (!source.IsClear(from, read)) {
    origin = PassOn(source, source.FirstSet(from, read), move);
  }
  if (PropagateLoad(event, &source, on_chip_, Padding::kUndefined) &&
      origin == 0) {
    origin = origins_.Number({Origin::Kind::kPadding, move.op, move.pc, 0});
  }
  if (origin != 0) on_chip_.SetOrigin(move.dst.address, extent, origin);
  if (PropagateLoad(event, from_global ? nullptr : &stale_, stale_,
                    Padding::kFiller)) {
    stale_.SetOrigin(
        move.dst.address, extent,
        origins_.Number({Origin::Kind::kFiller, move.op, move.pc, 0}));
  }
}

void InitChecker::OnStore(const npu::InstructionEvent& event) {
  const abi::Instruction& move = event.instruction;
  const npu::GlobalMemory::Allocation* allocation =
      chip_.global().Find(move.dst.address);
  const uint64_t end =
      allocation == nullptr ? 0 : allocation->base + allocation->bytes;
  const Faulty stale = FindStale(event, on_chip_, stale_, end);
  const StoreFaults faults = PropagateStore(event, on_chip_, global_, end);
  const uint64_t total = npu::SourceOf(move).blocks * npu::SourceOf(move).block;
  const auto report = [&](const char* code, const ShadowMap& map,
                          const Faulty& faulty, const char* text) {
    if (faulty.bytes == 0) return;
    Report(code, event.core, event.pipe, move.pc, map, faulty.first, [&] {
      return fmt::format("[{}] {} {} of {} bytes, the first is ",
                         npu::NameOf(move.op), text, faulty.bytes, total);
    });
  };
  // DataCopy moves no less than a block: a single result brings the rest of
  // its block along.
  const bool is_single_result = move.op == abi::Op::kDataCopy &&
                                total == npu::kBlockBytes &&
                                faults.stored.first > move.src0.address;
  report(is_single_result ? code::kI110 : code::kI101, on_chip_, faults.stored,
         is_single_result
             ? "stores undefined bytes beside a result in its block:"
             : "stores undefined bytes to global memory:");
  report(code::kI107, global_, faults.accumulated,
         "accumulates onto undefined bytes of global memory:");
  if (stale.bytes == 0 || faults.stored.bytes != 0) return;
  if (OriginAt(stale_, stale.first).kind == Origin::Kind::kFiller) {
    report(code::kI109, stale_, stale,
           "stores bytes that DataCopyPad filled a block up with:");
  } else {
    report(code::kI108, stale_, stale,
           "stores bytes nobody wrote since AllocTensor:");
  }
}

void InitChecker::OnScalar(const npu::ScalarEvent& event) {
  ShadowMap& map = UndefinedMap(event.address);
  if (!map.Spans(event.address)) return;
  if (event.write) {
    map.Clear(event.address, event.bytes);
    if (&map == &on_chip_) stale_.Clear(event.address, event.bytes);
    return;
  }
  if (map.IsClear(event.address, event.bytes)) return;
  // Of a load that crosses the end of an allocation, what lies behind is
  // memcheck's to tell.
  const npu::GlobalMemory::Allocation* allocation =
      chip_.global().Find(event.address);
  uint64_t bytes = event.bytes;
  if (allocation != nullptr &&
      event.address < allocation->base + allocation->bytes) {
    bytes =
        std::min(bytes, allocation->base + allocation->bytes - event.address);
  }
  uint64_t undefined = 0;
  uint64_t first = 0;
  for (uint64_t i = bytes; i-- > 0;) {
    if (map.At(event.address + i) != 0xff) continue;
    ++undefined;
    first = event.address + i;
  }
  // More than a register holds is copied, not used: structures have gaps, and
  // dumps show tails.
  constexpr uint64_t kRegisterBytes = 8;
  if (undefined == 0 ||
      (event.bytes > kRegisterBytes && undefined != event.bytes)) {
    return;
  }
  Report(code::kI102, event.core, abi::Pipe::kS, event.pc, map, first, [&] {
    return fmt::format("[{}] reads undefined bytes: {} of {}, the first is ",
                       event.ordered ? "GetValue" : "scalar load", undefined,
                       event.bytes);
  });
}

void InitChecker::OnAllocate(uint64_t address, uint64_t bytes) {
  const npu::GlobalMemory::Allocation* allocation =
      chip_.global().Find(address);
  const uint64_t room = allocation == nullptr ? bytes : allocation->capacity;
  global_.Fill(address, room);
  global_.SetOrigin(address, room, 0);
}

void InitChecker::OnHostWrite(const npu::HostWriteEvent& event) {
  global_.CopyFrom(event.address, event.source == 0 ? nullptr : &global_,
                   event.source, event.bytes);
}

uint8_t InitChecker::UndefinedBits(uint64_t address) const {
  return global_.Spans(address) ? global_.At(address) : on_chip_.At(address);
}

uint8_t InitChecker::StaleBits(uint64_t address) const {
  return stale_.Spans(address) ? stale_.At(address) : 0;
}

}  // namespace belay::check
