// SPDX-License-Identifier: Apache-2.0
// The control register, registers that instructions leave behind, accesses
// past the data cache, printing of tensors, order between kernels.

#include "expect_operand.h"

namespace belay::header_test {
namespace {

using namespace AscendC;
using abi::Register;

class Registers : public Headers {
 protected:
  static uint64_t& Value(Register which) {
    return Recorded().registers[static_cast<int>(which)];
  }
};

TEST_F(Registers, ControlFields) {
  Value(Register::kControl) = 0xff00;
  SetCtrlSpr<6, 8>(2);
  EXPECT_EQ(OnlyRecord().op, Op::kSetCtrl);
  EXPECT_EQ(OnlyRecord().scalar, 0xfe80u);
  Forget();
  Value(Register::kControl) = uint64_t{1} << 48;
  EXPECT_EQ((GetCtrlSpr<48, 48>()), 1);
  EXPECT_EQ((GetCtrlSpr<0, 63>()), int64_t{1} << 48);
  EXPECT_FALSE(GetSaturationFlag<SaturationMode::FLOAT>());
  SetSaturationFlag<SaturationMode::FLOAT>(true);
  EXPECT_EQ(OnlyRecord().scalar, 0u);
  EXPECT_TRUE(GetSaturationFlag<SaturationMode::CAST>());
  SetSaturationFlag<SaturationMode::CAST>(true);
  EXPECT_THROW(SetSaturationFlag<SaturationMode::CAST>(false), std::string);
}

TEST_F(Registers, Reductions) {
  Value(Register::kReducedSum) = 0x40200000;
  Value(Register::kReducedValue) = 0x3c00;
  Value(Register::kReducedIndex) = 77;
  EXPECT_EQ(GetReduceRepeatSumSpr<float>(), 2.5f);
  EXPECT_EQ(GetAccVal<float>(), 2.5f);
  half value;
  half index;
  GetReduceRepeatMaxMinSpr(value, index);
  EXPECT_EQ(static_cast<float>(value), 1.0f);
  EXPECT_EQ(api::BitsOf(index), 77u);
  GetReduceMaxMinCount(value);
  EXPECT_EQ(static_cast<float>(value), 1.0f);
  uint32_t bits;
  GetReduceMaxMinCount(bits, bits);
  EXPECT_EQ(bits, 77u);
}

TEST_F(Registers, MergedLists) {
  Value(Register::kMerged) = 0x0004000300020001;
  uint16_t lists[4];
  GetMrgSortResult(lists[0], lists[1], lists[2], lists[3]);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(lists[i], i + 1);
}

TEST_F(Registers, AtomicTypeKeepsTheOperation) {
  SetAtomicType<half>();
  EXPECT_EQ(OnlyRecord().mode, static_cast<uint8_t>(abi::Atomic::kAdd));
  EXPECT_EQ(OnlyRecord().dst.dtype, DType::kHalf);
  Forget();
  Value(Register::kAtomic) = static_cast<uint64_t>(abi::Atomic::kMax) |
                             static_cast<uint64_t>(DType::kInt16) << 8;
  SetAtomicType<float>();
  EXPECT_EQ(OnlyRecord().mode, static_cast<uint8_t>(abi::Atomic::kMax));
  EXPECT_EQ(OnlyRecord().dst.dtype, DType::kFloat);
  Recorded().issued.clear();
  set_atomic_min();
  EXPECT_EQ(OnlyRecord().mode, static_cast<uint8_t>(abi::Atomic::kMin));
  EXPECT_EQ(OnlyRecord().dst.dtype, DType::kInt16);
  Forget();
  SetStoreAtomicConfig<AtomicDtype::ATOMIC_BF16, AtomicOp::ATOMIC_SUM>();
  EXPECT_EQ(OnlyRecord().dst.dtype, DType::kBfloat16);
  uint16_t type = 9;
  uint16_t operation = 9;
  GetStoreAtomicConfig(type, operation);
  EXPECT_EQ(type, 0);
  Value(Register::kAtomic) = static_cast<uint64_t>(abi::Atomic::kAdd) |
                             static_cast<uint64_t>(DType::kBfloat16) << 8;
  GetStoreAtomicConfig(type, operation);
  EXPECT_EQ(type, static_cast<uint16_t>(AtomicDtype::ATOMIC_BF16));
  EXPECT_EQ(operation, 0);
}

TEST_F(Registers, AccessesPastTheCache) {
  int32_t word = 5;
  EXPECT_EQ(ReadGmByPassDCache(&word), 5);
  WriteGmByPassDCache(&word, 6);
  EXPECT_EQ(word, 6);
  EXPECT_EQ(Calls(), "read direct 4; write direct 4");
  Forget();
  DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE>(
      InUb<float>(64));
  EXPECT_EQ(OnlyRecord().op, Op::kDataCacheCleanAndInvalid);
  EXPECT_EQ(OnlyRecord().cache.entire, 1);
}

TEST_F(Registers, Dumps) {
  const std::string at = std::to_string(Ub(64));
  DumpTensor(InUb<half>(64), 5, 32);
  EXPECT_EQ(Calls(), "dump " + at + " dtype 7 position 11 label 5 count 32");
  Forget();
  const uint32_t dims[] = {4, 4};
  DumpTensor(InUb<float>(64), 6, 32, ShapeInfo(2, dims));
  EXPECT_EQ(Calls(), "dump " + at + " dtype 11 position 11 label 6 count 16");
  Forget();
  DumpAccChkPoint(InUb<float>(0), 7, 16, 8);
  EXPECT_EQ(Calls(), "dump " + at + " dtype 11 position 11 label 7 count 8");
  Forget();
  int32_t data[4] = {};
  const std::string global = std::to_string(reinterpret_cast<uint64_t>(data));
  GlobalTensor<int32_t> tensor;
  tensor.SetGlobalBuffer(data, 4);
  DumpTensor(tensor, 8, 4);
  asc_dump_gm(data, 9, 2);
  EXPECT_EQ(Calls(), "dump " + global +
                         " dtype 9 position 0 label 8 count 4; " + "dump " +
                         global + " dtype 9 position 0 label 9 count 2");
}

TEST_F(Registers, ElementsCanBePrinted) {
  const auto a = InUb<float>(0);
  a.SetValue(0, 1.5f);
  AscendC::printf("%.1f", a(0));
  EXPECT_EQ(Recorded().printed, "1.5");
}

// Two blocks arrive, three wait: a flag for each pair.
TEST_F(Registers, GroupsWaitForGroups) {
  uint8_t workspace[1536];
  GroupBarrier<PipeMode::MTE3_MODE> barrier(workspace, 2, 3);
  EXPECT_EQ(barrier.GetWorkspaceLen(), 1536u);
  barrier.Arrive(1);
  ASSERT_EQ(Recorded().issued.size(), 3u);
  for (uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(Recorded().issued[i].op, Op::kIbSet);
    EXPECT_EQ(Recorded().issued[i].sync.id, i);
    EXPECT_EQ(Recorded().issued[i].sync.block, 1u);
  }
  Forget();
  barrier.Wait(2);
  ASSERT_EQ(Recorded().issued.size(), 2u);
  EXPECT_EQ(Recorded().issued[1].op, Op::kIbWait);
  EXPECT_EQ(Recorded().issued[1].sync.id, 2u);
  EXPECT_EQ(Recorded().issued[1].sync.block, 1u);
  EXPECT_EQ(Recorded().issued[1].dst.address,
            reinterpret_cast<uint64_t>(workspace));
}

TEST_F(Registers, KernelsOfAStreamFollowOneAnother) {
  SetNextTaskStart();
  WaitPreTaskEnd();
  EXPECT_TRUE(Recorded().issued.empty());
  EXPECT_EQ(GetUBSizeInBytes(), belay_memory_bytes(Memory::kUb));
  EXPECT_EQ(GetRuntimeUBSize(), belay_memory_bytes(Memory::kUb));
}

}  // namespace
}  // namespace belay::header_test
