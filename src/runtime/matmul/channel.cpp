// SPDX-License-Identifier: Apache-2.0
#include "runtime/matmul/channel.h"

#include <algorithm>
#include <cstring>

#include "npu/cross_core_flags.h"
#include "runtime/sync_blocks.h"

namespace belay::runtime::matmul {

using abi::Pipe;

static_assert(sizeof(Message) <= kMessageBytes);

namespace {

constexpr uint64_t kLine = 64;

// The object's flags on a vector core: a result is there, a message was read.
uint32_t ResultFlag(uint32_t number) { return 2 * number; }
uint32_t TakenFlag(uint32_t number) { return 2 * number + 1; }

// What of a message is sent: the rest only where the request wants it.
uint64_t BytesSent(abi::MatmulCall call) {
  const bool is_long =
      call == abi::MatmulCall::kInit || call == abi::MatmulCall::kCopyToL1;
  return is_long ? sizeof(Message) : offsetof(Message, tiling);
}

// Copies through the scalar unit, a line at a time. The message's own padding
// travels with it.
void Move(Instructions& instructions, uint64_t address, void* data,
          uint64_t bytes, bool write) {
  Device& device = instructions.device();
  auto* at = static_cast<std::byte*>(data);
  for (uint64_t done = 0; done < bytes; done += kLine) {
    const uint64_t piece = std::min(kLine, bytes - done);
    void* place =
        device.chip().AccessDirect(*device.current()->core, address + done,
                                   piece, write, instructions.pc());
    if (write) {
      std::memcpy(place, at + done, piece);
    } else {
      std::memcpy(at + done, place, piece);
    }
  }
}

}  // namespace

Channel::Channel(Instructions& instructions, uint64_t workspace, int sub_block)
    : instructions_(instructions),
      core_(npu::ParticipantOf(*instructions.device().current()->core)),
      sub_block_(sub_block) {
  const npu::LaunchShape& shape = instructions.device().flags().modes().shape();
  const int core = shape.BlockOf(core_) * shape.vector + sub_block;
  base_ = workspace + static_cast<uint64_t>(core) * kVectorCoreBytes;
}

void SetCoreFlag(Instructions& instructions, uint32_t mode, uint32_t id,
                 Pipe from) {
  abi::Instruction set{};
  set.op = abi::Op::kCrossCoreSetFlag;
  set.mode = static_cast<uint8_t>(mode);
  set.sync = {from, from, id, 0};
  instructions.Issue(set);
  SyncBlocks(instructions.device(), set);
}

void WaitCoreFlag(Instructions& instructions, uint32_t id) {
  abi::Instruction wait{};
  wait.op = abi::Op::kCrossCoreWaitFlag;
  wait.sync = {Pipe::kS, Pipe::kS, id, 0};
  instructions.Issue(wait);
  SyncBlocks(instructions.device(), wait);
}

void Channel::SetFlag(uint32_t id, Pipe from) {
  SetCoreFlag(instructions_,
              npu::kOneVectorCore + static_cast<uint32_t>(sub_block_), id,
              from);
}

void Channel::WaitFlag(uint32_t id) { WaitCoreFlag(instructions_, id); }

void Channel::Post(abi::MatmulState& state, const Message& message) {
  // All objects of a vector core share its place for messages; the first one
  // keeps whose lies there.
  auto* first =
      reinterpret_cast<abi::MatmulState*>(instructions_.pipe().matmul_owner);
  uint8_t& untaken = (first != nullptr ? *first : state).untaken;
  if (untaken != 0) WaitFlag(TakenFlag(untaken - 1u));
  untaken = static_cast<uint8_t>(state.number + 1);
  Message copy = message;
  copy.number = state.number;
  copy.pc = instructions_.pc();
  Move(instructions_, base_, &copy, BytesSent(copy.request.call), true);
  SetFlag(posted(), Pipe::kS);
}

void Channel::AwaitResult(const abi::MatmulState& state) {
  WaitFlag(ResultFlag(state.number));
}

bool Channel::HasMessage() const {
  return instructions_.device().flags().CountOf(core_, posted()) > 0;
}

Message Channel::Take() {
  WaitFlag(posted());
  Message message{};
  constexpr uint64_t kShort = offsetof(Message, tiling);
  Move(instructions_, base_, &message, kShort, false);
  const uint64_t bytes = BytesSent(message.request.call);
  if (bytes > kShort) Move(instructions_, base_, &message, bytes, false);
  SetFlag(TakenFlag(message.number), Pipe::kS);
  return message;
}

void Channel::TellResult(uint32_t number, Pipe after) {
  SetFlag(ResultFlag(number), after);
}

abi::Operand Channel::CopyOf(const abi::Operand& in_ub) const {
  const uint64_t ub = instructions_.MemoryBase(abi::Memory::kUb);
  abi::Operand copy = in_ub;
  copy.memory = abi::Memory::kGm;
  copy.address = base_ + kMessageBytes + (in_ub.address - ub);
  copy.buffer = 0;
  copy.buffer_bytes = 0;
  return copy;
}

}  // namespace belay::runtime::matmul
