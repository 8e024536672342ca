// SPDX-License-Identifier: Apache-2.0
// Records of fused arithmetic, dequantisation, Copy, index vectors, Gatherb,
// GatherMask, sorting, transposition, the data cache and order between blocks.

#include "expect_operand.h"

namespace belay::header_test {
namespace {

using namespace AscendC;

class FusedMoveSort : public Headers {
 protected:
  uint64_t mask_[2] = {0x55, 0xaa};
};

TEST_F(FusedMoveSort, FusedOfOneType) {
  const auto a = InUb<half>(0);
  const auto b = InUb<half>(4096);
  FusedMulAdd(a, b, b, 100);
  ExpectFirst(OnlyRecord(), Op::kFusedMulAdd, 100);
  ExpectOperand(OnlyRecord().src1, Ub(4096), DType::kHalf, 1, 8);
  Forget();
  FusedMulAddRelu(a, b, b, 128, 3, {1, 2, 3, 4, 5, 6});
  ExpectContinuous(OnlyRecord(), Op::kFusedMulAddRelu, 128, 3);
  ExpectOperand(OnlyRecord().src1, Ub(4096), DType::kHalf, 3, 6);
  Forget();
  MulAddRelu(a, b, b, mask_, 3, {1, 1, 1, 8, 8, 8});
  ExpectBitwise(OnlyRecord(), Op::kFusedMulAddRelu, 0x55, 0xaa, 3);
}

TEST_F(FusedMoveSort, FusedOfTwoTypes) {
  MulAddDst(InUb<float>(0), InUb<half>(4096), InUb<half>(8192), 100);
  ExpectFirst(OnlyRecord(), Op::kMulAddDst, 100);
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kFloat, 1, 8);
  ExpectOperand(OnlyRecord().src0, Ub(4096), DType::kHalf, 1, 4);
  Forget();
  MulAddDst(InUb<float>(0), InUb<half>(4096), InUb<half>(8192), mask_, 2,
            {1, 1, 1, 8, 4, 4});
  ExpectBitwise(OnlyRecord(), Op::kMulAddDst, 0x55, 0, 2);
  Forget();
  MulCast(InUb<uint8_t>(0), InUb<half>(4096), InUb<half>(8192), 128, 2,
          {1, 1, 1, 4, 8, 8});
  ExpectContinuous(OnlyRecord(), Op::kMulCast, 128, 2);
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kUint8, 1, 4);
  Forget();
  AddReluCast(InUb<int8_t>(0), InUb<int16_t>(4096), InUb<int16_t>(8192), 64);
  ExpectFirst(OnlyRecord(), Op::kAddReluCast, 64);
  Forget();
  SubReluCast(InUb<half>(0), InUb<float>(4096), InUb<float>(8192), 64);
  ExpectFirst(OnlyRecord(), Op::kSubReluCast, 64);
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kHalf, 1, 4);
  Forget();
  AddDeqRelu(InUb<half>(0), InUb<int32_t>(4096), InUb<int32_t>(8192), 64);
  ExpectFirst(OnlyRecord(), Op::kAddDeqRelu, 64);
}

TEST_F(FusedMoveSort, Dequantisation) {
  SetDeqScale(half(0.5f));
  EXPECT_EQ(OnlyRecord().op, Op::kSetDeqScale);
  EXPECT_EQ(OnlyRecord().scalar, 0x3f000000u);
  EXPECT_EQ(OnlyRecord().mode, 0);
  Forget();
  SetDeqScale(2.0f, -1, true);
  EXPECT_EQ(OnlyRecord().scalar,
            0x40000000ull | 0x1ffull << 37 | uint64_t{1} << 46);
  EXPECT_EQ(OnlyRecord().mode, 1);
  Forget();
  CastDequant<half, int32_t, false, false>(InUb<half>(0), InUb<int32_t>(4096),
                                           64);
  ExpectFirst(OnlyRecord(), Op::kCastDequant, 64);
  EXPECT_EQ(OnlyRecord().mode, 0);
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kHalf, 1, 4);
  Forget();
  CastDeq(InUb<int8_t>(0), InUb<int16_t>(4096), 128, 2, {1, 1, 8, 8});
  ExpectContinuous(OnlyRecord(), Op::kCastDequant, 128, 2);
  EXPECT_EQ(OnlyRecord().mode, 3);
}

