// SPDX-License-Identifier: Apache-2.0
#include "runtime/sync_blocks.h"

#include <fmt/format.h>

#include "runtime/cross_core.h"

namespace belay::runtime {
namespace {

using abi::Op;

// The record's mode is 1 when cube cores take part, its id the number of blocks
// that meet.
Meeting MeetingOf(const abi::Instruction& instruction) {
  Meeting meeting;
  meeting.cube = instruction.mode == 1;
  meeting.first = static_cast<int>(instruction.sync.id);
  return meeting;
}

// Waits for block `setter` of the vector cores.
void WaitForBlock(Device& device, const char* call, int setter,
                  std::string what, std::function<bool()> is_over,
                  uint64_t pc) {
  device.RequireAllBlocksOnCores(call, pc);
  const bool cube = device.current()->core->type == npu::CoreType::kCube;
  Wait wait;
  wait.call = call;
  wait.what = std::move(what);
  wait.is_over = std::move(is_over);
  wait.awaited = [cube, setter] {
    return std::vector<npu::Participant>{{cube, setter}};
  };
  wait.pc = pc;
  device.WaitUntil(std::move(wait));
}

}  // namespace

bool ConcernsCore(Device& device, const abi::Instruction& instruction) {
  return instruction.op != Op::kSyncAll ||
         MeetingOf(instruction)
             .Includes(npu::ParticipantOf(*device.current()->core));
}

void SyncBlocks(Device& device, const abi::Instruction& instruction) {
  BlockSync& sync = device.block_sync();
  const npu::Core& core = *device.current()->core;
  const int block = device.current()->index;
  const int blocks = device.block_count() * device.subblock_count();
  const uint64_t workspace = instruction.dst.address;
  const BlockSync::Flag flag{workspace, instruction.sync.id,
                             instruction.sync.block};
  switch (instruction.op) {
    case Op::kSyncAll:
      device.Meet(MeetingOf(instruction), instruction.pc);
      device.chip().NotifyWaited(core, instruction);
      break;
    case Op::kCrossCoreSetFlag:
      SetCrossCoreFlag(device, instruction);
      break;
    case Op::kCrossCoreWaitFlag:
      WaitCrossCoreFlag(device, instruction);
      device.chip().NotifyWaited(core, instruction);
      break;
    case Op::kIbSet:
      sync.Set(flag);
      break;
    case Op::kIbWait:
      WaitForBlock(
          device, "IBWait", static_cast<int>(instruction.sync.block),
          fmt::format("event {} of block {}", instruction.sync.id,
                      instruction.sync.block),
          [&sync, flag] { return sync.IsSet(flag); }, instruction.pc);
      sync.Clear(flag);
      device.chip().NotifyWaited(core, instruction);
      break;
    case Op::kWaitPreBlock:
      WaitForBlock(
          device, "WaitPreBlock", (block + blocks - 1) % blocks, "its turn",
          [&sync, workspace, block, blocks] {
            return sync.MayTakeTurn(workspace, block, blocks);
          },
          instruction.pc);
      sync.TakeTurn(workspace, block, blocks);
      device.chip().NotifyWaited(core, instruction);
      break;
    case Op::kNotifyNextBlock:
      sync.FinishTurn(workspace, block, blocks);
      break;
    default:
      break;
  }
}

}  // namespace belay::runtime
