// SPDX-License-Identifier: Apache-2.0
// Which orders the executor takes for legal, on small hand-written traffic.

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "legal_orders.h"
#include "order_graph.h"
#include "race_fixture.h"
#include "recorder.h"

namespace belay::orders {
namespace {

using abi::Pipe;

// Events are named by their pc.
class OrderGraph : public check::RaceTest {
 protected:
  OrderGraph()
      : recorder_(chip_, [this](const Recording& done) { recording_ = done; }) {
  }

  void Begin(int blocks = 1) {
    Start(/*auto_sync=*/true, blocks);
    chip_.AddObserver(&recorder_);
    recorder_.OnLaunch({"kernel", blocks});
    for (int i = 0; i < blocks; ++i) recorder_.OnBlockBegin(Core(i));
  }

  // Whether the event at `first` must come before that at `second`.
  bool IsBefore(uint64_t first, uint64_t second, bool auto_sync = false) {
    if (!ended_) EndLaunch();
    ended_ = true;
    const auto nodes = BuildOrderGraph(recording_, auto_sync, chip_);
    const auto find = [&](uint64_t pc) {
      for (size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].event >= 0 &&
            recording_.events[nodes[i].event].Place() == pc) {
          return static_cast<int>(i);
        }
      }
      ADD_FAILURE() << "no event at " << pc;
      return 0;
    };
    std::set<int> behind = {find(second)};
    for (int i = static_cast<int>(nodes.size()) - 1; i >= 0; --i) {
      if (!behind.contains(i)) continue;
      behind.insert(nodes[i].after.begin(), nodes[i].after.end());
    }
    return behind.contains(find(first));
  }

  Recorder recorder_;
  Recording recording_;
  bool ended_ = false;
};

TEST_F(OrderGraph, OnePipeTakesEitherOrderWithoutABarrier) {
  Begin();
  Add(0, 1024, 2048, 1);
  Add(4096, 0, 0, 2);
  Barrier(Pipe::kV);
  Add(8192, 0, 0, 3);
  EXPECT_FALSE(IsBefore(1, 2));
  EXPECT_TRUE(IsBefore(1, 2, /*auto_sync=*/true));
  EXPECT_TRUE(IsBefore(1, 3));
  EXPECT_TRUE(IsBefore(2, 3));
  EXPECT_FALSE(IsBefore(3, 1));
}

TEST_F(OrderGraph, AFlagOrdersWhatIsBeforeItAndWhatIsBehindItsWait) {
  Begin();
  CopyIn(0, 0, 1);
  Set(Pipe::kMte2, Pipe::kV);
  CopyIn(1024, 0, 2);
  Add(8192, 8192, 8192, 3);
  Wait(Pipe::kMte2, Pipe::kV);
  Add(4096, 0, 0, 4);
  EXPECT_TRUE(IsBefore(1, 4));
  EXPECT_FALSE(IsBefore(2, 4));
  EXPECT_FALSE(IsBefore(1, 3));
  EXPECT_FALSE(IsBefore(3, 4));
}

TEST_F(OrderGraph, WhatTheScalarUnitWaitsForIsBeforeAllItHandsOverLater) {
  Begin();
  Add(0, 1024, 2048, 1);
  Order(Pipe::kV, Pipe::kS);
  CopyIn(0, 0, 2);
  Store(Ub(0), 4, 3);
  CopyOut(0, 0, 4);
  EXPECT_TRUE(IsBefore(1, 2));
  EXPECT_TRUE(IsBefore(1, 3));
  EXPECT_FALSE(IsBefore(3, 4));
  EXPECT_TRUE(IsBefore(3, 4, /*auto_sync=*/true));
}

TEST_F(OrderGraph, BlocksAreOrderedByMeetingsOnly) {
  Begin(2);
  CopyOut(0, 0, 1, 0);
  CopyOut(0, 0, 2, 1);
  Meet(2);
  CopyOut(0, 0, 3, 1);
  EXPECT_FALSE(IsBefore(1, 2));
  EXPECT_TRUE(IsBefore(1, 3));
  EXPECT_TRUE(IsBefore(2, 3));
}

TEST_F(OrderGraph, FlagsBetweenBlocksOrderTheTwo) {
  Begin(2);
  CopyOut(0, 0, 1, 0);
  ASSERT_EQ(Issue(BlockSync(abi::Op::kIbSet), 2, 0), "");
  CopyOut(1024, 0, 3, 0);
  ASSERT_EQ(Issue(BlockSync(abi::Op::kIbWait), 4, 1), "");
  Waited(BlockSync(abi::Op::kIbWait), 1);
  CopyIn(0, 0, 5, 1);
  EXPECT_TRUE(IsBefore(1, 5));
  EXPECT_FALSE(IsBefore(3, 5));
}

// Each waits until both have set the flag, which their stores come before.
TEST_F(OrderGraph, FlagsBetweenCoresOrderOnePipeOfTheSetters) {
  Begin(2);
  abi::Instruction set = BlockSync(abi::Op::kCrossCoreSetFlag, 3);
  set.sync.from = Pipe::kMte3;
  const abi::Instruction wait = BlockSync(abi::Op::kCrossCoreWaitFlag, 3);
  CopyOut(0, 0, 1, 0);
  CopyIn(0, 0, 2, 0);
  ASSERT_EQ(Issue(set, 3, 0), "");
  CopyOut(1024, 0, 4, 0);
  CopyOut(2048, 0, 5, 1);
  ASSERT_EQ(Issue(set, 6, 1), "");
  ASSERT_EQ(Issue(wait, 7, 1), "");
  Waited(wait, 1);
  CopyIn(0, 0, 8, 1);
  EXPECT_TRUE(IsBefore(1, 8));
  EXPECT_TRUE(IsBefore(5, 8));
  EXPECT_FALSE(IsBefore(2, 8)) << "another pipe than the flag's";
  EXPECT_FALSE(IsBefore(4, 8)) << "behind the set";
}

// The same traffic with and without the flag between load and use.
TEST_F(OrderGraph, AMissingFlagGivesOtherBitsInSomeOrder) {
  Begin();
  std::memset(reinterpret_cast<void*>(gm_), 0x3F, 1024);
  recorder_.OnLaunch({"kernel", 1});
  CopyIn(0, 0, 1);
  Add(1024, 0, 0, 2);
  Order(Pipe::kV, Pipe::kMte3);
  CopyOut(2048, 1024, 3);
  EndLaunch();
  LegalOrders orders(recording_, /*auto_sync=*/true, chip_);
  const Outcome expected = orders.RunProgramOrder();
  EXPECT_GT(orders.CountDiffering(expected, 1, 200, false), 20);
  EXPECT_EQ(orders.Run(7), orders.Run(7)) << "a seed names an order";
}

TEST_F(OrderGraph, WithTheFlagAllOrdersGiveTheSameBits) {
  Begin();
  std::memset(reinterpret_cast<void*>(gm_), 0x3F, 1024);
  recorder_.OnLaunch({"kernel", 1});
  CopyIn(0, 0, 1);
  Order(Pipe::kMte2, Pipe::kV);
  Add(1024, 0, 0, 2);
  Order(Pipe::kV, Pipe::kMte3);
  CopyOut(2048, 1024, 3);
  EndLaunch();
  LegalOrders orders(recording_, /*auto_sync=*/true, chip_);
  const Outcome expected = orders.RunProgramOrder();
  EXPECT_EQ(orders.CountDiffering(expected, 1, 200, false), 0);
}

}  // namespace
}  // namespace belay::orders
