// SPDX-License-Identifier: Apache-2.0
// Which lanes the four forms give, and what they leave in the registers.

#include <gtest/gtest.h>

#include "npu/lanes.h"

namespace belay::npu::test_lanes {
namespace {

constexpr uint64_t kAll = ~uint64_t{0};

abi::Instruction Adds(abi::Form form) {
  abi::Instruction instruction{};
  instruction.op = abi::Op::kAdds;
  instruction.form = form;
  instruction.repeat = 3;
  return instruction;
}

TEST(Lanes, CountFormResetsMaskAndMode) {
  VectorState state;
  state.mask[0] = 5;
  state.counter_mode = true;
  abi::Instruction instruction = Adds(abi::Form::kCount);
  instruction.count = 130;
  const Lanes lanes = ResolveLanes(instruction, 128, state);
  EXPECT_TRUE(lanes.counter);
  EXPECT_EQ(lanes.count, 130u);
  EXPECT_EQ(lanes.repeats, 2u);
  EXPECT_TRUE(lanes.Active(1, 1));
  EXPECT_FALSE(lanes.Active(1, 2));
  EXPECT_EQ(state.mask[0], kAll);
  EXPECT_EQ(state.mask[1], kAll);
  EXPECT_FALSE(state.counter_mode);
}

TEST(Lanes, ContinuousFormLeavesItsMask) {
  VectorState state;
  abi::Instruction instruction = Adds(abi::Form::kContinuous);
  instruction.count = 70;
  const Lanes lanes = ResolveLanes(instruction, 128, state);
  EXPECT_FALSE(lanes.counter);
  EXPECT_EQ(lanes.repeats, 3u);
  EXPECT_EQ(lanes.mask[0], kAll);
  EXPECT_EQ(lanes.mask[1], 0x3fu);
  EXPECT_EQ(state.mask[1], 0x3fu);
}

TEST(Lanes, ContinuousFormBeyondARepeatIsOneRepeat) {
  VectorState state;
  abi::Instruction instruction = Adds(abi::Form::kContinuous);
  instruction.count = 100;
  const Lanes lanes = ResolveLanes(instruction, 64, state);
  EXPECT_EQ(lanes.mask[0], kAll);
  EXPECT_EQ(lanes.mask[1], 0u);
}

TEST(Lanes, BitwiseFormUsesTheLanesTheTypeHas) {
  VectorState state;
  abi::Instruction instruction = Adds(abi::Form::kBitwise);
  instruction.mask[0] = 0xf0f0f0f0f0f0f0f0u;
  instruction.mask[1] = 0x1;
  EXPECT_EQ(ResolveLanes(instruction, 128, state).mask[1], 1u);
  EXPECT_EQ(ResolveLanes(instruction, 64, state).mask[1], 0u);
  EXPECT_EQ(ResolveLanes(instruction, 32, state).mask[0], 0xf0f0f0f0u);
  EXPECT_EQ(state.mask[0], 0xf0f0f0f0f0f0f0f0u);
  EXPECT_EQ(state.mask[1], 1u);
}

TEST(Lanes, RegisterFormInNormalMode) {
  VectorState state;
  state.mask[0] = 0xff;
  state.mask[1] = 0;
  const Lanes lanes = ResolveLanes(Adds(abi::Form::kRegister), 64, state);
  EXPECT_EQ(lanes.repeats, 3u);
  EXPECT_EQ(lanes.mask[0], 0xffu);
}

TEST(Lanes, RegisterFormInCounterModeIgnoresRepeat) {
  VectorState state;
  state.counter_mode = true;
  state.mask[0] = 130;
  const Lanes lanes = ResolveLanes(Adds(abi::Form::kRegister), 64, state);
  EXPECT_TRUE(lanes.counter);
  EXPECT_EQ(lanes.repeats, 3u);
  EXPECT_EQ(lanes.count, 130u);
  EXPECT_TRUE(state.counter_mode);
  EXPECT_EQ(state.mask[0], 130u);
}

// A mask handed over in counter mode is a count (page on masks).
TEST(Lanes, MaskFormsInCounterModeGiveACount) {
  VectorState state;
  state.counter_mode = true;
  abi::Instruction bitwise = Adds(abi::Form::kBitwise);
  bitwise.mask[0] = 130;
  EXPECT_EQ(ResolveLanes(bitwise, 128, state).count, 130u);
  abi::Instruction continuous = Adds(abi::Form::kContinuous);
  continuous.count = 200;
  const Lanes lanes = ResolveLanes(continuous, 128, state);
  EXPECT_EQ(lanes.count, 200u);
  EXPECT_EQ(lanes.repeats, 2u);
  EXPECT_EQ(state.mask[0], 200u);
}

TEST(Lanes, CompareTakesWholeRepeatsAndNoMask) {
  VectorState state;
  state.mask[0] = 0xf;
  abi::Instruction compare{};
  compare.op = abi::Op::kCompare;
  compare.form = abi::Form::kCount;
  compare.count = 200;
  EXPECT_EQ(ResolveLanes(compare, 64, state).repeats, 3u);
  compare.form = abi::Form::kContinuous;
  compare.count = 5;
  compare.repeat = 2;
  const Lanes lanes = ResolveLanes(compare, 64, state);
  EXPECT_EQ(lanes.repeats, 2u);
  EXPECT_EQ(lanes.mask[0], kAll);
  EXPECT_EQ(state.mask[0], 0xfu);
}

TEST(Lanes, LeadingLanes) {
  uint64_t mask[2];
  SetLeadingLanes(0, mask);
  EXPECT_EQ(mask[0], 0u);
  EXPECT_EQ(mask[1], 0u);
  SetLeadingLanes(64, mask);
  EXPECT_EQ(mask[0], kAll);
  EXPECT_EQ(mask[1], 0u);
  SetLeadingLanes(65, mask);
  EXPECT_EQ(mask[1], 1u);
  SetLeadingLanes(128, mask);
  EXPECT_EQ(mask[1], kAll);
}

}  // namespace
}  // namespace belay::npu::test_lanes
