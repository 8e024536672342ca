// SPDX-License-Identifier: Apache-2.0
#include "check/sync.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/catalogue.h"
#include "npu/names.h"

namespace belay::check {
namespace {

using abi::BufferState;
using abi::Op;
using abi::Pipe;

// Ids from here on: one the documents keep for the system, one for TPipe.
constexpr uint32_t kFirstKeptId = 6;

// Tensors that all queues of a position may hold at once.
constexpr int kMaxAllocated = 8;

int PairOf(const abi::Sync& flag) {
  return static_cast<int>(flag.from) * 8 + static_cast<int>(flag.to);
}

// Whether a vector core has both pipes and the flag between them.
bool IsOnVectorCore(const abi::Sync& flag) {
  const auto has = [](Pipe pipe) {
    return pipe == Pipe::kS || pipe == Pipe::kV || pipe == Pipe::kMte2 ||
           pipe == Pipe::kMte3;
  };
  if (!has(flag.from) || !has(flag.to)) return false;
  return flag.from != flag.to || flag.from == Pipe::kV;
}

}  // namespace

SyncChecker::SyncChecker(npu::Chip& chip, Findings& findings)
    : chip_(chip), findings_(findings), cores_(chip.on_chip().slots()) {}

void SyncChecker::Add(std::string_view code, const npu::InstructionEvent& event,
                      std::string message, std::string fix, std::string note,
                      uint64_t note_pc, uint64_t name_pc) {
  npu::Fault fault =
      MakeFinding(code, event.core, npu::NameOf(event.pipe),
                  event.instruction.pc, std::move(message), std::move(fix));
  if (!note.empty()) fault.notes.push_back({std::move(note), note_pc});
  fault.name_pc = name_pc;
  findings_.Add(std::move(fault));
}

void SyncChecker::OnLaunch(const npu::LaunchEvent&) {
  std::fill(cores_.begin(), cores_.end(), CoreState{});
}

void SyncChecker::OnBlockBegin(const npu::Core& core) {
  StateOf(core).buffers.Clear();
  StateOf(core).seen.fill(0);
}

void SyncChecker::OnInstruction(const npu::InstructionEvent& event) {
  switch (event.instruction.op) {
    case Op::kSetFlag:
      CheckSetFlag(event);
      break;
    case Op::kWaitFlag:
      CheckWaitFlag(event);
      break;
    case Op::kPipeBarrier:
      CheckBarrier(event);
      break;
    case Op::kAllocTensor:
    case Op::kDeQue:
    case Op::kEnQue:
    case Op::kFreeTensor:
    case Op::kInitBuffer:
    case Op::kResetBuffers:
      CheckQueue(event);
      break;
    default:
      break;
  }
}

void SyncChecker::CheckSetFlag(const npu::InstructionEvent& event) {
  const abi::Sync& flag = event.instruction.sync;
  const uint64_t pc = event.instruction.pc;
  CoreState& state = StateOf(event.core);
  const int pair = PairOf(flag);
  const auto bit = static_cast<uint8_t>(1u << flag.id);
  const bool by_queue = event.instruction.mode == 1;
  if (by_queue) {
    state.queue_set[pair] |= bit;
  } else {
    state.queue_set[pair] &= static_cast<uint8_t>(~bit);
  }
  const bool first = (state.seen[pair] & bit) == 0;
  state.seen[pair] |= bit;
  if (by_queue || !first) return;

  if (event.core.type == npu::CoreType::kVector && !IsOnVectorCore(flag) &&
      !findings_.CountIfKnown(code::kS109, pc, 0)) {
    Add(code::kS109, event,
        fmt::format("[SetFlag] a vector core has no flag {}: the call orders "
                    "nothing there",
                    npu::EventName(flag)),
        "use a flag between two of the pipes S, V, MTE2 and MTE3, or make the "
        "call on the cube core only",
        "", 0);
  }
  // AllocEventID hands out the lowest id first, so it has handed out all that
  // the kernel may use.
  constexpr uint8_t kOwnIds = (1u << kFirstKeptId) - 1;
  if (flag.id >= kFirstKeptId && (state.seen[pair] & kOwnIds) != kOwnIds &&
      !findings_.CountIfKnown(code::kS108, pc, 0)) {
    Add(code::kS108, event,
        fmt::format("[SetFlag] event id {} of {}: 6 and 7 are kept for the "
                    "system and for TPipe",
                    flag.id, npu::EventName(flag)),
        "use ids 0 to 5, or take them from AllocEventID", "", 0);
  }
}

void SyncChecker::CheckWaitFlag(const npu::InstructionEvent& event) {
  const abi::Sync& flag = event.instruction.sync;
  if (!event.core.flags.IsSet(flag)) return;  // traps
  const uint64_t set_pc = event.core.flags.SetPc(flag);
  const bool set_by_queue =
      (StateOf(event.core).queue_set[PairOf(flag)] >> flag.id & 1) != 0;
  const bool by_queue = event.instruction.mode == 1;
  if (set_by_queue == by_queue ||
      findings_.CountIfKnown(code::kS107, event.instruction.pc, set_pc)) {
    return;
  }
  Add(code::kS107, event,
      fmt::format("[WaitFlag] {} takes flag {} of {} that {} has set: both use "
                  "this event id at once",
                  by_queue ? "a queue" : "the kernel", flag.id,
                  npu::EventName(flag),
                  set_by_queue ? "a queue" : "the kernel"),
      "reserve ids with AllocEventID: FetchEventID and EVENT_ID0 to 7 do not "
      "keep queues from taking the same one",
      "it was set here", set_pc);
}

void SyncChecker::CheckBarrier(const npu::InstructionEvent& event) {
  if (event.instruction.sync.from != Pipe::kS ||
      findings_.CountIfKnown(code::kS110, event.instruction.pc, 0)) {
    return;
  }
  Add(code::kS110, event,
      "[PipeBarrier] PIPE_S is not allowed: scalar instructions run in order "
      "anyway",
      "leave it out; to wait for other pipes use a flag such as V_S, or "
      "PipeBarrier<PIPE_ALL>()",
      "", 0);
}

void SyncChecker::CheckQueue(const npu::InstructionEvent& event) {
  QueueBuffers& buffers = StateOf(event.core).buffers;
  const Op op = event.instruction.op;
  if (const Buffer* buffer = buffers.Find(event.instruction.queue)) {
    if (op == Op::kEnQue) CheckEnQue(event, *buffer);
    if (op == Op::kFreeTensor) CheckFree(event, *buffer);
  }
  const Buffer* buffer = buffers.Apply(event.instruction);
  if (op == Op::kAllocTensor && buffer != nullptr) {
    CheckAllocated(event, *buffer);
  }
}

void SyncChecker::CheckEnQue(const npu::InstructionEvent& event,
                             const Buffer& buffer) {
  const bool is_free = buffer.state == BufferState::kFree;
  if (!is_free && buffer.state != BufferState::kEnqueued) return;
  if (findings_.CountIfKnown(code::kS111, event.instruction.pc,
                             buffer.state_pc)) {
    return;
  }
  Add(code::kS111, event,
      fmt::format("[EnQue] the tensor of queue '{{name}}' is {}",
                  is_free ? buffer.state_pc == 0
                                ? "not allocated"
                                : "free: FreeTensor gave it back"
                          : "queued already"),
      is_free ? "enqueue what AllocTensor returned, before it is freed"
              : "enqueue each tensor once, and DeQue it before the next time",
      buffer.state_pc == 0 ? ""
      : is_free            ? "it was freed here"
                           : "it was queued here",
      buffer.state_pc, buffer.init_pc);
}

void SyncChecker::CheckFree(const npu::InstructionEvent& event,
                            const Buffer& buffer) {
  if (buffer.state != BufferState::kEnqueued ||
      findings_.CountIfKnown(code::kS112, event.instruction.pc,
                             buffer.state_pc)) {
    return;
  }
  Add(code::kS112, event,
      "[FreeTensor] the tensor of queue '{name}' is still queued: DeQue would "
      "hand out a buffer that is free",
      "DeQue the tensor first and free what DeQue returns",
      "it was queued here", buffer.state_pc, buffer.init_pc);
}

void SyncChecker::CheckAllocated(const npu::InstructionEvent& event,
                                 const Buffer& buffer) {
  const std::vector<Buffer>& all = StateOf(event.core).buffers.buffers();
  const auto allocated =
      std::count_if(all.begin(), all.end(), [&](const Buffer& other) {
        return other.is_queue && other.position == buffer.position &&
               other.state != BufferState::kFree;
      });
  if (allocated <= kMaxAllocated ||
      findings_.CountIfKnown(code::kS113, event.instruction.pc, 0)) {
    return;
  }
  Add(code::kS113, event,
      fmt::format("[AllocTensor] queue '{{name}}': {} tensors of its position "
                  "are allocated now, at most {} may be",
                  allocated, kMaxAllocated),
      "free tensors earlier, or keep intermediate values in one TBuf", "", 0,
      buffer.init_pc);
}

void SyncChecker::OnBlockEnd(const npu::Core& core) {
  for (int from = 0; from < 8; ++from) {
    for (int to = 0; to < 8; ++to) {
      for (uint32_t id = 0; id < npu::FlagTable::kIds; ++id) {
        const abi::Sync flag{static_cast<Pipe>(from), static_cast<Pipe>(to), id,
                             0};
        if (!core.flags.IsSet(flag)) continue;
        const uint64_t pc = core.flags.SetPc(flag);
        if (findings_.CountIfKnown(code::kS106, pc, 0)) continue;
        findings_.Add(MakeFinding(
            code::kS106, core, npu::NameOf(flag.from), pc,
            fmt::format("[SetFlag] flag {} of {} is still set when the block "
                        "ends: the next kernel on this core finds it",
                        id, npu::EventName(flag)),
            "wait for every flag that was set, also behind the last round of "
            "a loop"));
      }
    }
  }
}

}  // namespace belay::check
