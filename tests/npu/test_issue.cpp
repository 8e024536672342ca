// SPDX-License-Identifier: Apache-2.0
// The choke point: what it traps, what it shows to observers, what it runs.

#include "chip_fixture.h"

namespace belay::npu {
namespace {

using abi::DType;
using abi::Form;
using abi::Op;

TEST_F(ChipTest, ExecutesAndLeavesTheRestAlone) {
  for (int i = 0; i < 100; ++i) {
    At<float>(0)[i] = static_cast<float>(i);
    At<float>(1024)[i] = 0.5f;
  }
  EXPECT_EQ(CodeOf(AddFloats(4096, 0, 1024, 99)), "");
  for (int i = 0; i < 99; ++i) EXPECT_EQ(At<float>(4096)[i], i + 0.5f);
  EXPECT_EQ(At<uint32_t>(4096)[99], 0xFFFFFFFFu);
}

TEST_F(ChipTest, TrapsOperandsOutsideTheirMemory) {
  EXPECT_EQ(CodeOf(AddFloats(196608 - 256, 0, 0, 64)), "");
  EXPECT_EQ(CodeOf(AddFloats(196608 - 256, 0, 0, 65)), "BLY-N101");
  EXPECT_NE(message_.find("196608 bytes"), std::string::npos) << message_;
  EXPECT_EQ(CodeOf(AddFloats(0, 196608, 0, 1)), "BLY-N101");
  // Below the start: another core's memory.
  abi::Instruction below = AddFloats(0, 0, 0, 8);
  below.src1.address -= 32;
  EXPECT_EQ(CodeOf(below), "BLY-N101");
}

TEST_F(ChipTest, StridesCountForTheExtent) {
  abi::Instruction add = AddFloats(0, 0, 0, 64);
  add.form = Form::kContinuous;
  add.repeat = 3;
  add.dst = Local(0, DType::kFloat);
  add.dst.repeat_stride = 255;
  EXPECT_EQ(CodeOf(add), "");
  // 2 × 255 blocks, then 8 blocks: bytes up to 16576 from the start.
  add.dst.address = Ub(196608 - 16576);
  EXPECT_EQ(CodeOf(add), "");
  add.dst.address += 32;
  EXPECT_EQ(CodeOf(add), "BLY-N101");
  // With fewer lanes the last block is not touched.
  add.count = 56;
  EXPECT_EQ(CodeOf(add), "");
}

TEST_F(ChipTest, TrapsMisalignedOperands) {
  EXPECT_EQ(CodeOf(AddFloats(4, 0, 0, 8)), "BLY-N102");
  EXPECT_EQ(CodeOf(AddFloats(0, 16, 0, 8)), "BLY-N102");
  EXPECT_EQ(CodeOf(AddFloats(0, 0, 28, 8)), "BLY-N102");
  EXPECT_NE(message_.find("src1"), std::string::npos) << message_;
}

TEST_F(ChipTest, TrapsParametersThatDoNotFit) {
  abi::Instruction add = AddFloats(0, 0, 0, 64);
  add.form = Form::kContinuous;
  add.repeat = 256;
  EXPECT_EQ(CodeOf(add), "BLY-N103");
  add.repeat = 1;
  add.src0.repeat_stride = 256;
  EXPECT_EQ(CodeOf(add), "BLY-N104");
  add.src0.repeat_stride = 8;
  add.src1.block_stride = 256;
  EXPECT_EQ(CodeOf(add), "BLY-N104");
}

TEST_F(ChipTest, TrapsWrongMemoryAndTypes) {
  abi::Instruction add = AddFloats(0, 0, 0, 8);
  add.src0.memory = abi::Memory::kL1;
  EXPECT_EQ(CodeOf(add), "BLY-N106");
  add = AddFloats(0, 0, 0, 8);
  add.dst.dtype = add.src0.dtype = add.src1.dtype = DType::kUint8;
  EXPECT_EQ(CodeOf(add), "BLY-N107");
}

TEST_F(ChipTest, LanesTheChipLeavesOutAreReported) {
  abi::Instruction compare = AddFloats(0, 1024, 4096, 100);
  compare.op = Op::kCompare;
  compare.dst.dtype = DType::kUint8;
  EXPECT_EQ(CodeOf(compare), "");
  ASSERT_EQ(reported_.size(), 1u);
  EXPECT_EQ(reported_[0].code, "BLY-N112");
  EXPECT_EQ(reported_[0].severity, Severity::kWarning);
  abi::Instruction add = AddFloats(0, 1024, 4096, 128);
  add.form = Form::kContinuous;
  add.repeat = 1;
  EXPECT_EQ(CodeOf(add), "");
  ASSERT_EQ(reported_.size(), 2u);
  EXPECT_EQ(reported_[1].code, "BLY-N105");
}

TEST_F(ChipTest, CountOfZeroAndRepeatOfZeroDoNothing) {
  At<float>(0)[0] = 7;
  EXPECT_EQ(CodeOf(AddFloats(0, 1024, 1024, 0)), "");
  abi::Instruction add = AddFloats(0, 1024, 1024, 64);
  add.form = Form::kContinuous;
  add.repeat = 0;
  EXPECT_EQ(CodeOf(add), "");
  EXPECT_EQ(At<float>(0)[0], 7);
}

TEST_F(ChipTest, VectorInstructionsOnACubeCoreDoNothing) {
  abi::Instruction add = AddFloats(4, 0, 0, 1 << 20);  // would trap on a vector
  EXPECT_NO_THROW(chip_.Issue(chip_.CubeCore(0), add));
}

TEST_F(ChipTest, FlagsPairAndTrap) {
  abi::Instruction flag{};
  flag.sync = {abi::Pipe::kMte2, abi::Pipe::kV, 3, 0};
  flag.op = Op::kWaitFlag;
  EXPECT_EQ(CodeOf(flag), "BLY-S101");
  flag.op = Op::kSetFlag;
  EXPECT_EQ(CodeOf(flag), "");
  EXPECT_EQ(CodeOf(flag), "BLY-S104");
  flag.op = Op::kWaitFlag;
  EXPECT_EQ(CodeOf(flag), "");
  EXPECT_EQ(CodeOf(flag), "BLY-S101");
  flag.sync.id = 8;
  EXPECT_EQ(CodeOf(flag), "BLY-S105");
}

TEST_F(ChipTest, ScalarAccessesStayInsideTheirMemory) {
  const uint64_t gm = chip_.global().Allocate(64);
  const auto access = [&](uint64_t address, uint64_t bytes) {
    try {
      chip_.AccessScalar(core_, address, bytes, false, false, 0);
      return true;
    } catch (Trap& trap) {
      message_ = trap.fault().diagnostic.message;
      return false;
    }
  };
  EXPECT_TRUE(access(gm, 8));
  EXPECT_TRUE(access(gm + 504, 8));
  EXPECT_FALSE(access(gm + 508, 8));
  EXPECT_TRUE(access(Ub(196604), 4));
  EXPECT_FALSE(access(Ub(196605), 4));
  EXPECT_FALSE(access(Ub(0) - 4, 4));
  EXPECT_FALSE(access(0, 4));
  EXPECT_NE(message_.find("null pointer"), std::string::npos) << message_;
  int host = 0;
  EXPECT_FALSE(access(reinterpret_cast<uint64_t>(&host), 4));
  EXPECT_NE(message_.find("host address"), std::string::npos) << message_;
}

class Recorder : public Observer {
 public:
  void OnInstruction(const InstructionEvent& event) override {
    ops.push_back(event.instruction.op);
    pipes.push_back(event.pipe);
    counts.push_back(event.lanes == nullptr ? 0 : event.lanes->count);
  }
  void OnScalar(const ScalarEvent& event) override { scalars.push_back(event); }
  std::vector<Op> ops;
  std::vector<abi::Pipe> pipes;
  std::vector<uint64_t> counts;
  std::vector<ScalarEvent> scalars;
};

TEST_F(ChipTest, ObserversSeeWhatExecutesAndNothingThatTraps) {
  Recorder recorder;
  chip_.AddObserver(&recorder);
  EXPECT_EQ(CodeOf(AddFloats(0, 0, 0, 77)), "");
  EXPECT_EQ(CodeOf(AddFloats(4, 0, 0, 77)), "BLY-N102");
  abi::Instruction barrier{};
  barrier.op = Op::kPipeBarrier;
  barrier.sync = {abi::Pipe::kMte3, abi::Pipe::kMte3, 0, 0};
  EXPECT_EQ(CodeOf(barrier), "");
  chip_.AccessScalar(core_, Ub(64), 2, true, true, 99);
  EXPECT_EQ(recorder.ops, (std::vector<Op>{Op::kAdd, Op::kPipeBarrier}));
  EXPECT_EQ(recorder.pipes,
            (std::vector<abi::Pipe>{abi::Pipe::kV, abi::Pipe::kMte3}));
  EXPECT_EQ(recorder.counts[0], 77u);
  ASSERT_EQ(recorder.scalars.size(), 1u);
  EXPECT_EQ(recorder.scalars[0].bytes, 2u);
  EXPECT_TRUE(recorder.scalars[0].write);
  EXPECT_TRUE(recorder.scalars[0].ordered);
  EXPECT_EQ(recorder.scalars[0].pc, 99u);
}

}  // namespace
}  // namespace belay::npu
