// SPDX-License-Identifier: Apache-2.0
// What cube instructions trap, and what they pass over.

#include <cstring>

#include "cube_bench.h"

namespace belay::npu {
namespace {

using abi::DType;
using abi::Memory;
using abi::Op;

class RequirementTest : public CubeTest {
 protected:
  abi::Instruction Mmad(uint16_t m = 16, uint16_t n = 16, uint16_t k = 16) {
    abi::Instruction mmad{};
    mmad.op = Op::kMmad;
    mmad.dst = Local(Memory::kL0c, 0, DType::kFloat);
    mmad.src0 = Local(Memory::kL0a, 0, DType::kHalf);
    mmad.src1 = Local(Memory::kL0b, 0, DType::kHalf);
    mmad.mmad = {m, n, k, abi::MmadInit::kZero, 0, 0};
    return mmad;
  }

  abi::Instruction Fixpipe() {
    abi::Instruction fixpipe{};
    fixpipe.op = Op::kFixpipe;
    fixpipe.dst = Global(out_, DType::kFloat);
    fixpipe.src0 = Local(Memory::kL0c, 0, DType::kFloat);
    fixpipe.fixpipe.n = 16;
    fixpipe.fixpipe.m = 16;
    fixpipe.fixpipe.source_stride = 16;
    fixpipe.fixpipe.destination_stride = 16;
    fixpipe.fixpipe.nz2nd = 1;
    return fixpipe;
  }

  abi::Instruction Load() {
    abi::Load2D load{};
    load.repeat = 1;
    return Load2D(Op::kLoadData2D, Memory::kL0a, 0, 0, DType::kHalf, load);
  }

