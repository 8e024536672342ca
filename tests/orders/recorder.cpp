// SPDX-License-Identifier: Apache-2.0
#include "recorder.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "check/auto_sync.h"
#include "npu/footprint.h"
#include "npu/names.h"

namespace belay::orders {
namespace {

const std::byte* ByteAt(uint64_t address) {
  return reinterpret_cast<const std::byte*>(address);
}

// All live allocations as they are now.
std::vector<Recording::Allocation> CopyGlobal(const npu::GlobalMemory& global) {
  std::vector<Recording::Allocation> copies;
  uint64_t below = UINT64_MAX;
  while (const auto* allocation = global.Below(below)) {
    copies.push_back({allocation->base,
                      {ByteAt(allocation->base),
                       ByteAt(allocation->base) + allocation->capacity}});
    if (allocation->base == 0) break;
    below = allocation->base - 1;
  }
  return copies;
}

// The byte a scalar load of the core finds.
std::byte LoadByte(const npu::Core& core, uint64_t address, bool direct) {
  const unsigned char* cached = direct ? nullptr : core.cache.Find(address);
  return cached == nullptr ? *ByteAt(address) : std::byte{*cached};
}

}  // namespace

Recorder::Recorder(npu::Chip& chip, std::function<void(const Recording&)> done)
    : chip_(chip), done_(std::move(done)) {}

void Recorder::OnLaunch(const npu::LaunchEvent& event) {
  if (!on_) return;
  std::vector<HostAction> host = std::move(recording_.host);
  recording_ = Recording{};
  recording_.launch = event;
  recording_.host = std::move(host);
  recording_.fresh = fresh_;
  recording_.exact_reciprocal = chip_.VectorCore(0).vector.exact_reciprocal;
  recording_.memory = std::make_shared<std::vector<Recording::Allocation>>(
      CopyGlobal(chip_.global()));
  queue_copies_.clear();
  storing_ = nullptr;
}

Event& Recorder::Add(Event::Kind kind, const npu::Core& core) {
  TakePendingStore();
  Event& event = recording_.events.emplace_back();
  event.kind = kind;
  event.slot = core.slot;
  event.block = core.block;
  return event;
}

void Recorder::TakePendingStore() {
  if (storing_ == nullptr) return;
  Event& event = recording_.events.back();
  const bool through_cache =
      !event.direct && !chip_.on_chip().Spans(event.address);
  constexpr uint64_t kLine = npu::DataCache::kLineBytes;
  if (through_cache &&
      event.address / kLine != (event.address + event.bytes - 1) / kLine) {
    throw InternalError(
        "[record] a scalar store across cache lines cannot be recorded");
  }
  for (uint64_t i = 0; i < event.bytes; ++i) {
    event.value.push_back(
        LoadByte(*storing_, event.address + i, !through_cache));
  }
  storing_ = nullptr;
}

void Recorder::OnBlockBegin(const npu::Core& core) {
  if (on_) Add(Event::Kind::kBlockBegin, core);
}

void Recorder::OnBlockEnd(const npu::Core& core) {
  if (on_) Add(Event::Kind::kBlockEnd, core);
}

void Recorder::OnInstruction(const npu::InstructionEvent& event) {
  if (!on_) return;
  Event& added = Add(Event::Kind::kInstruction, event.core);
  added.instruction = event.instruction;
  added.pipe = event.pipe;
  added.state = event.core.vector;
  added.takes_tensors = check::TakesTensors(event);
  if (event.lanes != nullptr) {
    added.is_vector = true;
    added.lanes = *event.lanes;
  }
  const npu::Footprint footprint = npu::FootprintOf(event);
  for (const npu::FootprintUse& use : footprint) {
    npu::ForEachRange(use, [&](uint64_t begin, uint64_t end) {
      if (use.reads()) added.touches.push_back({begin, end, false});
      if (use.writes()) added.touches.push_back({begin, end, true});
    });
  }
  KeepGuestObjects(added);
}

void Recorder::KeepGuestObjects(Event& event) {
  abi::Instruction& instruction = event.instruction;
  const npu::Family family = npu::FamilyOf(instruction.op);
  if (family == npu::Family::kTransposeLists) {
    event.lists = std::make_shared<std::array<uint64_t, 32>>();
    uint64_t* copy = event.lists->data();
    std::memcpy(copy, ByteAt(instruction.lists.destinations), 128);
    std::memcpy(copy + 16, ByteAt(instruction.lists.sources), 128);
    instruction.lists.destinations = reinterpret_cast<uint64_t>(copy);
    instruction.lists.sources = reinterpret_cast<uint64_t>(copy + 16);
  }
  if (family != npu::Family::kQueue || instruction.queue.queue == 0) return;
  abi::QueueState*& copy = queue_copies_[{event.slot, instruction.queue.queue}];
  if (instruction.op == abi::Op::kInitBuffer) {
    const auto* queue =
        reinterpret_cast<const abi::QueueState*>(instruction.queue.queue);
    const bool is_same = copy != nullptr && copy->is_queue == queue->is_queue &&
                         copy->source == queue->source &&
                         copy->destination == queue->destination;
    if (!is_same) copy = &recording_.queues->emplace_back(*queue);
  }
  if (copy != nullptr) {
    instruction.queue.queue = reinterpret_cast<uint64_t>(copy);
  }
}

void Recorder::OnWaited(const npu::InstructionEvent& event) {
  if (!on_) return;
  Event& added = Add(Event::Kind::kWaited, event.core);
  added.instruction = event.instruction;
  added.pipe = event.pipe;
}

void Recorder::OnScalar(const npu::ScalarEvent& event) {
  if (!on_) return;
  const bool global = !chip_.on_chip().Spans(event.address);
  Event& added = Add(Event::Kind::kScalar, event.core);
  added.address = event.address;
  added.bytes = event.bytes;
  added.pc = event.pc;
  added.write = event.write;
  added.ordered = event.ordered;
  added.direct = event.direct;
  added.was_cached = event.core.cache.Find(event.address) != nullptr;
  added.takes_tensors = check::TakesTensors(event, global);
  added.touches.push_back(
      {event.address, event.address + event.bytes, event.write});
  if (event.write) {
    storing_ = &event.core;
    return;
  }
  for (uint64_t i = 0; i < event.bytes; ++i) {
    added.value.push_back(
        LoadByte(event.core, event.address + i, event.direct || !global));
  }
}

void Recorder::OnRegister(const npu::RegisterEvent& event) {
  if (!on_) return;
  Event& added = Add(Event::Kind::kRegister, event.core);
  added.which = event.which;
  added.pc = event.pc;
  added.takes_tensors = event.core.type == npu::CoreType::kVector;
}

void Recorder::OnOutsideBuffer(const npu::OutsideBufferEvent& event) {
  if (!on_) return;
  Event& added = Add(Event::Kind::kOutside, event.core);
  added.address = event.address;
  added.bytes = event.bytes;
  added.buffer = event.buffer;
  added.buffer_bytes = event.buffer_bytes;
  added.pc = event.pc;
}

void Recorder::OnAllocate(uint64_t address, uint64_t bytes) {
  if (!on_) return;
  recording_.host.push_back({true, address, bytes, 0});
  fresh_.Add(address, address + bytes);
}

void Recorder::OnHostWrite(const npu::HostWriteEvent& event) {
  if (!on_) return;
  recording_.host.push_back({false, event.address, event.bytes, event.source});
  fresh_.Remove(event.address, event.address + event.bytes);
}

void Recorder::OnLaunchEnd() {
  if (!on_) return;
  TakePendingStore();
  done_(recording_);
  for (const Event& event : recording_.events) {
    for (const Touch& touch : event.touches) {
      if (!touch.write || chip_.on_chip().Spans(touch.begin)) continue;
      fresh_.Remove(touch.begin, touch.end);
      recording_.host.push_back(
          {false, touch.begin, touch.end - touch.begin, 0});
    }
  }
}

}  // namespace belay::orders
