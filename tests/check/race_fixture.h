// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CHECK_RACE_FIXTURE_H_
#define BELAY_TESTS_CHECK_RACE_FIXTURE_H_

// A chip under racecheck, and short ways to write its traffic.

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "check/race.h"
#include "support.h"

namespace belay::check {

class RaceTest : public CheckTest {
 protected:
  void Start(bool auto_sync = true, int blocks = 1) {
    checker_ = std::make_unique<RaceChecker>(
        chip_, findings_, RaceOptions{auto_sync, /*log_auto_sync=*/true});
    chip_.AddObserver(checker_.get());
    gm_ = chip_.global().Allocate(kGmBytes);
    std::memset(reinterpret_cast<void*>(gm_), 0, kGmBytes);
    Launch(blocks);
  }

  void Set(abi::Pipe from, abi::Pipe to, uint64_t pc = 900, int core = 0) {
    ASSERT_EQ(Issue(Flag(abi::Op::kSetFlag, from, to, 0), pc, core), "");
  }
  void Wait(abi::Pipe from, abi::Pipe to, uint64_t pc = 901, int core = 0) {
    ASSERT_EQ(Issue(Flag(abi::Op::kWaitFlag, from, to, 0), pc, core), "");
  }
  void Order(abi::Pipe from, abi::Pipe to, int core = 0) {
    Set(from, to, 900, core);
    Wait(from, to, 901, core);
  }
  void Barrier(abi::Pipe pipe, int core = 0) {
    abi::Instruction barrier{};
    barrier.op = abi::Op::kPipeBarrier;
    barrier.sync = {pipe, pipe, 0, 0};
    ASSERT_EQ(Issue(barrier, 902, core), "");
  }
  abi::Instruction BlockSync(abi::Op op, uint32_t id = 0, uint32_t block = 0) {
    abi::Instruction record{};
    record.op = op;
    record.dst = Gm(gm_ + kGmBytes / 2, abi::DType::kInt32);
    record.sync = {abi::Pipe::kAll, abi::Pipe::kAll, id, block};
    return record;
  }
  void Waited(const abi::Instruction& instruction, int core) {
    chip_.NotifyWaited(Core(core), instruction);
  }
  void Meet(int blocks) {
    const abi::Instruction meeting = BlockSync(abi::Op::kSyncAll);
    for (int i = 0; i < blocks; ++i) ASSERT_EQ(Issue(meeting, 903, i), "");
    for (int i = 0; i < blocks; ++i) Waited(meeting, i);
  }
  void CleanLine(uint64_t address, int core = 0) {
    abi::Instruction clean{};
    clean.op = abi::Op::kDataCacheCleanAndInvalid;
    clean.cache = {address, 0};
    ASSERT_EQ(Issue(clean, 904, core), "");
  }
  void SetAtomic(abi::Atomic how, abi::DType dtype, int core) {
    abi::Instruction set{};
    set.op = abi::Op::kSetAtomic;
    set.mode = static_cast<uint8_t>(how);
    set.dst.dtype = dtype;
    ASSERT_EQ(Issue(set, 905, core), "");
  }

  // Moves of 1 KB between GM and UB.
  void CopyIn(uint64_t ub, uint64_t gm, uint64_t pc, int core = 0) {
    ASSERT_EQ(Issue(Move(At(ub, abi::DType::kFloat, core), Gm(gm_ + gm), 1024),
                    pc, core),
              "");
  }
  void CopyOut(uint64_t gm, uint64_t ub, uint64_t pc, int core = 0) {
    ASSERT_EQ(Issue(Move(Gm(gm_ + gm), At(ub, abi::DType::kFloat, core), 1024),
                    pc, core),
              "");
  }
  // dst = src0 + src1, 1 KB each.
  void Add(uint64_t dst, uint64_t src0, uint64_t src1, uint64_t pc,
           int core = 0) {
    ASSERT_EQ(Issue(Binary(abi::Op::kAdd, At(dst, abi::DType::kFloat, core),
                           At(src0, abi::DType::kFloat, core),
                           At(src1, abi::DType::kFloat, core), 256),
                    pc, core),
              "");
  }

  static constexpr uint64_t kGmBytes = 1 << 16;
  std::unique_ptr<RaceChecker> checker_;
  uint64_t gm_ = 0;
};

}  // namespace belay::check

#endif  // BELAY_TESTS_CHECK_RACE_FIXTURE_H_
