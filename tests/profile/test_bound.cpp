// SPDX-License-Identifier: Apache-2.0
// Tests the hardware bound: which bytes are compulsory, which term binds, and
// that no replay comes below it.

#include <gtest/gtest.h>

#include <random>

#include "clock/bound.h"
#include "logs.h"

namespace belay::clock {
namespace {

using abi::Pipe;
using belay::testing::AddBlock;
using belay::testing::kInput;
using belay::testing::kOutput;
using belay::testing::Meet;
using belay::testing::Move;
using belay::testing::NewLog;
using belay::testing::Spec;

TEST(Bound, CountsEveryByteOnce) {
  LaunchLog log = NewLog(2);
  for (int block = 0; block < 2; ++block) {
    AddBlock(log, block,
             {Move(Pipe::kMte2, 1, kInput, 4096),
              Move(Pipe::kMte2, 1, kInput + 2048, 4096),
              Move(Pipe::kMte3, 3, kOutput, 1024)});
  }
  const Bound bound = HardwareBound(log, Spec(), L2State::kCold);
  EXPECT_EQ(bound.compulsory_read, 6144u);
  EXPECT_EQ(bound.written, 1024u);
}

TEST(Bound, WhatTheLaunchWroteIsNotCompulsory) {
  LaunchLog log = NewLog(1);
  AddBlock(log, 0,
           {Move(Pipe::kMte3, 3, kOutput, 4096),
            Move(Pipe::kMte2, 1, kOutput, 8192)});
  EXPECT_EQ(HardwareBound(log, Spec(), L2State::kCold).compulsory_read, 4096u);
}

TEST(Bound, InPlaceIsRead) {
  LaunchLog log = NewLog(1);
  AddBlock(log, 0,
           {Move(Pipe::kMte2, 1, kOutput, 4096),
            Move(Pipe::kMte3, 3, kOutput, 4096)});
  EXPECT_EQ(HardwareBound(log, Spec(), L2State::kCold).compulsory_read, 4096u);
}

// What another block wrote before all met does not come from HBM, whichever
// block is looked at first.
TEST(Bound, MeetingsOrderBlocks) {
  for (const int writer : {0, 1}) {
    LaunchLog log = NewLog(2);
    for (int block = 0; block < 2; ++block) {
      if (block == writer) {
        AddBlock(log, block, {Move(Pipe::kMte3, 3, kOutput, 4096), Meet()});
      } else {
        AddBlock(log, block, {Meet(), Move(Pipe::kMte2, 1, kOutput, 4096)});
      }
    }
    EXPECT_EQ(HardwareBound(log, Spec(), L2State::kCold).compulsory_read, 0u);
  }
}

// A kernel that reads a little of every sector asks for less than sectors.
TEST(Bound, ScatteredReadsCountAsAskedFor) {
  LaunchLog log = NewLog(1);
  AddBlock(log, 0,
           {belay::testing::Rows(Pipe::kMte2, 1, kInput, 100, 32, 4096)});
  EXPECT_EQ(HardwareBound(log, Spec(), L2State::kCold).compulsory_read, 3200u);
}

TEST(Bound, WarmCacheHoldsInputs) {
  LaunchLog log = NewLog(1);
  AddBlock(log, 0, {Move(Pipe::kMte2, 1, kInput, 1 << 20)});
  EXPECT_EQ(HardwareBound(log, Spec(), L2State::kWarm).compulsory_read, 0u);
}

// The published best: 268.4 MB in, 134.2 MB out, in 184.52 µs.
TEST(Bound, PublishedAddLiesWithinATenthAboveIt) {
  constexpr uint64_t kTensor = 8192ull * 8192 * 2;
  constexpr uint32_t kMove = 1 << 20;
  LaunchLog log = NewLog(1);
  std::vector<Record> records;
  for (uint64_t at = 0; at < kTensor; at += kMove) {
    records.push_back(Move(Pipe::kMte2, 1, kInput + at, kMove));
    records.push_back(Move(Pipe::kMte2, 1, kInput + kTensor + at, kMove));
    records.push_back(
        belay::testing::Vector(Spec(), abi::Op::kAdd, 2, kMove / 256));
    records.push_back(Move(Pipe::kMte3, 3, kOutput + at, kMove));
  }
  AddBlock(log, 0, records);
  const Bound bound = HardwareBound(log, Spec(), L2State::kCold);
  EXPECT_EQ(bound.binding(), "HBM reads");
  EXPECT_LE(bound.total, 184.52);
  EXPECT_GE(bound.total, 184.52 / 1.1);
}

TEST(Bound, WritesBeyondTheCacheGoToHbm) {
  constexpr uint32_t kMove = 1 << 30;
  LaunchLog log = NewLog(1);
  AddBlock(log, 0, {Move(Pipe::kMte3, 3, kOutput, kMove)});
  const Bound bound = HardwareBound(log, Spec(), L2State::kCold);
  EXPECT_EQ(bound.binding(), "HBM reads and writes");
  const double beyond = kMove - 201326592.0;
  EXPECT_NEAR(bound.hbm_mixed,
              beyond / Spec().Value("bound.hbm_write_back") * 1e-3, 1e-6);
}

// Published for a 910B2: one copy after the other of 192 MiB, of which L2 keeps
// nothing till the next, in 320.0 µs each. No copy of as many bytes of which L2
// keeps 201.3 MB at the end is faster than that.
TEST(Bound, PublishedCopyLiesWithinATenthAboveIt) {
  constexpr uint64_t kTensor = 192 << 20;
  Work work;
  work.compulsory_read = kTensor;
  work.written = kTensor + 201326592;
  const double bound = BoundOf(work, Spec()).total;
  EXPECT_LE(bound, 320.0);
  EXPECT_GE(bound, 320.0 / 1.1);
}

TEST(Bound, VectorWorkIsSharedByAllCores) {
  LaunchLog log = NewLog(1);
  AddBlock(log, 0, {belay::testing::Vector(Spec(), abi::Op::kAdd, 2, 480'000)});
  const Bound bound = HardwareBound(log, Spec(), L2State::kCold);
  EXPECT_EQ(bound.binding(), "vector work");
  EXPECT_NEAR(bound.vector, 10'000 / 1850.0, 1e-9);
}

TEST(Bound, NoReplayComesBelowIt) {
  std::mt19937 random(7);
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    belay::testing::TileLoop loop;
    loop.blocks = 1 + static_cast<int>(random() % 48);
    loop.tiles = 1 + static_cast<int>(random() % 20);
    loop.tile_bytes = 256 << random() % 7;
    loop.buffers = 1 + static_cast<int>(random() % 2);
    loop.vectors = static_cast<int>(random() % 9);
    const LaunchLog log = belay::testing::MakeTileLoop(Spec(), loop);
    for (const L2State l2 : {L2State::kCold, L2State::kWarm}) {
      ReplayOptions options;
      options.l2 = l2;
      const LaunchTime time = Replay(log, Spec(), options);
      EXPECT_GE(ToMicroseconds(time.total, Spec().clock_mhz()),
                HardwareBound(log, Spec(), l2).total);
    }
  }
}

}  // namespace
}  // namespace belay::clock
