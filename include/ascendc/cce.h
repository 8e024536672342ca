// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_CCE_H_
#define BELAY_ASCENDC_CCE_H_

// The instructions themselves, by the names the compiler has for them, on
// addresses instead of tensors. No compiler auto-sync orders them.

#include "ascendc/atomic.h"
#include "ascendc/pointer_operand.h"
#include "ascendc/registers.h"

BELAY_KERNEL_CODE_BEGIN

// Two sources.
#define BELAY_CCE_BINARY(name, op)                                         \
  template <typename D, typename S>                                        \
  BELAY_API void name(__ubuf__ D* dst, __ubuf__ S* src0, __ubuf__ S* src1, \
                      int64_t repeat, int64_t dstBlockStride,              \
                      int64_t src0BlockStride, int64_t src1BlockStride,    \
                      int64_t dstRepeatStride, int64_t src0RepeatStride,   \
                      int64_t src1RepeatStride) {                          \
    belay::api::IssueBinary(                                               \
        belay::abi::Op::op,                                                \
        belay::api::InUb(dst, dstBlockStride, dstRepeatStride),            \
        belay::api::InUb(src0, src0BlockStride, src0RepeatStride),         \
        belay::api::InUb(src1, src1BlockStride, src1RepeatStride),         \
        belay::api::RegisterLanes(repeat));                                \
  }
BELAY_CCE_BINARY(vadd, kAdd)
BELAY_CCE_BINARY(vaddrelu, kAddRelu)
BELAY_CCE_BINARY(vand, kAnd)
BELAY_CCE_BINARY(vdiv, kDiv)
BELAY_CCE_BINARY(vmadd, kFusedMulAdd)
BELAY_CCE_BINARY(vmaddrelu, kFusedMulAddRelu)
BELAY_CCE_BINARY(vmax, kMax)
BELAY_CCE_BINARY(vmin, kMin)
BELAY_CCE_BINARY(vmla, kMulAddDst)
BELAY_CCE_BINARY(vmul, kMul)
BELAY_CCE_BINARY(vor, kOr)
BELAY_CCE_BINARY(vsub, kSub)
BELAY_CCE_BINARY(vsubrelu, kSubRelu)
#undef BELAY_CCE_BINARY

// One source; `mode` is the round mode of a conversion.
#define BELAY_CCE_UNARY_MODE(name, op, D, S, mode)                         \
  BELAY_API void name(__ubuf__ D* dst, __ubuf__ S* src, int64_t repeat,    \
                      int64_t dstBlockStride, int64_t srcBlockStride,      \
                      int64_t dstRepeatStride, int64_t srcRepeatStride) {  \
    belay::api::IssueUnary(                                                \
        belay::abi::Op::op,                                                \
        belay::api::InUb(dst, dstBlockStride, dstRepeatStride),            \
        belay::api::InUb(src, srcBlockStride, srcRepeatStride),            \
        belay::api::RegisterLanes(repeat), 0, static_cast<uint8_t>(mode)); \
  }
#define BELAY_CCE_UNARY(name, op) \
  template <typename T>           \
  BELAY_CCE_UNARY_MODE(name, op, T, T, 0)
BELAY_CCE_UNARY(vabs, kAbs)
BELAY_CCE_UNARY(vcopy, kCopy)
BELAY_CCE_UNARY(vexp, kExp)
BELAY_CCE_UNARY(vln, kLn)
BELAY_CCE_UNARY(vnot, kNot)
BELAY_CCE_UNARY(vrec, kReciprocal)
BELAY_CCE_UNARY(vrelu, kRelu)
BELAY_CCE_UNARY(vrsqrt, kRsqrt)
BELAY_CCE_UNARY(vsqrt, kSqrt)
#undef BELAY_CCE_UNARY

