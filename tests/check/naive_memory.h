// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CHECK_NAIVE_MEMORY_H_
#define BELAY_TESTS_CHECK_NAIVE_MEMORY_H_

// memcheck and synccheck once more, the slow and obvious way: bytes in sets,
// one loop for each rule. Knows the instructions the random kernels use.

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "belay/instruction.h"
#include "belay/queue.h"

namespace belay::check {

class NaiveMemory {
 public:
  using Bytes = std::set<uint64_t>;

  struct Buffer {
    uint64_t begin = 0;
    uint64_t bytes = 0;
    bool is_queue = false;
    int position = 0;
    abi::BufferState state = abi::BufferState::kFree;
    uint64_t init_pc = 0;
    uint64_t alloc_pc = 0;
    uint64_t state_pc = 0;
  };
  struct Allocation {
    uint64_t base = 0;
    uint64_t bytes = 0;
  };

  NaiveMemory(uint64_t ub, uint64_t ub_bytes, uint64_t scratch_bytes)
      : ub_(ub), scratch_(ub + ub_bytes - scratch_bytes) {}

  void AddAllocation(uint64_t base, uint64_t bytes) {
    allocations_.push_back({base, bytes});
  }
  // The buffers by their numbers; `number` is the caller's.
  void Init(int number, const Buffer& buffer) { buffers_[number] = buffer; }
  void Queue(abi::Op op, int number, uint64_t pc);
  void Reset(bool ends);

  // Add (float), Select and AddDeqRelu, DataCopy; scalars.
  void Vector(const abi::Instruction& instruction, uint64_t scratch_bytes);
  void Move(const abi::Instruction& instruction);
  void Scalar(uint64_t address, uint64_t bytes, bool write, uint64_t pc);
  void Flag(bool set, int pair, int id, bool by_queue, uint64_t pc);
  void End();

  bool IsSet(int pair, int id) const { return flags_.contains({pair, id}); }

  // "CODE pc other" of every finding.
  const std::set<std::string>& found() const { return found_; }

 private:
  struct Byte {
    bool is_live = false;
    bool is_lost = false;
    uint64_t clobber_pc = 0;
  };
  struct SetFlag {
    bool by_queue;
    uint64_t pc;
  };

  void Add(const char* code, uint64_t pc, uint64_t other);
  void Use(const abi::Operand& operand, const Bytes& bytes, bool write,
           uint64_t pc);
  void CheckAllocation(const Bytes& bytes, bool write, uint64_t pc, bool& done);
  void Turn(const Buffer& buffer, uint64_t pc);
  void Read(const Bytes& bytes, uint64_t pc);
  void Write(const Bytes& bytes);
  void Leaks();

  uint64_t ub_;
  uint64_t scratch_;
  std::vector<Allocation> allocations_;
  std::map<int, Buffer> buffers_;
  std::map<uint64_t, Byte> shadow_;
  std::map<std::pair<int, int>, SetFlag> flags_;
  std::set<std::string> found_;
};

}  // namespace belay::check

#endif  // BELAY_TESTS_CHECK_NAIVE_MEMORY_H_
