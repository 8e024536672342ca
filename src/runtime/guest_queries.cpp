// SPDX-License-Identifier: Apache-2.0
// What a kernel asks about itself and the machine (belay/guest_abi.h). Host
// code gets the answers of block 0.

#include "belay/guest_abi.h"
#include "runtime/device.h"
#include "runtime/guest_fault.h"

using belay::runtime::Block;
using belay::runtime::Device;

namespace {

Block* CurrentBlock() {
  Device* device = Device::Get();
  return device == nullptr ? nullptr : device->current();
}

}  // namespace

uint64_t belay_memory_base(belay::abi::Memory memory) {
  const Block* block = CurrentBlock();
  const int slot = block == nullptr ? 0 : block->core->slot;
  return Device::Get()->chip().on_chip().Base(slot, memory);
}

uint64_t belay_memory_bytes(belay::abi::Memory memory) {
  return Device::Get()->chip().spec().BytesOf(memory);
}

int64_t belay_block_index() {
  const Block* block = CurrentBlock();
  return block == nullptr ? 0 : block->index;
}

int64_t belay_block_count() {
  return CurrentBlock() == nullptr ? 1 : Device::Get()->block_count();
}

int64_t belay_subblock_index() {
  const Block* block = CurrentBlock();
  return block == nullptr ? 0 : block->subblock;
}

int64_t belay_subblock_count() {
  return CurrentBlock() == nullptr ? 1 : Device::Get()->subblock_count();
}

int64_t belay_task_ratio() { return belay_subblock_count(); }

int64_t belay_system_cycle() {
  const belay::runtime::GuestPlace place = BELAY_GUEST_PLACE();
  int64_t ticks = 0;
  belay::runtime::RunOrFail(
      place, [&] { ticks = Device::Get()->ReadClock(place.pc); });
  return ticks;
}

uint32_t belay_core_is_cube() {
  const Block* block = CurrentBlock();
  return block != nullptr && block->core->type == belay::npu::CoreType::kCube;
}

uint64_t belay_workspace() {
  Block* block = CurrentBlock();
  if (block == nullptr) return 0;
  if (block->workspace == 0) {
    block->workspace = Device::Get()->SystemWorkspace();
  }
  return block->workspace;
}

void belay_set_workspace(uint64_t address) {
  if (Block* block = CurrentBlock()) block->workspace = address;
}

uint64_t belay_get_register(belay::abi::Register which) {
  using belay::abi::Register;
  const Block* block = CurrentBlock();
  if (block == nullptr) return 0;
  Device::Get()->chip().NotifyRegister(*block->core, which, BELAY_GUEST_PC());
  belay::npu::TimingOnly* timing_only = Device::Get()->chip().timing_only();
  const bool held = which == Register::kControl || which == Register::kAtomic;
  if (timing_only != nullptr && !held) {
    return timing_only->PretendRegister(BELAY_GUEST_PC());
  }
  const belay::npu::VectorState& state = block->core->vector;
  switch (which) {
    case Register::kControl:
      return state.control;
    case Register::kReducedSum:
      return state.reduced_sum;
    case Register::kReducedValue:
      return state.reduced_value;
    case Register::kReducedIndex:
      return state.reduced_index;
    case Register::kGathered:
      return state.gathered;
    case Register::kAtomic:
      return static_cast<uint64_t>(state.atomic) |
             static_cast<uint64_t>(state.atomic_dtype) << 8;
    case Register::kMerged:
      return uint64_t{state.merged[0]} | uint64_t{state.merged[1]} << 16 |
             uint64_t{state.merged[2]} << 32 | uint64_t{state.merged[3]} << 48;
  }
  return 0;
}