// The letter at the end of a conversion is its rounding: r to even, a away
// from zero, f down, c up, z to zero, o to odd.
#define BELAY_CCE_CONVERT(name, D, S, mode)       \
  BELAY_CCE_UNARY_MODE(vconv_##name, kCast, D, S, \
                       AscendC::RoundMode::CAST_##mode)
#define BELAY_CCE_CONVERT_ROUNDING(name, D, S) \
  BELAY_CCE_CONVERT(name##r, D, S, RINT)       \
  BELAY_CCE_CONVERT(name##a, D, S, ROUND)      \
  BELAY_CCE_CONVERT(name##f, D, S, FLOOR)      \
  BELAY_CCE_CONVERT(name##c, D, S, CEIL)       \
  BELAY_CCE_CONVERT(name##z, D, S, TRUNC)
BELAY_CCE_CONVERT(bf162f32, float, bfloat16_t, NONE)
BELAY_CCE_CONVERT_ROUNDING(bf162s32, int32_t, bfloat16_t)
BELAY_CCE_CONVERT(deq, half, int32_t, NONE)
BELAY_CCE_CONVERT(f162f32, float, half, NONE)
BELAY_CCE_CONVERT_ROUNDING(f162s16, int16_t, half)
BELAY_CCE_CONVERT_ROUNDING(f162s32, int32_t, half)
BELAY_CCE_CONVERT(f162s8, int8_t, half, NONE)
BELAY_CCE_CONVERT_ROUNDING(f162s8, int8_t, half)
BELAY_CCE_CONVERT(f162u8, uint8_t, half, NONE)
BELAY_CCE_CONVERT_ROUNDING(f162u8, uint8_t, half)
BELAY_CCE_CONVERT_ROUNDING(f322bf16, bfloat16_t, float)
BELAY_CCE_CONVERT(f322f16, half, float, NONE)
BELAY_CCE_CONVERT_ROUNDING(f322f16, half, float)
BELAY_CCE_CONVERT(f322f16o, half, float, ODD)
BELAY_CCE_CONVERT_ROUNDING(f322f32, float, float)
BELAY_CCE_CONVERT_ROUNDING(f322s16, int16_t, float)
BELAY_CCE_CONVERT_ROUNDING(f322s32, int32_t, float)
BELAY_CCE_CONVERT_ROUNDING(f322s64, int64_t, float)
BELAY_CCE_CONVERT(s162f16, half, int16_t, NONE)
BELAY_CCE_CONVERT(s162f32, float, int16_t, NONE)
BELAY_CCE_CONVERT(s322f32, float, int32_t, NONE)
BELAY_CCE_CONVERT_ROUNDING(s322f32, float, int32_t)
BELAY_CCE_CONVERT(s322s16, int16_t, int32_t, NONE)
BELAY_CCE_CONVERT(s322s64, int64_t, int32_t, NONE)
BELAY_CCE_CONVERT_ROUNDING(s642f32, float, int64_t)
BELAY_CCE_CONVERT(s642s32, int32_t, int64_t, NONE)
BELAY_CCE_CONVERT(s82f16, half, int8_t, NONE)
BELAY_CCE_CONVERT(u82f16, half, uint8_t, NONE)
#undef BELAY_CCE_CONVERT_ROUNDING
#undef BELAY_CCE_CONVERT
#undef BELAY_CCE_UNARY_MODE

// A source and a scalar of its type.
#define BELAY_CCE_SCALAR(name, op)                                      \
  template <typename D, typename S>                                     \
  BELAY_API void name(__ubuf__ D* dst, __ubuf__ S* src, S scalar,       \
                      int64_t repeat, int64_t dstBlockStride,           \
                      int64_t srcBlockStride, int64_t dstRepeatStride,  \
                      int64_t srcRepeatStride) {                        \
    belay::api::IssueUnary(                                             \
        belay::abi::Op::op,                                             \
        belay::api::InUb(dst, dstBlockStride, dstRepeatStride),         \
        belay::api::InUb(src, srcBlockStride, srcRepeatStride),         \
        belay::api::RegisterLanes(repeat), belay::api::BitsOf(scalar)); \
  }
BELAY_CCE_SCALAR(vadds, kAdds)
BELAY_CCE_SCALAR(vaxpy, kAxpy)
BELAY_CCE_SCALAR(vlrelu, kLeakyRelu)
BELAY_CCE_SCALAR(vmaxs, kMaxs)
BELAY_CCE_SCALAR(vmins, kMins)
BELAY_CCE_SCALAR(vmuls, kMuls)
#undef BELAY_CCE_SCALAR

template <typename T>
BELAY_API void vector_dup(__ubuf__ T* dst, T value, int64_t repeat,
                          int64_t dstBlockStride, int64_t,
                          int64_t dstRepeatStride, int64_t) {
  belay::abi::Instruction record = belay::api::Record(
      belay::abi::Op::kDuplicate, belay::api::RegisterLanes(repeat));
  record.scalar = belay::api::BitsOf(value);
  record.dst = belay::api::InUb(dst, dstBlockStride, dstRepeatStride);
  belay_issue(&record);
}

template <typename T>
BELAY_API void vbrcb(__ubuf__ T* dst, __ubuf__ T* src, int64_t dstBlockStride,
                     int64_t dstRepeatStride, int64_t repeat) {
  belay::api::IssueUnary(belay::abi::Op::kBrcb,
                         belay::api::InUb(dst, dstBlockStride, dstRepeatStride),
                         belay::api::InUb(src, 1, 1),
                         belay::api::RegisterLanes(repeat));
}

// Each repeat to one (c), each block (cg), each pair (cp).
enum Order_t { VALUE_INDEX = 0, INDEX_VALUE, ONLY_VALUE, ONLY_INDEX };

#define BELAY_CCE_REDUCE(name, op, parameter, order)                        \
  template <typename T>                                                     \
  BELAY_API void name(__ubuf__ T* dst, __ubuf__ T* src, int64_t repeat,     \
                      int64_t dstRepeatStride, int64_t srcBlockStride,      \
                      int64_t srcRepeatStride parameter) {                  \
    belay::api::IssueUnary(                                                 \
        belay::abi::Op::op, belay::api::InUb(dst, 1, dstRepeatStride),      \
        belay::api::InUb(src, srcBlockStride, srcRepeatStride),             \
        belay::api::RegisterLanes(repeat), 0, static_cast<uint8_t>(order)); \
  }
#define BELAY_COMMA_ORDER , Order_t order = VALUE_INDEX
#define BELAY_COMMA_MODE , bool = false
BELAY_CCE_REDUCE(vcadd, kWholeReduceSum, BELAY_COMMA_MODE, ONLY_VALUE)
BELAY_CCE_REDUCE(vcgadd, kBlockReduceSum, , ONLY_VALUE)
BELAY_CCE_REDUCE(vcgmax, kBlockReduceMax, , ONLY_VALUE)
BELAY_CCE_REDUCE(vcgmin, kBlockReduceMin, , ONLY_VALUE)
BELAY_CCE_REDUCE(vcmax, kWholeReduceMax, BELAY_COMMA_ORDER, order)
BELAY_CCE_REDUCE(vcmin, kWholeReduceMin, BELAY_COMMA_ORDER, order)
BELAY_CCE_REDUCE(vcpadd, kPairReduceSum, , ONLY_VALUE)
#undef BELAY_COMMA_MODE
#undef BELAY_COMMA_ORDER
#undef BELAY_CCE_REDUCE

// Moves; lengths and gaps count 32-byte blocks.
BELAY_API void copy_gm_to_ubuf(__ubuf__ void* dst, __gm__ void* src, uint8_t,
                               int64_t nBurst, int64_t lenBurst, int64_t srcGap,
                               int64_t dstGap) {
  belay::api::MoveBlocks(belay::api::BytesInUb(dst), belay::api::BytesInGm(src),
                         nBurst, lenBurst, srcGap, dstGap);
}
BELAY_API void copy_ubuf_to_gm(__gm__ void* dst, __ubuf__ void* src, uint8_t,
                               int64_t nBurst, int64_t lenBurst, int64_t srcGap,
                               int64_t dstGap) {
  belay::api::MoveBlocks(belay::api::BytesInGm(dst), belay::api::BytesInUb(src),
                         nBurst, lenBurst, srcGap, dstGap);
}
BELAY_API void copy_ubuf_to_ubuf(__ubuf__ void* dst, __ubuf__ void* src,
                                 uint8_t, int64_t nBurst, int64_t lenBurst,
                                 int64_t srcGap, int64_t dstGap) {
  belay::api::MoveBlocks(belay::api::BytesInUb(dst), belay::api::BytesInUb(src),
                         nBurst, lenBurst, srcGap, dstGap);
}

// Lengths count bytes, gaps bytes in GM and blocks in UB, padding elements.
#define BELAY_CCE_ALIGN(bits, type)                                           \
  BELAY_API void copy_gm_to_ubuf_align_b##bits(                               \
      __ubuf__ void* dst, __gm__ void* src, uint8_t, int64_t nBurst,          \
      int64_t lenBurst, int64_t leftPaddingNum, int64_t rightPaddingNum,      \
      int64_t srcGap, int64_t dstGap) {                                       \
    belay::api::MovePadded(belay::api::InUb(static_cast<type*>(dst), 1, 8),   \
                           belay::api::InGm(static_cast<type*>(src)), nBurst, \
                           lenBurst, leftPaddingNum, rightPaddingNum, srcGap, \
                           dstGap);                                           \
  }                                                                           \
  BELAY_API void copy_ubuf_to_gm_align_b##bits(                               \
      __gm__ void* dst, __ubuf__ void* src, uint8_t, int64_t nBurst,          \
      int64_t lenBurst, int64_t leftPaddingNum, int64_t rightPaddingNum,      \
      int64_t srcGap, int64_t dstGap) {                                       \
    belay::api::MovePadded(belay::api::InGm(static_cast<type*>(dst)),         \
                           belay::api::InUb(static_cast<type*>(src), 1, 8),   \
                           nBurst, lenBurst, leftPaddingNum, rightPaddingNum, \
                           srcGap, dstGap);                                   \
  }
BELAY_CCE_ALIGN(8, uint8_t)
BELAY_CCE_ALIGN(16, uint16_t)
BELAY_CCE_ALIGN(32, uint32_t)
#undef BELAY_CCE_ALIGN

// Registers.
BELAY_API void set_vector_mask(uint64_t maskHigh, uint64_t maskLow) {
  AscendC::SetVectorMask<uint16_t>(maskHigh, maskLow);
}
BELAY_API void set_mask_count() { AscendC::SetMaskCount(); }
BELAY_API void set_mask_norm() { AscendC::SetMaskNorm(); }

BELAY_API uint64_t get_ctrl() {
  return belay_get_register(belay::abi::Register::kControl);
}
BELAY_API void set_ctrl(uint64_t value) { belay::api::IssueControl(value); }
BELAY_API uint64_t sbitset0(uint64_t value, int64_t bit) {
  return value & ~(uint64_t{1} << bit);
}
BELAY_API uint64_t sbitset1(uint64_t value, int64_t bit) {
  return value | uint64_t{1} << bit;
}

#define BELAY_CCE_ATOMIC(name, type) \
  BELAY_API void set_atomic_##name() { AscendC::SetAtomicType<type>(); }
BELAY_CCE_ATOMIC(bf16, bfloat16_t)
BELAY_CCE_ATOMIC(f16, half)
BELAY_CCE_ATOMIC(f32, float)
BELAY_CCE_ATOMIC(s16, int16_t)
BELAY_CCE_ATOMIC(s32, int32_t)
BELAY_CCE_ATOMIC(s8, int8_t)
#undef BELAY_CCE_ATOMIC
BELAY_API void set_atomic_none() { AscendC::SetAtomicNone(); }
// The operation only; the type stays.
BELAY_API void set_atomic_add() {
  belay::api::IssueAtomic(belay::api::AtomicTypeNow(),
                          belay::abi::Atomic::kAdd);
}
BELAY_API void set_atomic_max() {
  belay::api::IssueAtomic(belay::api::AtomicTypeNow(),
                          belay::abi::Atomic::kMax);
}
BELAY_API void set_atomic_min() {
  belay::api::IssueAtomic(belay::api::AtomicTypeNow(),
                          belay::abi::Atomic::kMin);
}

// The lines of the data cache.
enum cache_line_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum dcci_dst_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT };

BELAY_API void dcci(__gm__ void* dst, uint64_t lines,
                    uint64_t = CACHELINE_OUT) {
  belay::abi::Instruction record{};
  record.op = belay::abi::Op::kDataCacheCleanAndInvalid;
  record.cache.address = reinterpret_cast<uint64_t>(dst);
  record.cache.entire = lines == ENTIRE_DATA_CACHE ? 1 : 0;
  belay_issue(&record);
}

enum mem_dsb_t { DSB_ALL = 0, DSB_DDR, DSB_UB, DSB_SEQ };
BELAY_API void dsb(mem_dsb_t memory) {
  belay::api::IssueSync(belay::abi::Op::kDataSyncBarrier, belay::abi::Pipe::kS,
                        belay::abi::Pipe::kS, 0, static_cast<uint8_t>(memory));
}

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_CCE_H_
