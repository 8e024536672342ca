// SPDX-License-Identifier: Apache-2.0
#include "check/memory_buffers.h"

#include <algorithm>

namespace belay::check {

using abi::BufferState;
using abi::Op;

abi::Position PositionOf(const abi::QueueState& queue) {
  return queue.destination == abi::Position::kGm ? queue.source
                                                 : queue.destination;
}

Buffer* QueueBuffers::FindForChange(const abi::Queue& queue) {
  for (Buffer& buffer : buffers_) {
    if (buffer.queue == queue.queue && buffer.index == queue.index) {
      return &buffer;
    }
  }
  return nullptr;
}

const Buffer* QueueBuffers::Find(const abi::Queue& queue) const {
  return const_cast<QueueBuffers*>(this)->FindForChange(queue);
}

const Buffer* QueueBuffers::Beginning(uint64_t begin) const {
  for (size_t i = 0; i < begins_.size(); ++i) {
    if (begins_[i] == begin) return is_alone_[i] ? &buffers_[i] : nullptr;
  }
  return nullptr;
}

const Buffer* QueueBuffers::Matching(uint64_t begin, uint64_t bytes) const {
  for (const Buffer& buffer : buffers_) {
    if (buffer.begin == begin && buffer.end - begin == bytes) return &buffer;
  }
  return nullptr;
}

const Buffer* QueueBuffers::Holding(uint64_t address) const {
  const Buffer* found = nullptr;
  for (const Buffer& buffer : buffers_) {
    if (address - buffer.begin >= buffer.end - buffer.begin) continue;
    if (found != nullptr) return nullptr;
    found = &buffer;
  }
  return found;
}

void QueueBuffers::Clear() {
  buffers_.clear();
  Index();
}

void QueueBuffers::Index() {
  begins_.clear();
  end_ = 0;
  for (const Buffer& buffer : buffers_) {
    begins_.push_back(buffer.begin);
    end_ = std::max(end_, buffer.end);
  }
  is_alone_.clear();
  for (const uint64_t begin : begins_) {
    is_alone_.push_back(std::count(begins_.begin(), begins_.end(), begin) == 1);
  }
}

void QueueBuffers::Init(const abi::Instruction& instruction) {
  const abi::Queue& record = instruction.queue;
  const auto* queue = reinterpret_cast<const abi::QueueState*>(record.queue);
  Buffer buffer;
  buffer.begin = record.address;
  buffer.end = record.address + record.bytes;
  buffer.queue = record.queue;
  buffer.index = record.index;
  buffer.is_queue = queue->is_queue != 0;
  buffer.position = PositionOf(*queue);
  buffer.init_pc = instruction.pc;
  // A queue that is given buffers anew loses its old ones.
  std::erase_if(buffers_, [&](const Buffer& old) {
    return old.queue == record.queue &&
           (record.index == 0 || old.index == record.index);
  });
  buffers_.push_back(buffer);
  Index();
}

void QueueBuffers::Reset(const abi::Queue& range) {
  std::erase_if(buffers_, [&](const Buffer& buffer) {
    return range.bytes == 0 || (buffer.begin >= range.address &&
                                buffer.end <= range.address + range.bytes);
  });
  Index();
}

const Buffer* QueueBuffers::Apply(const abi::Instruction& instruction) {
  const abi::Queue& record = instruction.queue;
  if (instruction.op == Op::kInitBuffer) {
    Init(instruction);
    return &buffers_.back();
  }
  if (instruction.op == Op::kResetBuffers) {
    Reset(record);
    return nullptr;
  }
  Buffer* buffer = FindForChange(record);
  if (buffer == nullptr) return nullptr;
  buffer->state_pc = instruction.pc;
  switch (instruction.op) {
    case Op::kAllocTensor:
      buffer->state = BufferState::kAllocated;
      buffer->alloc_pc = instruction.pc;
      if (buffer->begin != record.address) {
        // The kernel has placed it elsewhere since InitBuffer.
        buffer->begin = record.address;
        buffer->end = record.address + record.bytes;
        Index();
      }
      break;
    case Op::kEnQue:
      buffer->state = BufferState::kEnqueued;
      break;
    case Op::kDeQue:
      buffer->state = BufferState::kDequeued;
      break;
    case Op::kFreeTensor:
      buffer->state = BufferState::kFree;
      break;
    default:
      break;
  }
  return buffer;
}

}  // namespace belay::check
