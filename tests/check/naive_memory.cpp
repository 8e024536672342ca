// SPDX-License-Identifier: Apache-2.0
#include "naive_memory.h"

#include <algorithm>

namespace belay::check {
namespace {

using abi::BufferState;
using abi::Op;

bool IsActive(const abi::Instruction& instruction, uint64_t repeat,
              uint64_t lane, uint64_t per_repeat) {
  switch (instruction.form) {
    case abi::Form::kCount:
      return repeat * per_repeat + lane < instruction.count;
    case abi::Form::kContinuous:
      return lane < instruction.count;
    default:
      return (instruction.mask[lane / 64] >> (lane % 64) & 1) != 0;
  }
}

// Bytes of the active lanes; `element` bytes each, 64 lanes a repeat.
NaiveMemory::Bytes LaneBytes(const abi::Instruction& instruction,
                             const abi::Operand& operand, uint64_t element) {
  constexpr uint64_t kLanes = 64;
  const uint64_t repeats = instruction.form == abi::Form::kCount
                               ? (instruction.count + kLanes - 1) / kLanes
                               : instruction.repeat;
  NaiveMemory::Bytes bytes;
  for (uint64_t repeat = 0; repeat < repeats; ++repeat) {
    for (uint64_t lane = 0; lane < kLanes; ++lane) {
      if (!IsActive(instruction, repeat, lane, kLanes)) continue;
      const uint64_t in_block = 32 / element;
      const uint64_t at = operand.address +
                          repeat * operand.repeat_stride * 32 +
                          lane / in_block * operand.block_stride * 32 +
                          lane % in_block * element;
      for (uint64_t i = 0; i < element; ++i) bytes.insert(at + i);
    }
  }
  return bytes;
}

NaiveMemory::Bytes BitBytes(const abi::Instruction& select) {
  NaiveMemory::Bytes bytes;
  const uint64_t bits = select.form == abi::Form::kCount
                            ? select.count
                            : uint64_t{select.repeat} * 64;
  for (uint64_t bit = 0; bit < bits; ++bit) {
    bytes.insert(select.src2.address + bit / 8);
  }
  return bytes;
}

}  // namespace

void NaiveMemory::Add(const char* code, uint64_t pc, uint64_t other) {
  found_.insert(std::string(code) + " " + std::to_string(pc) + " " +
                std::to_string(other));
}

void NaiveMemory::Queue(Op op, int number, uint64_t pc) {
  Buffer& buffer = buffers_.at(number);
  if (op == Op::kEnQue && (buffer.state == BufferState::kFree ||
                           buffer.state == BufferState::kEnqueued)) {
    Add("S111", pc, buffer.state_pc);
  }
  if (op == Op::kFreeTensor && buffer.state == BufferState::kEnqueued) {
    Add("S112", pc, buffer.state_pc);
  }
  buffer.state_pc = pc;
  if (op == Op::kEnQue) buffer.state = BufferState::kEnqueued;
  if (op == Op::kDeQue) buffer.state = BufferState::kDequeued;
  if (op == Op::kFreeTensor) buffer.state = BufferState::kFree;
  if (op != Op::kAllocTensor) return;
  buffer.state = BufferState::kAllocated;
  buffer.alloc_pc = pc;
  int allocated = 0;
  for (const auto& [other, b] : buffers_) {
    if (b.is_queue && b.position == buffer.position &&
        b.state != BufferState::kFree) {
      ++allocated;
    }
  }
  if (allocated > 8) Add("S113", pc, 0);
}

void NaiveMemory::Leaks() {
  for (const auto& [number, buffer] : buffers_) {
    if (!buffer.is_queue || buffer.state == BufferState::kFree) continue;
    Add("M109", buffer.alloc_pc,
        buffer.state == BufferState::kAllocated ? 0 : buffer.state_pc);
  }
}

void NaiveMemory::Reset(bool ends) {
  if (ends) Leaks();
  buffers_.clear();
}

void NaiveMemory::Turn(const Buffer& buffer, uint64_t pc) {
  if (!buffer.is_queue) return;
  if (buffer.state == BufferState::kFree) Add("M102", pc, buffer.state_pc);
  if (buffer.state == BufferState::kEnqueued) Add("M103", pc, buffer.state_pc);
}

void NaiveMemory::CheckAllocation(const Bytes& bytes, bool write, uint64_t pc,
                                  bool& done) {
  for (const uint64_t byte : bytes) {
    bool inside = false;
    for (const Allocation& allocation : allocations_) {
      inside |=
          byte >= allocation.base && byte < allocation.base + allocation.bytes;
    }
    if (inside) continue;
    Add(write ? "M105" : "M104", pc, 0);
    done = true;
    return;
  }
}

void NaiveMemory::Use(const abi::Operand& operand, const Bytes& bytes,
                      bool write, uint64_t pc) {
  if (bytes.empty()) return;
  const bool global = operand.memory == abi::Memory::kGm;
  bool done = false;
  if (global) CheckAllocation(bytes, write, pc, done);
  if (done || operand.buffer_bytes == 0) return;
  // Several buffers may begin at one place; then nobody knows whose turn it is.
  const Buffer* own = nullptr;
  const Buffer* only = nullptr;
  int beginning = 0;
  for (const auto& [number, buffer] : buffers_) {
    if (global || buffer.begin != operand.buffer) continue;
    ++beginning;
    only = &buffer;
    if (own == nullptr && buffer.bytes == operand.buffer_bytes) own = &buffer;
  }
  const bool outside =
      std::any_of(bytes.begin(), bytes.end(), [&](uint64_t byte) {
        return byte < operand.buffer ||
               byte >= operand.buffer + operand.buffer_bytes;
      });
  if (outside && own != nullptr) {
    Add("M101", pc, own->init_pc);
  } else if (outside) {
    Add("M106", pc, 0);
  }
  if (beginning == 1) Turn(*only, pc);
}

void NaiveMemory::Read(const Bytes& bytes, uint64_t pc) {
  for (const uint64_t byte : bytes) {
    const auto found = shadow_.find(byte);
    if (found == shadow_.end() || !found->second.is_lost) continue;
    Add("M107", pc, found->second.clobber_pc);
    return;
  }
}

void NaiveMemory::Write(const Bytes& bytes) {
  for (const uint64_t byte : bytes) {
    if (byte >= scratch_) shadow_[byte] = {true, false, 0};
  }
}

void NaiveMemory::Vector(const abi::Instruction& i, uint64_t scratch_bytes) {
  const uint64_t element = i.op == Op::kAddDeqRelu ? 2 : 4;
  const Bytes dst = LaneBytes(i, i.dst, element);
  const Bytes src0 = LaneBytes(i, i.src0, 4);
  const bool two = i.src1.dtype != abi::DType::kNone;
  const Bytes src1 = two ? LaneBytes(i, i.src1, 4) : Bytes{};
  const Bytes bits = i.op == Op::kSelect ? BitBytes(i) : Bytes{};
  Use(i.dst, dst, true, i.pc);
  Use(i.src0, src0, false, i.pc);
  Use(i.src1, src1, false, i.pc);
  Use(i.src2, bits, false, i.pc);
  if (scratch_bytes != 0) {
    for (const auto& [number, buffer] : buffers_) {
      const bool over = buffer.begin < scratch_ + scratch_bytes &&
                        buffer.begin + buffer.bytes > scratch_;
      const bool held = !buffer.is_queue || buffer.state != BufferState::kFree;
      if (over && held) Add("M108", i.pc, buffer.init_pc);
    }
    for (uint64_t at = scratch_; at < scratch_ + scratch_bytes; ++at) {
      Byte& byte = shadow_[at];
      if (byte.is_live) byte = {false, true, i.pc};
    }
  }
  for (const Bytes* read : {&src0, &src1, &bits}) Read(*read, i.pc);
  Write(dst);
}

void NaiveMemory::Move(const abi::Instruction& i) {
  const auto side = [&](const abi::Operand& operand, int64_t gap) {
    Bytes bytes;
    uint64_t at = operand.address;
    for (uint32_t block = 0; block < i.transfer.block_count; ++block) {
      for (uint32_t b = 0; b < i.transfer.block_bytes; ++b) bytes.insert(at++);
      at += gap;
    }
    return bytes;
  };
  const Bytes source = side(i.src0, i.transfer.source_gap);
  const Bytes destination = side(i.dst, i.transfer.destination_gap);
  Use(i.src0, source, false, i.pc);
  Use(i.dst, destination, true, i.pc);
  if (i.src0.memory == abi::Memory::kUb) Read(source, i.pc);
  if (i.dst.memory == abi::Memory::kUb) Write(destination);
}

void NaiveMemory::Scalar(uint64_t address, uint64_t bytes, bool write,
                         uint64_t pc) {
  Bytes set;
  for (uint64_t i = 0; i < bytes; ++i) set.insert(address + i);
  bool done = false;
  if (address < ub_ || address >= ub_ + (1 << 20)) {
    CheckAllocation(set, write, pc, done);
    return;
  }
  const Buffer* holder = nullptr;
  int holders = 0;
  for (const auto& [number, buffer] : buffers_) {
    if (address < buffer.begin || address >= buffer.begin + buffer.bytes) {
      continue;
    }
    holder = &buffer;
    ++holders;
  }
  if (holders == 1) Turn(*holder, pc);
  if (write) {
    Write(set);
  } else {
    Read(set, pc);
  }
}

void NaiveMemory::Flag(bool set, int pair, int id, bool by_queue, uint64_t pc) {
  if (set) {
    flags_[{pair, id}] = {by_queue, pc};
    return;
  }
  const SetFlag& flag = flags_.at({pair, id});
  if (flag.by_queue != by_queue) Add("S107", pc, flag.pc);
  flags_.erase({pair, id});
}

void NaiveMemory::End() {
  Leaks();
  for (const auto& [name, flag] : flags_) Add("S106", flag.pc, 0);
}

}  // namespace belay::check
