// SPDX-License-Identifier: Apache-2.0
// What is said about blocks that wait for ever.

#include <gtest/gtest.h>

#include "runtime/deadlock.h"

namespace belay::runtime {
namespace {

class DeadlockTest : public ::testing::Test {
 protected:
  DeadlockTest() : chip_(npu::LoadChip(npu::kDefaultChip)) {}

  Block& Add(Block::State state) {
    Block block;
    block.index = static_cast<int>(wave_.size());
    block.core = &chip_.VectorCore(block.index);
    block.state = state;
    wave_.push_back(std::move(block));
    return wave_.back();
  }
  void AddDone() { Add(Block::State::kDone); }
  void AddMeeting(uint64_t pc) {
    Block& block = Add(Block::State::kMeeting);
    block.wait.call = "SyncAll";
    block.wait.pc = pc;
  }
  void AddWaiting(int setter, uint64_t pc) {
    Block& block = Add(Block::State::kWaiting);
    block.wait.call = "IBWait";
    block.wait.awaited = [setter] {
      return std::vector<npu::Participant>{{false, setter}};
    };
    block.wait.what = "event 3";
    block.wait.pc = pc;
  }

  npu::Chip chip_;
  std::vector<Block> wave_;
};

TEST_F(DeadlockTest, BlockThatEndedIsMissing) {
  AddDone();
  for (int i = 0; i < 8; ++i) AddMeeting(5);
  const npu::Fault fault = DescribeDeadlock(wave_, {});
  EXPECT_EQ(fault.diagnostic.code, "BLY-S102");
  EXPECT_EQ(fault.diagnostic.message,
            "deadlock: 8 of 9 blocks wait in SyncAll and 1 ended without it");
  EXPECT_EQ(fault.pc, 5u);
  EXPECT_EQ(fault.diagnostic.core, "aiv 1");
  ASSERT_EQ(fault.notes.size(), 1u);
  EXPECT_EQ(fault.notes[0].pc, 5u);
  EXPECT_EQ(fault.notes[0].message,
            "blocks 1, 2, 3, 4, 5, 6 and 2 more wait in SyncAll, which only "
            "block 0 could complete: it ended without it");
}

TEST_F(DeadlockTest, CircleOfFlags) {
  AddWaiting(1, 10);
  AddWaiting(2, 11);
  AddWaiting(1, 12);
  const npu::Fault fault = DescribeDeadlock(wave_, {});
  EXPECT_EQ(fault.diagnostic.message,
            "deadlock: 3 of 3 blocks wait in IBWait and 0 ended without it; "
            "block 1 waits for block 2, that for block 1");
  ASSERT_EQ(fault.notes.size(), 3u);
  EXPECT_EQ(fault.notes[0].message,
            "block 0 waits in IBWait for event 3, which only block 1 could "
            "set: it waits in IBWait");
}

TEST_F(DeadlockTest, FlagsAndMeetingsMixed) {
  AddMeeting(10);
  AddWaiting(0, 11);
  AddMeeting(10);
  const npu::Fault fault = DescribeDeadlock(wave_, {});
  EXPECT_EQ(fault.diagnostic.message,
            "deadlock: 3 of 3 blocks wait in SyncAll or IBWait and 0 ended "
            "without it; block 0 waits for block 1, that for block 0");
  ASSERT_EQ(fault.notes.size(), 2u);
  EXPECT_EQ(fault.notes[0].message,
            "blocks 0 and 2 wait in SyncAll, which only block 1 could "
            "complete: it waits in IBWait");
}

TEST_F(DeadlockTest, NoSuchBlock) {
  AddWaiting(7, 10);
  const npu::Fault fault = DescribeDeadlock(wave_, {});
  ASSERT_EQ(fault.notes.size(), 1u);
  EXPECT_EQ(fault.notes[0].message,
            "block 0 waits in IBWait for event 3, which only block 7 could "
            "set: it does not exist");
}

}  // namespace
}  // namespace belay::runtime
