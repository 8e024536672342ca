// SPDX-License-Identifier: Apache-2.0
// What the chip traps of instructions on lists, tables, bits and pairs.

#include <algorithm>

#include "chip_fixture.h"

namespace belay::npu {
namespace {

using abi::DType;
using abi::Form;
using abi::Op;

constexpr uint64_t kUbEnd = 196608;

class SpecialOperands : public ChipTest {
 protected:
  abi::Instruction Instruction(Op op, DType dtype, uint32_t repeat) const {
    abi::Instruction i{};
    i.op = op;
    i.form = Form::kRegister;
    i.repeat = repeat;
    i.dst = Local(0, dtype);
    i.src0 = Local(65536, dtype);
    i.src1 = Local(131072, DType::kUint32);
    return i;
  }

  bool MessageHas(const std::string& text) const {
    return message_.find(text) != std::string::npos;
  }
};

TEST_F(SpecialOperands, FusedInstructionsStayInsideUb) {
  abi::Instruction add = Instruction(Op::kMulAddDst, DType::kFloat, 1);
  add.src1.dtype = DType::kFloat;
  add.form = Form::kCount;
  add.count = 64;
  EXPECT_EQ(CodeOf(add), "");
  add.src1.address = Ub(kUbEnd - 128);
  EXPECT_EQ(CodeOf(add), "BLY-N101");
  add.src1.address = Ub(131072 + 4);
  EXPECT_EQ(CodeOf(add), "BLY-N102");
  add.dst.dtype = DType::kInt16;
  EXPECT_EQ(CodeOf(add), "BLY-N107");
  add.dst.dtype = DType::kFloat;
  add.form = Form::kContinuous;
  add.src0.block_stride = 256;
  EXPECT_EQ(CodeOf(add), "BLY-N104");
}

TEST_F(SpecialOperands, CopyCountsEachRepeatInCounterMode) {
  abi::Instruction copy = Instruction(Op::kCopy, DType::kInt32, 2);
  copy.dst.repeat_stride = copy.src0.repeat_stride = 4095;
  core_.vector.counter_mode = true;
  core_.vector.mask[0] = 8;
  copy.src0.address = Ub(kUbEnd - 4095 * 32 - 32);
  EXPECT_EQ(CodeOf(copy), "");
  core_.vector.mask[0] = 9;  // one more block
  EXPECT_EQ(CodeOf(copy), "BLY-N101");
  core_.vector.mask[0] = uint64_t{1} << 40;
  EXPECT_EQ(CodeOf(copy), "BLY-N101");
  copy.src0.repeat_stride = 4096;
  EXPECT_EQ(CodeOf(copy), "BLY-N104");
}

TEST_F(SpecialOperands, GatherbNamesBlocksInsideUb) {
  abi::Instruction gather = Instruction(Op::kGatherb, DType::kUint16, 1);
  std::fill_n(At<uint32_t>(131072), 8, 64u);
  EXPECT_EQ(CodeOf(gather), "");
  At<uint32_t>(131072)[7] = kUbEnd - 65536 - 32;
  EXPECT_EQ(CodeOf(gather), "");
  At<uint32_t>(131072)[7] = kUbEnd - 65536;
  EXPECT_EQ(CodeOf(gather), "BLY-N101");
  At<uint32_t>(131072)[7] = 40;
  EXPECT_EQ(CodeOf(gather), "BLY-N102");
  EXPECT_TRUE(MessageHas("offset 40")) << message_;
  gather.src1.address = Ub(kUbEnd);
  EXPECT_EQ(CodeOf(gather), "BLY-N101");
  gather.repeat = 256;
  EXPECT_EQ(CodeOf(gather), "BLY-N103");
}

// Results over offsets that are still to be followed must not lead outside.
TEST_F(SpecialOperands, GatherFollowsOffsetsAsTheyWereChecked) {
  abi::Instruction gather = Instruction(Op::kGather, DType::kUint32, 0);
  gather.form = Form::kCount;
  gather.count = 256;
  gather.dst.address = gather.src1.address = Ub(131072);
  gather.dst.address -= 32;
  for (uint32_t i = 0; i < 256; ++i) {
    At<uint32_t>(131072)[i] = i * 4;
    At<uint32_t>(65536)[i] = 0xC0000000u + i;
  }
  EXPECT_EQ(CodeOf(gather), "");
  for (uint32_t i = 0; i < 256; ++i) {
    ASSERT_EQ(At<uint32_t>(131072 - 32)[i], 0xC0000000u + i) << i;
  }
}

TEST_F(SpecialOperands, GatherbFollowsOffsetsAsTheyWereChecked) {
  abi::Instruction gather = Instruction(Op::kGatherb, DType::kUint32, 2);
  gather.dst = Local(131072 + 32, DType::kUint32);
  gather.dst.block_stride = 1;
  gather.dst.repeat_stride = 8;
  for (uint32_t i = 0; i < 16; ++i) At<uint32_t>(131072)[i] = i * 32;
  for (uint32_t i = 0; i < 128; ++i) {
    At<uint32_t>(65536)[i] = 0xC0000000u + i;
  }
  EXPECT_EQ(CodeOf(gather), "");
  for (uint32_t i = 0; i < 128; ++i) {
    ASSERT_EQ(At<uint32_t>(131072 + 32)[i], 0xC0000000u + i) << i;
  }
}

TEST_F(SpecialOperands, GatherMaskReachesAsFarAsItKeeps) {
  abi::Instruction gather = Instruction(Op::kGatherMask, DType::kFloat, 1);
  gather.dst.address = Ub(kUbEnd - 32);  // room for eight
  std::fill_n(At<uint32_t>(131072), 2, 0x0f0f0000u);
  At<uint32_t>(131072)[1] = 0;
  EXPECT_EQ(CodeOf(gather), "");
  EXPECT_EQ(core_.vector.gathered, 8u);
  At<uint32_t>(131072)[1] = 1;
  EXPECT_EQ(CodeOf(gather), "BLY-N101");
  EXPECT_TRUE(MessageHas("dst covers")) << message_;
}

TEST_F(SpecialOperands, GatherMaskTakesPatternsAndBitsThatExist) {
  abi::Instruction gather = Instruction(Op::kGatherMask, DType::kHalf, 1);
  EXPECT_EQ(CodeOf(gather), "BLY-N107");  // bits of another width
  gather.src1.dtype = DType::kUint16;
  EXPECT_EQ(CodeOf(gather), "");
  gather.gather_mask.pattern = 7;
  EXPECT_EQ(CodeOf(gather), "");
  EXPECT_EQ(core_.vector.gathered, 128u);
  gather.gather_mask.pattern = 8;
  EXPECT_EQ(CodeOf(gather), "BLY-N110");
  gather.gather_mask.pattern = 0;
  gather.src1 = {};
  EXPECT_EQ(CodeOf(gather), "BLY-N110");
}

TEST_F(SpecialOperands, GatherMaskRepeatsWithWideStrides) {
  abi::Instruction gather = Instruction(Op::kGatherMask, DType::kHalf, 256);
  gather.gather_mask.pattern = 3;
  gather.src0.repeat_stride = 0;
  EXPECT_EQ(CodeOf(gather), "");
  gather.repeat = 65536;
  EXPECT_EQ(CodeOf(gather), "BLY-N103");
  gather.repeat = 1;
  gather.gather_mask.by_mask = 1;
  gather.count = 65536 + 1;
  EXPECT_EQ(CodeOf(gather), "BLY-N101");
  gather.count = 65536;
  EXPECT_EQ(CodeOf(gather), "");
}

TEST_F(SpecialOperands, SortStaysInsideUb) {
  abi::Instruction sort = Instruction(Op::kSort32, DType::kHalf, 2);
  sort.src0.repeat_stride = 2;
  sort.src1.repeat_stride = 4;
  sort.src0.address = Ub(kUbEnd - 128);
  sort.src1.address = Ub(kUbEnd - 256);
  sort.dst.address = Ub(kUbEnd - 1024);
  EXPECT_EQ(CodeOf(sort), "");
  sort.repeat = 3;
  EXPECT_EQ(CodeOf(sort), "BLY-N101");
  sort.repeat = 1;
  sort.dst.address = Ub(8);
  EXPECT_EQ(CodeOf(sort), "BLY-N102");
  sort.dst.dtype = sort.src0.dtype = DType::kInt32;
  EXPECT_EQ(CodeOf(sort), "BLY-N107");
}

class Merges : public SpecialOperands {
 protected:
  Merges() : merge_(Instruction(Op::kMrgSort, DType::kFloat, 1)) {
    merge_.merge.valid = 3;
    for (int list = 0; list < 4; ++list) {
      merge_.merge.list[list] = Ub(65536 + list * 80);
      merge_.merge.count[list] = 10;
    }
    // Garbage where no list is meant.
    merge_.merge.list[3] = 4;
    std::fill_n(At<float>(65536), 80, 1.0f);
  }
  abi::Instruction merge_;
};

TEST_F(Merges, ListsStartAtEightBytesInsideUb) {
  EXPECT_EQ(CodeOf(merge_), "");
  merge_.merge.list[1] = Ub(65536 + 84);
  EXPECT_EQ(CodeOf(merge_), "BLY-N102");
  EXPECT_TRUE(MessageHas("src2")) << message_;
  merge_.merge.list[1] = Ub(kUbEnd - 72);
  EXPECT_EQ(CodeOf(merge_), "BLY-N101");
  merge_.merge.valid = 15;
  EXPECT_EQ(CodeOf(merge_), "BLY-N101");
}

TEST_F(Merges, ParametersFit) {
  merge_.merge.valid = 5;
  EXPECT_EQ(CodeOf(merge_), "BLY-N110");
  merge_.merge.valid = 3;
  merge_.merge.count[1] = 4096;
  EXPECT_EQ(CodeOf(merge_), "BLY-N110");
  EXPECT_TRUE(MessageHas("elementLengths[1] 4096")) << message_;
}

TEST_F(Merges, RepeatsWithoutEffectAreReported) {
  merge_.repeat = 2;
  EXPECT_EQ(CodeOf(merge_), "");
  ASSERT_EQ(reported_.size(), 1u);
  EXPECT_EQ(reported_[0].code, "BLY-N103");
  EXPECT_EQ(reported_[0].severity, Severity::kWarning);
  merge_.merge.valid = 15;
  merge_.merge.list[3] = Ub(65536 + 240);
  EXPECT_EQ(CodeOf(merge_), "");
  EXPECT_EQ(reported_.size(), 1u);
}

TEST_F(Merges, ReachAsFarAsTheyGet) {
  merge_.merge.stop_when_exhausted = 1;
  merge_.dst.address = Ub(kUbEnd - 96);  // room for twelve pairs of twenty
  for (int i = 0; i < 10; ++i) At<float>(65536 + 80)[i * 2] = 1 - i;
  EXPECT_EQ(CodeOf(merge_), "");  // ten of the first list
  EXPECT_EQ(core_.vector.merged[0], 10);
  EXPECT_EQ(core_.vector.merged[1], 0);
  for (int i = 0; i < 10; ++i) At<float>(65536)[i * 2] = -20;
  At<float>(65536)[0] = At<float>(65536)[2] = At<float>(65536)[4] = 9;
  EXPECT_EQ(CodeOf(merge_), "BLY-N101");  // three and ten
  merge_.merge.stop_when_exhausted = 0;
  EXPECT_EQ(CodeOf(merge_), "BLY-N101");
}

class Transposes : public SpecialOperands {
 protected:
  Transposes() : transpose_(Instruction(Op::kTransDataTo5HD, DType::kHalf, 1)) {
    transpose_.dst.repeat_stride = transpose_.src0.repeat_stride = 0;
    for (int row = 0; row < 16; ++row) {
      to_[row] = Ub(row * 32);
      from_[row] = Ub(65536 + row * 64);
    }
    transpose_.lists = {reinterpret_cast<uint64_t>(to_),
                        reinterpret_cast<uint64_t>(from_), 0, 0};
  }
  abi::Instruction transpose_;
  uint64_t to_[16];
  uint64_t from_[16];
};

TEST_F(Transposes, RowsAreWholeBlocksInsideUb) {
  EXPECT_EQ(CodeOf(transpose_), "");
  to_[5] = Ub(kUbEnd);
  EXPECT_EQ(CodeOf(transpose_), "BLY-N101");
  EXPECT_TRUE(MessageHas("dstList[5]")) << message_;
  to_[5] = Ub(16);
  EXPECT_EQ(CodeOf(transpose_), "BLY-N102");
  to_[5] = Ub(0);
  from_[15] = 0;
  EXPECT_EQ(CodeOf(transpose_), "BLY-N101");
  EXPECT_TRUE(MessageHas("srcList[15]")) << message_;
}

TEST_F(Transposes, RepeatsStayInsideUb) {
  from_[0] = Ub(kUbEnd - 64);
  transpose_.src0.repeat_stride = 1;
  transpose_.repeat = 2;
  EXPECT_EQ(CodeOf(transpose_), "");
  transpose_.repeat = 3;
  EXPECT_EQ(CodeOf(transpose_), "BLY-N101");
  // A single repeat is moved by one stride.
  from_[0] = Ub(kUbEnd - 32);
  transpose_.repeat = 1;
  EXPECT_EQ(CodeOf(transpose_), "BLY-N101");
}

TEST_F(Transposes, ListsMayLieInUb) {
  std::copy_n(to_, 16, At<uint64_t>(1024));
  std::copy_n(from_, 16, At<uint64_t>(1152));
  transpose_.lists.destinations = Ub(1024);
  transpose_.lists.sources = Ub(1152);
  EXPECT_EQ(CodeOf(transpose_), "");
  transpose_.lists.sources = Ub(kUbEnd - 64);
  EXPECT_EQ(CodeOf(transpose_), "BLY-N101");
  transpose_.lists.sources = 0;
  EXPECT_EQ(CodeOf(transpose_), "BLY-N101");
}

TEST_F(Transposes, TypesAndMatrices) {
  transpose_.dst.dtype = transpose_.src0.dtype = DType::kBfloat16;
  EXPECT_EQ(CodeOf(transpose_), "BLY-N107");
  abi::Instruction matrix = Instruction(Op::kTranspose, DType::kHalf, 1);
  EXPECT_EQ(CodeOf(matrix), "");
  matrix.src0.address = Ub(kUbEnd - 480);
  EXPECT_EQ(CodeOf(matrix), "BLY-N101");
}

TEST_F(SpecialOperands, CastDequantNeedsItsTensor) {
  abi::Instruction cast = Instruction(Op::kCastDequant, DType::kInt16, 1);
  cast.dst.dtype = DType::kInt8;
  cast.mode = 1;
  EXPECT_EQ(CodeOf(cast), "");
  cast.mode = 3;
  core_.vector.dequant = 0x3f800000;
  EXPECT_EQ(CodeOf(cast), "BLY-N101");
  EXPECT_TRUE(MessageHas("SetDeqScale")) << message_;
  core_.vector.dequant = Ub(kUbEnd - 128);
  EXPECT_EQ(CodeOf(cast), "");
  core_.vector.dequant = Ub(kUbEnd - 96);
  EXPECT_EQ(CodeOf(cast), "BLY-N101");
  // Eight blocks of results, one half of each used.
  core_.vector.dequant = Ub(1024);
  cast.dst.address = Ub(kUbEnd - 256);
  EXPECT_EQ(CodeOf(cast), "");
  cast.dst.address = Ub(kUbEnd - 224);
  EXPECT_EQ(CodeOf(cast), "BLY-N101");
}

}  // namespace
}  // namespace belay::npu
