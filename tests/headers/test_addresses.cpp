// SPDX-License-Identifier: Apache-2.0
// Calls on addresses: the compiler's instruction names and the C-style API.

#include "c_api/asc_simd.h"
#include "expect_operand.h"

namespace belay::header_test {
namespace {

class Addresses : public Headers {
 protected:
  template <typename T>
  static T* At(uint64_t offset) {
    return reinterpret_cast<T*>(Ub(offset));
  }
};

TEST_F(Addresses, SmallNumbersAreOffsetsIntoUb) {
  vadd(reinterpret_cast<half*>(0), reinterpret_cast<half*>(4096),
       At<half>(8192), 3, 1, 2, 3, 4, 5, 6);
  ExpectRegister(OnlyRecord(), Op::kAdd, 3);
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kHalf, 1, 4);
  ExpectOperand(OnlyRecord().src0, Ub(4096), DType::kHalf, 2, 5);
  ExpectOperand(OnlyRecord().src1, Ub(8192), DType::kHalf, 3, 6);
}

TEST_F(Addresses, OneSource) {
  vexp(At<float>(0), At<float>(64), 2, 1, 1, 8, 8);
  ExpectRegister(OnlyRecord(), Op::kExp, 2);
  Forget();
  vconv_f322s32c(At<int32_t>(0), At<float>(64), 2, 1, 1, 8, 8);
  ExpectRegister(OnlyRecord(), Op::kCast, 2);
  EXPECT_EQ(OnlyRecord().mode, static_cast<uint8_t>(abi::Round::kCeil));
  Forget();
  vmuls(At<half>(0), At<half>(64), half(2.0f), 2, 1, 1, 8, 8);
  ExpectRegister(OnlyRecord(), Op::kMuls, 2);
  EXPECT_EQ(OnlyRecord().scalar, 0x4000u);
  Forget();
  vector_dup(At<int32_t>(0), 7, 4, 1, 1, 8, 0);
  ExpectRegister(OnlyRecord(), Op::kDuplicate, 4);
  EXPECT_EQ(OnlyRecord().scalar, 7u);
  Forget();
  vbrcb(At<uint32_t>(0), At<uint32_t>(64), 1, 8, 2);
  ExpectRegister(OnlyRecord(), Op::kBrcb, 2);
}

TEST_F(Addresses, Reductions) {
  vcadd(At<float>(0), At<float>(64), 2, 1, 1, 8, false);
  ExpectRegister(OnlyRecord(), Op::kWholeReduceSum, 2);
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kFloat, 1, 1);
  Forget();
  vcmax(At<half>(0), At<half>(64), 2, 1, 1, 8, ONLY_VALUE);
  EXPECT_EQ(OnlyRecord().op, Op::kWholeReduceMax);
  EXPECT_EQ(OnlyRecord().mode,
            static_cast<uint8_t>(abi::ReduceOrder::kOnlyValue));
  Forget();
  vcgadd(At<half>(0), At<half>(64), 2, 1, 1, 8);
  EXPECT_EQ(OnlyRecord().op, Op::kBlockReduceSum);
}

TEST_F(Addresses, Moves) {
  uint8_t memory[64];
  copy_gm_to_ubuf(At<float>(0), memory, 0, 2, 3, 4, 5);
  EXPECT_EQ(OnlyRecord().op, Op::kDataCopy);
  EXPECT_EQ(OnlyRecord().src0.memory, Memory::kGm);
  EXPECT_EQ(OnlyRecord().dst.address, Ub(0));
  EXPECT_EQ(OnlyRecord().transfer.block_count, 2u);
  EXPECT_EQ(OnlyRecord().transfer.block_bytes, 96u);
  EXPECT_EQ(OnlyRecord().transfer.source_gap, 128);
  EXPECT_EQ(OnlyRecord().transfer.destination_gap, 160);
  Forget();
  copy_ubuf_to_ubuf(At<float>(0), At<float>(64), 0, 1, 1, 0, 0);
  EXPECT_EQ(OnlyRecord().src0.memory, Memory::kUb);
  Forget();
  copy_gm_to_ubuf_align_b16(At<half>(0), memory, 0, 2, 10, 1, 2, 3, 4);
  EXPECT_EQ(OnlyRecord().op, Op::kDataCopyPad);
  EXPECT_EQ(OnlyRecord().dst.dtype, DType::kUint16);
  EXPECT_EQ(OnlyRecord().transfer.block_bytes, 10u);
  EXPECT_EQ(OnlyRecord().transfer.left_padding, 1);
  EXPECT_EQ(OnlyRecord().transfer.right_padding, 2);
  EXPECT_EQ(OnlyRecord().transfer.source_gap, 3);
  EXPECT_EQ(OnlyRecord().transfer.destination_gap, 128);
  Forget();
  copy_ubuf_to_gm_align_b32(memory, At<float>(0), 0, 2, 12, 0, 0, 1, 5);
  EXPECT_EQ(OnlyRecord().transfer.source_gap, 32);
  EXPECT_EQ(OnlyRecord().transfer.destination_gap, 5);
}

