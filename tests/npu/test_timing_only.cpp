// SPDX-License-Identifier: Apache-2.0
// Runs that compute no values: what is left undone, what is known all the
// same, and what reads of the rest give.

#include <cstring>

#include "chip_fixture.h"

namespace belay::npu {
namespace {

class TimingOnlyTest : public ChipTest {
 protected:
  TimingOnlyTest() {
    chip_.RunTimingOnly(Pretence::kOne);
    gm_ = chip_.global().Allocate(kBytes);
    chip_.NotifyAllocate(gm_, kBytes);
  }

  abi::Instruction Move(const abi::Operand& dst, const abi::Operand& src) {
    abi::Instruction move{};
    move.op = abi::Op::kDataCopy;
    move.dst = dst;
    move.src0 = src;
    move.transfer = {1, 64, 0, 0, 0, 0, 0, 0};
    return move;
  }

  int32_t Read(uint64_t address) {
    int32_t value;
    std::memcpy(&value, chip_.AccessScalar(core_, address, 4, false, true, 7),
                4);
    return value;
  }
  void Write(uint64_t address, int32_t value) {
    std::memcpy(chip_.AccessScalar(core_, address, 4, true, true, 7), &value,
                4);
  }

  static constexpr uint64_t kBytes = 4096;
  uint64_t gm_;
};

TEST_F(TimingOnlyTest, VectorInstructionsLeaveTheirResultsAlone) {
  Write(Ub(0), 41);
  EXPECT_EQ(CodeOf(AddFloats(256, 0, 0, 8)), "");
  EXPECT_EQ(*At<uint8_t>(256), kPoison);
}

TEST_F(TimingOnlyTest, WhatIsNotExecutedIsStillChecked) {
  EXPECT_EQ(CodeOf(AddFloats(1 << 20, 0, 0, 8)), "BLY-N101");
}

TEST_F(TimingOnlyTest, ScalarStoresAreKnownUntilAnInstructionWritesThere) {
  Write(Ub(0), 41);
  EXPECT_EQ(Read(Ub(0)), 41);
  EXPECT_EQ(chip_.timing_only()->pretended(), 0);
  EXPECT_EQ(CodeOf(AddFloats(0, 256, 256, 8)), "");
  EXPECT_EQ(Read(Ub(0)), 1);
  EXPECT_EQ(chip_.timing_only()->pretended(), 1);
  EXPECT_EQ(chip_.timing_only()->first_pc(), 7);
}

TEST_F(TimingOnlyTest, WhatTheHostWroteIsMovedAndRead) {
  std::memset(reinterpret_cast<void*>(gm_), 5, 64);
  chip_.NotifyHostWrite({gm_, 64, 0});
  EXPECT_EQ(Read(gm_), 0x05050505);
  const auto int32 = abi::DType::kInt32;
  EXPECT_EQ(CodeOf(Move(Local(0, int32), Global(gm_, int32))), "");
  EXPECT_EQ(Read(Ub(60)), 0x05050505);
  EXPECT_EQ(chip_.timing_only()->pretended(), 0);
  // The next 64 bytes nobody wrote.
  EXPECT_EQ(CodeOf(Move(Local(0, int32), Global(gm_ + 64, int32))), "");
  EXPECT_EQ(Read(Ub(60)), 1);
}

TEST_F(TimingOnlyTest, MovesToGlobalMemoryMakeItUnknown) {
  std::memset(reinterpret_cast<void*>(gm_), 5, 128);
  chip_.NotifyHostWrite({gm_, 128, 0});
  const auto int32 = abi::DType::kInt32;
  EXPECT_EQ(CodeOf(Move(Global(gm_, int32), Local(0, int32))), "");
  EXPECT_EQ(Read(gm_ + 60), 1);
  EXPECT_EQ(Read(gm_ + 64), 0x05050505);
  EXPECT_EQ(*reinterpret_cast<int32_t*>(gm_), 0x05050505);
}

TEST(TimingOnly, PretencesDifferInValueAndSign) {
  int16_t whole[3];
  double large[3];
  for (const Pretence pretence : kPretences) {
    const int i = static_cast<int>(pretence);
    TimingOnly timing(pretence);
    std::memcpy(&whole[i], timing.Pretend(2, 1), 2);
    std::memcpy(&large[i], timing.Pretend(8, 1), 8);
  }
  EXPECT_EQ(whole[0], 1);
  EXPECT_EQ(whole[1], 3);
  EXPECT_LT(whole[2], 0);
  EXPECT_GT(large[1], large[0]);
  EXPECT_GT(large[0], 0);
  EXPECT_LT(large[2], 0);
}

TEST_F(TimingOnlyTest, FreshMemoryTakesNoRoom) {
  // Far more than this machine would give.
  const uint64_t bytes = uint64_t{40} << 30;
  const uint64_t address = chip_.global().Allocate(bytes);
  ASSERT_NE(address, 0);
  EXPECT_EQ(*reinterpret_cast<unsigned char*>(address + bytes - 1), 0);
}

}  // namespace
}  // namespace belay::npu
