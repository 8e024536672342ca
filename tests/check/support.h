// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CHECK_SUPPORT_H_
#define BELAY_TESTS_CHECK_SUPPORT_H_

// A chip under a checker: short ways to write records, to run them as a launch
// would, and to see what was found.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "belay/queue.h"
#include "check/findings.h"
#include "npu/chip.h"

namespace belay::check {

// The seed of random tests: BELAY_SEED, or `otherwise`. Print it on failure.
uint64_t SeedOr(uint64_t otherwise);

class CheckTest : public ::testing::Test {
 protected:
  CheckTest();

  // Calls every observer of the chip. The blocks are those of cores 0 to
  // blocks - 1.
  void Launch(int blocks = 1);
  void EndBlock(int core = 0);
  // Ends all blocks, then the launch.
  void EndLaunch();

  npu::Core& Core(int index = 0) { return chip_.VectorCore(index); }
  uint64_t Ub(uint64_t offset, int core = 0);

  // An operand at a byte offset of UB, of float unless said otherwise.
  abi::Operand At(uint64_t offset, abi::DType dtype = abi::DType::kFloat,
                  int core = 0);
  // The same with the bounds of the buffer it was taken from.
  abi::Operand In(uint64_t offset, uint64_t buffer_offset,
                  uint64_t buffer_bytes);
  static abi::Operand Gm(uint64_t address,
                         abi::DType dtype = abi::DType::kFloat);

  static abi::Instruction Unary(abi::Op op, abi::Operand dst, abi::Operand src,
                                uint64_t count);
  static abi::Instruction Binary(abi::Op op, abi::Operand dst,
                                 abi::Operand src0, abi::Operand src1,
                                 uint64_t count);
  static abi::Instruction Fill(abi::Operand dst, uint64_t count);
  static abi::Instruction Move(abi::Operand dst, abi::Operand src,
                               uint32_t bytes, uint32_t blocks = 1,
                               int64_t source_gap = 0,
                               int64_t destination_gap = 0);
  static abi::Instruction Flag(abi::Op op, abi::Pipe from, abi::Pipe to,
                               uint32_t id, bool by_queue = false);

  // Issues it at place `pc`; the code of its trap, or "".
  std::string Issue(abi::Instruction instruction, uint64_t pc, int core = 0);

  // Loads or stores as kernel code does; `ordered` as GetValue and SetValue.
  void Load(uint64_t address, uint64_t bytes, uint64_t pc, bool ordered = true,
            int core = 0);
  void Store(uint64_t address, uint64_t bytes, uint64_t pc, bool ordered = true,
             int core = 0);

  // A queue with buffers of `bytes` from `offset` on, as InitBuffer makes it;
  // `is_queue` false makes a TBuf.
  abi::QueueState MakeQueue(abi::Position source, abi::Position destination,
                            bool is_queue = true);
  void Init(abi::QueueState& queue, int buffers, uint32_t bytes,
            uint64_t offset, uint64_t pc, int core = 0);
  // Tells observers; changes nothing in `queue`.
  void Queue(abi::Op op, const abi::QueueState& queue, uint32_t index,
             uint64_t pc, int core = 0);

  // "CODE@pc" of each finding, in the order they were met; "+N" when it was met
  // N times more.
  std::vector<std::string> Found() const;
  const npu::Fault& Only() const;

  npu::Chip chip_;
  Findings findings_;

 private:
  int blocks_ = 0;
  std::vector<bool> ended_;
};

}  // namespace belay::check

#endif  // BELAY_TESTS_CHECK_SUPPORT_H_