TEST_F(Addresses, RegistersAndCache) {
  set_vector_mask(1, 2);
  EXPECT_EQ(OnlyRecord().op, Op::kSetVectorMask);
  EXPECT_EQ(OnlyRecord().mask[0], 2u);
  EXPECT_EQ(OnlyRecord().mask[1], 1u);
  Forget();
  Recorded().registers[0] = 0xf0;
  set_ctrl(sbitset1(sbitset0(get_ctrl(), 4), 56));
  EXPECT_EQ(OnlyRecord().scalar, 0xe0u | uint64_t{1} << 56);
  Forget();
  set_atomic_f32();
  EXPECT_EQ(OnlyRecord().dst.dtype, DType::kFloat);
  Forget();
  int32_t word;
  dcci(&word, SINGLE_CACHE_LINE);
  EXPECT_EQ(OnlyRecord().op, Op::kDataCacheCleanAndInvalid);
  EXPECT_EQ(OnlyRecord().cache.address, reinterpret_cast<uint64_t>(&word));
  EXPECT_EQ(OnlyRecord().cache.entire, 0);
}

TEST_F(Addresses, CStyleVectorOperations) {
  asc_add(At<float>(0), At<float>(64), At<float>(128), 100);
  ExpectFirst(OnlyRecord(), Op::kAdd, 100);
  Forget();
  asc_mul(At<half>(0), At<half>(64), At<half>(128), 2, 1, 1, 1, 8, 8, 8);
  ExpectRegister(OnlyRecord(), Op::kMul, 2);
  Forget();
  asc_float2half_rz(At<half>(0), At<float>(64), 100);
  ExpectFirst(OnlyRecord(), Op::kCast, 100);
  ExpectOperand(OnlyRecord().dst, Ub(0), DType::kHalf, 1, 4);
  EXPECT_EQ(OnlyRecord().mode, static_cast<uint8_t>(abi::Round::kTrunc));
  Forget();
  asc_add_scalar(At<int32_t>(0), At<int32_t>(64), 3, 64);
  ExpectFirst(OnlyRecord(), Op::kAdds, 64);
  Forget();
  asc_duplicate(At<float>(0), 1.0f, 64);
  ExpectFirst(OnlyRecord(), Op::kDuplicate, 64);
  Forget();
  asc_exp_sync(At<float>(0), At<float>(64), 64);
  ASSERT_EQ(Recorded().issued.size(), 2u);
  EXPECT_EQ(Recorded().issued[0].op, Op::kExp);
  EXPECT_EQ(Recorded().issued[1].op, Op::kPipeBarrier);
}

TEST_F(Addresses, CStyleReductionByCountUsesTheCounter) {
  asc_repeat_reduce_sum(At<float>(0), At<float>(512), 100);
  ASSERT_EQ(Recorded().issued.size(), 5u);
  EXPECT_EQ(Recorded().issued[0].op, Op::kSetMaskCount);
  EXPECT_EQ(Recorded().issued[1].mask[0], 100u);
  ExpectRegister(Recorded().issued[2], Op::kWholeReduceSum, 1);
  EXPECT_EQ(Recorded().issued[3].op, Op::kSetMaskNorm);
  EXPECT_EQ(Recorded().issued[4].op, Op::kResetMask);
}

TEST_F(Addresses, CStyleMovesAndOrder) {
  float memory[64];
  asc_copy_gm2ub(At<float>(0), memory, 256);
  EXPECT_EQ(OnlyRecord().transfer.block_bytes, 256u);
  Forget();
  asc_copy_ub2gm_align(memory, At<float>(0), 20);
  EXPECT_EQ(OnlyRecord().op, Op::kDataCopyPad);
  EXPECT_EQ(OnlyRecord().transfer.block_bytes, 20u);
  Forget();
  asc_sync_notify(PIPE_MTE2, PIPE_V, EVENT_ID1);
  EXPECT_EQ(OnlyRecord().op, Op::kSetFlag);
  Forget();
  asc_sync();
  EXPECT_EQ(OnlyRecord().sync.from, abi::Pipe::kAll);
  EXPECT_EQ(asc_get_block_idx(), 7);
}

}  // namespace
}  // namespace belay::header_test