TEST_F(FusedMoveSort, DequantisationOfBytes) {
  CastDequant<int8_t, int16_t, false, true>(InUb<int8_t>(0),
                                            InUb<int16_t>(4096), 64);
  EXPECT_EQ(OnlyRecord().mode, 1);
  // Each block of results is half full.
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kInt8, 1, 8);
  Forget();
  VdeqInfo info;
  for (int i = 0; i < 16; ++i) {
    info.vdeqScale[i] = 1.0f;
    info.vdeqOffset[i] = static_cast<int16_t>(i);
    info.vdeqSignMode[i] = i == 3;
  }
  const auto words = InUb<uint64_t>(8192);
  SetDeqScale<uint64_t>(words, info);
  EXPECT_EQ(words.GetValue(2), 0x3f800000ull | 2ull << 37);
  EXPECT_EQ(words.GetValue(3), 0x3f800000ull | 3ull << 37 | 1ull << 46);
  EXPECT_EQ(Recorded().issued.back().op, Op::kSetDeqScale);
  EXPECT_EQ(Recorded().issued.back().scalar, Ub(8192));
  EXPECT_EQ(Recorded().issued.back().mode, 1);
}

TEST_F(FusedMoveSort, Copy) {
  AscendC::Copy(InUb<int32_t>(0), InUb<int32_t>(4096), 64, 18, {1, 2, 3, 300});
  ExpectContinuous(OnlyRecord(), Op::kCopy, 64, 18);
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kInt32, 1, 3);
  ExpectOperand(OnlyRecord().src0, Ub(4096), DType::kInt32, 2, 300);
  Forget();
  AscendC::Copy(InUb<half>(0), InUb<half>(4096), mask_, 1, {1, 1, 8, 8});
  ExpectBitwise(OnlyRecord(), Op::kCopy, 0x55, 0xaa, 1);
  Forget();
  AscendC::Copy<int32_t, false>(InUb<int32_t>(0), InUb<int32_t>(4096),
                                MASK_PLACEHOLDER, 1, {1, 8, 8, 8});
  ExpectRegister(OnlyRecord(), Op::kCopy, 1);
}

TEST_F(FusedMoveSort, CreateVecIndex) {
  AscendC::CreateVecIndex(InUb<int32_t>(0), int32_t{-1}, 100);
  ExpectFirst(OnlyRecord(), Op::kCreateVecIndex, 100);
  EXPECT_EQ(OnlyRecord().scalar, 0xffffffffu);
  Forget();
  AscendC::CreateVecIndex(InUb<half>(0), half(1), 128, 4, 2, 16);
  ExpectContinuous(OnlyRecord(), Op::kCreateVecIndex, 128, 4);
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kHalf, 2, 16);
  Forget();
  AscendC::CreateVecIndex(InUb<half>(0), half(1), mask_, 4, 1, 8);
  ExpectBitwise(OnlyRecord(), Op::kCreateVecIndex, 0x55, 0xaa, 4);
}

TEST_F(FusedMoveSort, SetPadValue) {
  AscendC::SetPadValue(half(1));
  EXPECT_EQ(OnlyRecord().op, Op::kSetPadValue);
  EXPECT_EQ(OnlyRecord().scalar, 0x3c00u);
  EXPECT_EQ(OnlyRecord().dst.dtype, DType::kHalf);
}

TEST_F(FusedMoveSort, GatherBlocks) {
  Gatherb(InUb<uint16_t>(0), InUb<uint16_t>(4096), InUb<uint32_t>(8192), 2,
          {1, 8});
  ExpectRegister(OnlyRecord(), Op::kGatherb, 2);
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kUint16, 1, 8);
  EXPECT_EQ(OnlyRecord().src0.address, Ub(4096));
  EXPECT_EQ(OnlyRecord().src1.address, Ub(8192));
}

TEST_F(FusedMoveSort, GatherMaskByPatternAndByBits) {
  uint64_t kept = 1;
  GatherMask(InUb<half>(0), InUb<half>(4096), 2, false, 0, {1, 4, 8, 0}, kept);
  EXPECT_EQ(OnlyRecord().op, Op::kGatherMask);
  EXPECT_EQ(OnlyRecord().repeat, 4u);
  EXPECT_EQ(OnlyRecord().gather_mask.pattern, 2);
  EXPECT_EQ(OnlyRecord().gather_mask.by_mask, 0);
  ExpectOperand(OnlyRecord().src0, Ub(4096), DType::kHalf, 1, 8);
  EXPECT_EQ(kept, 0u);
  Forget();
  GatherMask(InUb<float>(0), InUb<float>(4096), InUb<uint32_t>(8192), true, 70,
             {1, 2, 4, 1}, kept);
  EXPECT_EQ(OnlyRecord().count, 70u);
  EXPECT_EQ(OnlyRecord().gather_mask.pattern, 0);
  EXPECT_EQ(OnlyRecord().gather_mask.by_mask, 1);
  EXPECT_EQ(OnlyRecord().gather_mask.src1_repeat_stride, 1u);
  EXPECT_EQ(OnlyRecord().src1.address, Ub(8192));
}