  uint64_t out_ = chip_.global().Allocate(4096);
};

TEST_F(RequirementTest, RightOnesPass) {
  EXPECT_EQ(CodeOf(Mmad()), "");
  EXPECT_EQ(CodeOf(Fixpipe()), "");
  EXPECT_EQ(CodeOf(Load()), "");
}

TEST_F(RequirementTest, Misalignment) {
  abi::Instruction mmad = Mmad();
  mmad.dst.address += 512;  // 1024 for L0C
  EXPECT_EQ(CodeOf(mmad), "BLY-N102");
  mmad = Mmad();
  mmad.src0.address += 32;
  EXPECT_EQ(CodeOf(mmad), "BLY-N102");
  abi::Instruction load = Load();
  load.dst.address += 256;
  EXPECT_EQ(CodeOf(load), "BLY-N102");
  load = Load();
  load.src0.address += 16;
  EXPECT_EQ(CodeOf(load), "BLY-N102");
  abi::Instruction fixpipe = Fixpipe();
  fixpipe.src0.address += 32;
  EXPECT_EQ(CodeOf(fixpipe), "BLY-N102");
  // By rows global memory may start anywhere, by NZ at 32 bytes.
  fixpipe = Fixpipe();
  fixpipe.dst.address += 4;
  EXPECT_EQ(CodeOf(fixpipe), "");
  fixpipe.fixpipe.nz2nd = 0;
  EXPECT_EQ(CodeOf(fixpipe), "BLY-N102");
}

TEST_F(RequirementTest, Capacity) {
  EXPECT_EQ(CodeOf(Mmad(256, 128, 256)), "BLY-N101");  // A: 128 KB
  EXPECT_NE(message_.find("L0A, which has 65536"), std::string::npos)
      << message_;
  EXPECT_EQ(CodeOf(Mmad(512, 128, 64)), "BLY-N101");  // C: 256 KB
  EXPECT_EQ(CodeOf(Mmad(128, 256, 128)), "");
  abi::Instruction load = Load();
  load.load2d.repeat = 200;
  EXPECT_EQ(CodeOf(load), "BLY-N101");
  abi::Instruction fixpipe = Fixpipe();
  fixpipe.fixpipe.m = 100;
  fixpipe.fixpipe.source_stride = 112;
  EXPECT_EQ(CodeOf(fixpipe), "BLY-N109");
}

TEST_F(RequirementTest, Memories) {
  abi::Instruction mmad = Mmad();
  mmad.src0 = Local(Memory::kL1, 0, DType::kHalf);
  EXPECT_EQ(CodeOf(mmad), "BLY-N106");
  abi::Instruction fixpipe = Fixpipe();
  fixpipe.src0 = Local(Memory::kL1, 0, DType::kFloat);
  EXPECT_EQ(CodeOf(fixpipe), "BLY-N106");
  abi::Instruction copy{};
  copy.op = Op::kDataCopy;
  copy.dst = Local(Memory::kL0a, 0, DType::kHalf);
  copy.src0 = Global(out_, DType::kHalf);
  copy.transfer.block_count = 1;
  copy.transfer.block_bytes = 32;
  EXPECT_EQ(CodeOf(copy), "BLY-N106");
}

TEST_F(RequirementTest, TypesAndModes) {
  abi::Instruction mmad = Mmad();
  mmad.src1.dtype = DType::kBfloat16;
  EXPECT_EQ(CodeOf(mmad), "BLY-N107");
  mmad = Mmad();
  mmad.dst.dtype = DType::kHalf;
  EXPECT_EQ(CodeOf(mmad), "BLY-N107");
  abi::Instruction load = Load();
  load.load2d.transpose = 1;
  EXPECT_EQ(CodeOf(load), "");
  load.dst.dtype = load.src0.dtype = DType::kFloat;
  EXPECT_EQ(CodeOf(load), "BLY-N107");
  abi::Instruction fixpipe = Fixpipe();
  fixpipe.dst.dtype = DType::kHalf;
  EXPECT_EQ(CodeOf(fixpipe), "BLY-N132");
  fixpipe.fixpipe.quant = abi::Quant::kF322F16;
  EXPECT_EQ(CodeOf(fixpipe), "");
  fixpipe = Fixpipe();
  fixpipe.dst = Local(Memory::kL1, 0, DType::kFloat);
  fixpipe.fixpipe.nz2nd = 0;
  EXPECT_EQ(CodeOf(fixpipe), "BLY-N132");
  fixpipe = Fixpipe();
  fixpipe.src0.dtype = DType::kInt32;
  fixpipe.dst.dtype = DType::kHalf;
  fixpipe.fixpipe.quant = abi::Quant::kVDeqF16;
  EXPECT_EQ(CodeOf(fixpipe), "BLY-N132");  // no SetFixpipeConfig
}

TEST_F(RequirementTest, SizesAndFields) {
  EXPECT_EQ(CodeOf(Mmad(5000, 16, 16)), "BLY-N110");
  abi::Instruction load = Load();
  load.load2d.repeat = 256;
  EXPECT_EQ(CodeOf(load), "BLY-N110");
  abi::Instruction fixpipe = Fixpipe();
  fixpipe.fixpipe.nz2nd = 0;
  fixpipe.fixpipe.n = 24;
  EXPECT_EQ(CodeOf(fixpipe), "BLY-N130");
  fixpipe.fixpipe.channel_split = 1;
  EXPECT_EQ(CodeOf(fixpipe), "");
}

TEST_F(RequirementTest, UnitFlagsAreHandedOver) {
  abi::Instruction mmad = Mmad();
  abi::Instruction fixpipe = Fixpipe();
  fixpipe.fixpipe.unit_flag = 3;
  EXPECT_EQ(CodeOf(fixpipe), "BLY-N131");  // nobody handed it over
  mmad.mmad.unit_flag = 2;
  EXPECT_EQ(CodeOf(mmad), "");
  EXPECT_EQ(CodeOf(fixpipe), "BLY-N131");  // still held
  mmad.mmad.unit_flag = 3;
  EXPECT_EQ(CodeOf(mmad), "");
  EXPECT_EQ(CodeOf(mmad), "BLY-N131");  // nobody took it out
  EXPECT_EQ(CodeOf(fixpipe), "");
  EXPECT_EQ(CodeOf(mmad), "");
  abi::Instruction clear{};
  clear.op = Op::kSetFixpipeConfig;
  clear.mode = 1;
  EXPECT_EQ(CodeOf(clear), "");
  EXPECT_EQ(CodeOf(mmad), "");
}

TEST_F(RequirementTest, NothingToDoIsPassedOver) {
  EXPECT_EQ(CodeOf(Mmad(0, 16, 16)), "");
  abi::Instruction load = Load();
  load.dst.address += 1;  // not even looked at
  load.load2d.repeat = 0;
  EXPECT_EQ(CodeOf(load), "");
}

TEST_F(RequirementTest, OtherCoresDoNothing) {
  Core& vector = chip_.VectorCore(1);
  abi::Instruction mmad = Mmad();
  mmad.dst.address += 1;
  chip_.Issue(vector, mmad);
  abi::Instruction copy{};
  copy.op = Op::kDataCopy;
  copy.dst = {chip_.on_chip().Base(vector.slot, Memory::kUb), 0, 0,
              DType::kHalf, Memory::kUb};
  copy.src0 = Global(out_, DType::kHalf);
  copy.transfer.block_count = 1;
  copy.transfer.block_bytes = 32;
  std::memset(reinterpret_cast<void*>(out_), 7, 32);
  EXPECT_EQ(CodeOf(copy), "");  // on the cube core, which has no UB
  EXPECT_EQ(*reinterpret_cast<uint8_t*>(copy.dst.address), 0);
}

}  // namespace
}  // namespace belay::npu
