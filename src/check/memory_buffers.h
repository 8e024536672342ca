// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_MEMORY_BUFFERS_H_
#define BELAY_CHECK_MEMORY_BUFFERS_H_

// The buffers one core's queues and TBufs hold, and who owns each: what queue
// records say, kept apart from the guest's own objects.

#include <cstdint>
#include <vector>

#include "belay/instruction.h"
#include "belay/queue.h"

namespace belay::check {

struct Buffer {
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t queue = 0;
  uint32_t index = 0;
  bool is_queue = false;  // else a TBuf, which nobody allocates
  abi::Position position = abi::Position::kMax;
  abi::BufferState state = abi::BufferState::kFree;
  uint64_t init_pc = 0;
  uint64_t alloc_pc = 0;  // of the last AllocTensor
  uint64_t state_pc = 0;  // of the last change of state
};

class QueueBuffers {
 public:
  // Takes a record of the Queue family. The buffer it concerns, with its new
  // state, or nullptr for one nobody initialised and for ResetBuffers.
  const Buffer* Apply(const abi::Instruction& instruction);

  // The buffer the record concerns as it is now, or nullptr.
  const Buffer* Find(const abi::Queue& queue) const;

  // The buffer that begins at `begin`; nullptr when none or several do (pools
  // can share memory).
  const Buffer* Beginning(uint64_t begin) const;

  // The first buffer of this place and size, or nullptr.
  const Buffer* Matching(uint64_t begin, uint64_t bytes) const;

  // The buffer that holds `address`; nullptr when none or several do.
  const Buffer* Holding(uint64_t address) const;

  // No buffer reaches behind this.
  uint64_t end() const { return end_; }
  const std::vector<Buffer>& buffers() const { return buffers_; }

  void Clear();

 private:
  Buffer* FindForChange(const abi::Queue& queue);
  void Init(const abi::Instruction& instruction);
  void Reset(const abi::Queue& range);
  // Recomputes what is kept beside the buffers.
  void Index();

  std::vector<Buffer> buffers_;
  // Of buffers_, in the same order: where each begins, and no other does.
  std::vector<uint64_t> begins_;
  std::vector<uint8_t> is_alone_;
  uint64_t end_ = 0;
};

// The position AllocTensor's limit counts by: where the queue's buffers lie.
abi::Position PositionOf(const abi::QueueState& queue);

}  // namespace belay::check

#endif  // BELAY_CHECK_MEMORY_BUFFERS_H_