TEST_F(FusedMoveSort, Sorting) {
  Sort32(InUb<float>(0), InUb<float>(4096), InUb<uint32_t>(8192), 32);
  ExpectRegister(OnlyRecord(), Op::kSort32, 32);
  EXPECT_EQ(OnlyRecord().src1.dtype, DType::kUint32);
  Forget();
  MrgSort4Info info;
  info.elementLengths[0] = 32;
  info.elementLengths[3] = 5;
  info.validBit = 15;
  info.repeatTimes = 8;
  MrgSort(InUb<half>(0),
          MrgSortSrcList<half>(InUb<half>(64), InUb<half>(128), InUb<half>(192),
                               InUb<half>(256)),
          info);
  ExpectRegister(OnlyRecord(), Op::kMrgSort, 8);
  EXPECT_EQ(OnlyRecord().merge.list[0], Ub(64));
  EXPECT_EQ(OnlyRecord().merge.list[3], Ub(256));
  EXPECT_EQ(OnlyRecord().merge.count[0], 32u);
  EXPECT_EQ(OnlyRecord().merge.count[3], 5u);
  EXPECT_EQ(OnlyRecord().merge.valid, 15);
  EXPECT_EQ(OnlyRecord().merge.stop_when_exhausted, 0);
}

TEST_F(FusedMoveSort, Transposition) {
  Transpose(InUb<half>(0), InUb<half>(512));
  EXPECT_EQ(OnlyRecord().op, Op::kTranspose);
  EXPECT_EQ(OnlyRecord().src0.address, Ub(512));
  Forget();
  uint64_t to[16] = {};
  uint64_t from[16] = {};
  const TransDataTo5HDParams params{true, false, 4, 16, 1};
  TransDataTo5HD<int8_t>(to, from, params);
  ExpectRegister(OnlyRecord(), Op::kTransDataTo5HD, 4);
  EXPECT_EQ(OnlyRecord().lists.destinations, reinterpret_cast<uint64_t>(to));
  EXPECT_EQ(OnlyRecord().lists.sources, reinterpret_cast<uint64_t>(from));
  EXPECT_EQ(OnlyRecord().lists.destination_high_half, 1);
  EXPECT_EQ(OnlyRecord().lists.source_high_half, 0);
  EXPECT_EQ(OnlyRecord().dst.dtype, DType::kInt8);
  EXPECT_EQ(OnlyRecord().dst.repeat_stride, 16u);
  EXPECT_EQ(OnlyRecord().src0.repeat_stride, 1u);
  Forget();
  TransDataTo5HD<half>(InUb<uint64_t>(0), InUb<uint64_t>(128), params);
  EXPECT_EQ(OnlyRecord().lists.sources, Ub(128));
  Forget();
  LocalTensor<half> rows[16];
  TransDataTo5HD<half>(rows, rows, params);
  EXPECT_NE(OnlyRecord().lists.sources, 0u);
}

TEST_F(FusedMoveSort, DataCache) {
  int32_t data[32];
  GlobalTensor<int32_t> tensor;
  tensor.SetGlobalBuffer(data, 32);
  DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE,
                           DcciDst::CACHELINE_OUT>(tensor[16]);
  EXPECT_EQ(OnlyRecord().op, Op::kDataCacheCleanAndInvalid);
  EXPECT_EQ(OnlyRecord().cache.address, reinterpret_cast<uint64_t>(data + 16));
  EXPECT_EQ(OnlyRecord().cache.entire, 0);
  Forget();
  DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE>(tensor);
  EXPECT_EQ(OnlyRecord().cache.entire, 1);
}

TEST_F(FusedMoveSort, OrderBetweenBlocks) {
  int32_t memory[8];
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer(memory, 8);
  LocalTensor<int32_t> ub = InUb<int32_t>(0);
  IBSet(gm, ub, 3, 1);
  EXPECT_EQ(OnlyRecord().op, Op::kIbSet);
  EXPECT_EQ(OnlyRecord().dst.address, reinterpret_cast<uint64_t>(memory));
  EXPECT_EQ(OnlyRecord().dst.memory, Memory::kGm);
  EXPECT_EQ(OnlyRecord().sync.block, 3u);
  EXPECT_EQ(OnlyRecord().sync.id, 1u);
  Forget();
  IBWait(gm, ub, 2, 1);
  EXPECT_EQ(OnlyRecord().op, Op::kIbWait);
  EXPECT_EQ(OnlyRecord().sync.block, 2u);
  Forget();
  InitDetermineComputeWorkspace(gm, ub);
  EXPECT_TRUE(Recorded().issued.empty());
  WaitPreBlock(gm, ub);
  EXPECT_EQ(OnlyRecord().op, Op::kWaitPreBlock);
  Forget();
  NotifyNextBlock(gm, ub);
  EXPECT_EQ(OnlyRecord().op, Op::kNotifyNextBlock);
  EXPECT_EQ(OnlyRecord().dst.address, reinterpret_cast<uint64_t>(memory));
  Forget();
  DataSyncBarrier<MemDsbT::DDR>();
  EXPECT_EQ(OnlyRecord().op, Op::kDataSyncBarrier);
  EXPECT_EQ(OnlyRecord().mode, 1);
}

}  // namespace
}  // namespace belay::header_test
