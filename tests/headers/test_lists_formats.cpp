// SPDX-License-Identifier: Apache-2.0
// Sorting of whole tensors, and moves that change a matrix's order.

#include "expect_operand.h"

namespace belay::header_test {
namespace {

using namespace AscendC;

class ListsFormats : public Headers {
 protected:
  template <typename T>
  GlobalTensor<T> InGm() {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<T*>(memory_));
    return tensor;
  }
  uint64_t Gm(uint64_t offset) const {
    return reinterpret_cast<uint64_t>(memory_) + offset;
  }
  const abi::Instruction& Record(size_t i) { return Recorded().issued.at(i); }

  uint8_t memory_[8192] = {};
};

TEST_F(ListsFormats, LengthsOfLists) {
  EXPECT_EQ(GetSortLen<float>(64), 128u);
  EXPECT_EQ(GetSortLen<half>(64), 256u);
  EXPECT_EQ(GetSortOffset<half>(32), 128u);
}

TEST_F(ListsFormats, PartsAreSortedForThemselves) {
  auto tmp = InUb<float>(4096);
  Sort<float, false>(InUb<float>(0), InUb<float>(8192), InUb<uint32_t>(12288),
                     tmp, 3);
  ExpectRegister(OnlyRecord(), Op::kSort32, 3);
}

// 32 x 6 values: runs of 32 merge to 128 and 64, then to 192.
TEST_F(ListsFormats, WholeIsSortedByMerging) {
  auto tmp = InUb<float>(4096);
  Sort<float, true>(InUb<float>(0), InUb<float>(8192), InUb<uint32_t>(12288),
                    tmp, 6);
  ASSERT_EQ(Recorded().issued.size(), 4u);
  ExpectRegister(Record(0), Op::kSort32, 6);
  EXPECT_EQ(Record(0).dst.address, Ub(0));
  EXPECT_EQ(Record(1).op, Op::kMrgSort);
  EXPECT_EQ(Record(1).dst.address, Ub(4096));
  EXPECT_EQ(Record(1).merge.list[3], Ub(3 * 32 * 8));
  EXPECT_EQ(Record(1).merge.count[3], 32u);
  EXPECT_EQ(Record(1).merge.valid, 15);
  EXPECT_EQ(Record(2).dst.address, Ub(4096 + 128 * 8));
  EXPECT_EQ(Record(2).merge.list[0], Ub(128 * 8));
  EXPECT_EQ(Record(2).merge.valid, 3);
  EXPECT_EQ(Record(3).dst.address, Ub(0));
  EXPECT_EQ(Record(3).merge.count[0], 128u);
  EXPECT_EQ(Record(3).merge.count[1], 64u);
  EXPECT_EQ(Record(3).merge.valid, 3);
}

// One run left over is copied; an odd number of rounds starts in tmp.
TEST_F(ListsFormats, ALoneRunIsCopied) {
  auto tmp = InUb<half>(4096);
  Sort<half, true>(InUb<half>(0), InUb<half>(8192), InUb<uint32_t>(12288), tmp,
                   5);
  EXPECT_EQ(Record(0).dst.address, Ub(0));
  EXPECT_EQ(Record(2).op, Op::kDataCopy);
  EXPECT_EQ(Record(2).transfer.block_bytes, 32u * 8);
  Forget();
  Sort<half, true>(InUb<half>(0), InUb<half>(8192), InUb<uint32_t>(12288), tmp,
                   4);
  ASSERT_EQ(Recorded().issued.size(), 2u);
  EXPECT_EQ(Record(0).dst.address, Ub(4096));
  EXPECT_EQ(Record(1).dst.address, Ub(0));
}

TEST_F(ListsFormats, MergeCountsWhatItTook) {
  const auto list = InUb<float>(0);
  const uint16_t lengths[4] = {8, 8, 0, 0};
  uint32_t taken[4] = {};
  Recorded().registers[static_cast<int>(abi::Register::kMerged)] = 0x00070008;
  MrgSort<float, true>(InUb<float>(4096),
                       MrgSortSrcList<float>(list, list[16], list, list),
                       lengths, taken, 3, 1);
  EXPECT_EQ(OnlyRecord().merge.stop_when_exhausted, 1);
  EXPECT_EQ(OnlyRecord().merge.count[1], 8u);
  EXPECT_EQ(taken[0], 8u);
  EXPECT_EQ(taken[1], 7u);
}

TEST_F(ListsFormats, ExtractTakesPairsApart) {
  Extract(InUb<half>(0), InUb<uint32_t>(4096), InUb<half>(8192), 2);
  ASSERT_EQ(Recorded().issued.size(), 2u);
  EXPECT_EQ(Record(0).op, Op::kGatherMask);
  EXPECT_EQ(Record(0).gather_mask.pattern, 3);
  EXPECT_EQ(Record(0).repeat, 2u);
  EXPECT_EQ(Record(0).src0.repeat_stride, 8u);
  EXPECT_EQ(Record(1).gather_mask.pattern, 2);
  EXPECT_EQ(Record(1).src0.dtype, DType::kUint32);
  Forget();
  Extract(InUb<float>(0), InUb<uint32_t>(4096), InUb<float>(8192), 1);
  EXPECT_EQ(Record(0).gather_mask.pattern, 1);
  Forget();
  LocalTensor<float> concat;
  Concat(concat, InUb<float>(64), InUb<float>(0), 2);
  EXPECT_EQ(concat.GetPhyAddr(), Ub(64));
}

// The documentation's figure: two matrices of 2 x 24 half.
TEST_F(ListsFormats, RowsBecomeColumnsOfBlocks) {
  DataCopy(InUb<half>(0), InGm<half>(),
           Nd2NzParams{2, 2, 24, 144, 48, 11, 2, 96});
  ASSERT_EQ(Recorded().issued.size(), 4u);
  const abi::Instruction& full = Record(0);
  EXPECT_EQ(full.op, Op::kDataCopyPad);
  EXPECT_EQ(full.transfer.block_count, 2u);
  EXPECT_EQ(full.transfer.block_bytes, 32u);
  EXPECT_EQ(full.transfer.source_gap, 48 * 2 - 32);
  EXPECT_EQ(full.transfer.destination_gap, 32);
  EXPECT_EQ(full.transfer.is_pad, 0);
  const abi::Instruction& part = Record(1);
  EXPECT_EQ(part.dst.address, Ub(11 * 32));
  EXPECT_EQ(part.src0.address, Gm(16 * 2));
  EXPECT_EQ(part.transfer.block_bytes, 16u);
  EXPECT_EQ(part.transfer.right_padding, 8);
  EXPECT_EQ(part.transfer.is_pad, 1);
  EXPECT_EQ(Record(2).dst.address, Ub(96 * 2));
  EXPECT_EQ(Record(2).src0.address, Gm(144 * 2));
}

TEST_F(ListsFormats, ColumnsOfBlocksBecomeRows) {
  DataCopy(InGm<float>(), InUb<float>(0),
           Nz2NdParamsFull{2, 4, 32, 1, 4, 144, 40});
  ASSERT_EQ(Recorded().issued.size(), 4u);
  EXPECT_EQ(Record(0).transfer.block_count, 4u);
  EXPECT_EQ(Record(0).transfer.block_bytes, 64u);
  EXPECT_EQ(Record(0).transfer.source_gap, 0);
  EXPECT_EQ(Record(0).transfer.destination_gap, (144 - 16) * 4);
  EXPECT_EQ(Record(1).src0.address, Ub(64 * 4));
  EXPECT_EQ(Record(1).dst.address, Gm(16 * 4));
  EXPECT_EQ(Record(2).src0.address, Ub(256 * 4));
  EXPECT_EQ(Record(2).dst.address, Gm(40 * 4));
}

TEST_F(ListsFormats, EnhancedParametersInNormalModeChangeNothing) {
  const DataCopyParams params{2, 3, 4, 5};
  DataCopy(InUb<half>(0), InGm<half>(), params, DataCopyEnhancedParams{});
  DataCopy(InGm<half>(), InUb<half>(0), params, DataCopyEnhancedParams{});
  DataCopy(InUb<half>(0), InUb<half>(64), params, DataCopyEnhancedParams{});
  ASSERT_EQ(Recorded().issued.size(), 3u);
  for (const abi::Instruction& record : Recorded().issued) {
    EXPECT_EQ(record.op, Op::kDataCopy);
    EXPECT_EQ(record.transfer.block_bytes, 96u);
    EXPECT_EQ(record.transfer.destination_gap, 160);
  }
  DataCopyEnhancedParams matrix;
  matrix.blockMode = BlockMode::BLOCK_MODE_MATRIX;
  EXPECT_THROW(DataCopy(InUb<half>(0), InUb<half>(64), params, matrix),
               std::string);
}

TEST_F(ListsFormats, ImagesAreTransposed) {
  const auto from = InUb<int16_t>(0);
  const auto to = InUb<int16_t>(1024);
  // Two images of 3 channels and 2 x 4 pixels.
  for (uint32_t i = 0; i < 48; ++i) from.SetValue(i, i);
  TransposeParamsExt params(2, 3, 2, 4, TransposeType::TRANSPOSE_NCHW2NHWC);
  Transpose(to, from, InUb<uint8_t>(4096), params);
  for (uint32_t n = 0; n < 2; ++n) {
    for (uint32_t c = 0; c < 3; ++c) {
      for (uint32_t p = 0; p < 8; ++p) {
        EXPECT_EQ(to.GetValue(n * 24 + p * 3 + c),
                  static_cast<int16_t>(n * 24 + c * 8 + p));
      }
    }
  }
  params.transposeType = TransposeType::TRANSPOSE_NHWC2NCHW;
  const auto back = InUb<int16_t>(2048);
  Transpose(back, to, InUb<uint8_t>(4096), params);
  for (uint32_t i = 0; i < 48; ++i) {
    EXPECT_EQ(back.GetValue(i), static_cast<int16_t>(i));
  }
  Forget();
  params.transposeType = TransposeType::TRANSPOSE_ND2ND_B16;
  Transpose(InUb<uint16_t>(0), InUb<uint16_t>(1024), InUb<uint8_t>(4096),
            params);
  EXPECT_EQ(OnlyRecord().op, Op::kTranspose);
  params.transposeType = TransposeType::TRANSPOSE_ND2ND_ONLY;
  EXPECT_THROW(Transpose(to, from, InUb<uint8_t>(4096), params), std::string);
}

}  // namespace
}  // namespace belay::header_test
