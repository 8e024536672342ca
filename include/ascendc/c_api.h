// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_C_API_H_
#define BELAY_ASCENDC_C_API_H_

// The C-style interface: functions on addresses. Vector operations take the
// first `count` elements, or repeats of the lanes in the mask register; with
// _sync in their name they wait until all is done.

#include "ascendc/cce.h"
#include "ascendc/debug.h"
#include "ascendc/system.h"

BELAY_KERNEL_CODE_BEGIN

// --- order -------------------------------------------------------------------

BELAY_API void asc_init() { AscendC::InitSocState(); }
BELAY_API void asc_sync() { pipe_barrier(PIPE_ALL); }
BELAY_API void asc_sync_pipe(pipe_t pipe) { pipe_barrier(pipe); }
BELAY_API void asc_sync_vec() { pipe_barrier(PIPE_V); }
BELAY_API void asc_sync_mte2(int) { pipe_barrier(PIPE_MTE2); }
BELAY_API void asc_sync_mte3(int) { pipe_barrier(PIPE_MTE3); }
BELAY_API void asc_sync_notify(pipe_t pipe, pipe_t tpipe, event_t id) {
  set_flag(pipe, tpipe, id);
}
BELAY_API void asc_sync_wait(pipe_t pipe, pipe_t tpipe, event_t id) {
  wait_flag(pipe, tpipe, id);
}
BELAY_API void asc_sync_data_barrier(mem_dsb_t memory) { dsb(memory); }

// --- the machine -------------------------------------------------------------

BELAY_API int64_t asc_get_block_idx() { return belay_block_index(); }
BELAY_API int64_t asc_get_block_num() { return belay_block_count(); }
BELAY_API int64_t asc_get_sub_block_id() { return belay_subblock_index(); }
BELAY_API int64_t asc_get_sub_block_num() { return belay_subblock_count(); }
BELAY_API int64_t asc_get_system_cycle() { return belay_system_cycle(); }
BELAY_API int64_t asc_get_ctrl() { return static_cast<int64_t>(get_ctrl()); }
BELAY_API void asc_set_ctrl(uint64_t value) { set_ctrl(value); }
BELAY_API void asc_dcci_single(__gm__ void* dst) {
  dcci(dst, SINGLE_CACHE_LINE);
}
BELAY_API void asc_dcci_entire_all() { dcci(nullptr, ENTIRE_DATA_CACHE); }
BELAY_API void asc_dcci_entire_out() { dcci(nullptr, ENTIRE_DATA_CACHE); }

// --- masks and atomics -------------------------------------------------------

BELAY_API void asc_set_vector_mask(uint64_t mask1, uint64_t mask0) {
  set_vector_mask(mask1, mask0);
}
BELAY_API void asc_set_mask_count() { set_mask_count(); }
BELAY_API void asc_set_mask_norm() { set_mask_norm(); }

#define BELAY_C_ATOMIC(name, type)             \
  BELAY_API void asc_set_atomic_add_##name() { \
    AscendC::SetAtomicAdd<type>();             \
  }                                            \
  BELAY_API void asc_set_atomic_max_##name() { \
    AscendC::SetAtomicMax<type>();             \
  }                                            \
  BELAY_API void asc_set_atomic_min_##name() { AscendC::SetAtomicMin<type>(); }
BELAY_C_ATOMIC(bfloat, bfloat16_t)
BELAY_C_ATOMIC(float, float)
BELAY_C_ATOMIC(float16, half)
BELAY_C_ATOMIC(int, int32_t)
BELAY_C_ATOMIC(int16, int16_t)
BELAY_C_ATOMIC(int8, int8_t)
#undef BELAY_C_ATOMIC
BELAY_API void asc_set_atomic_none() { AscendC::SetAtomicNone(); }

template <typename T>
BELAY_API void asc_set_copy_pad_val(T pad_value) {
  AscendC::SetPadValue(pad_value);
}

// --- moves -------------------------------------------------------------------

#define BELAY_C_MOVE(name, to, from)                                         \
  BELAY_API void name(void* dst, const void* src, uint32_t size) {           \
    belay::api::MoveBytes(belay::api::to(dst), belay::api::from(src), size); \
  }                                                                          \
  BELAY_API void name(void* dst, const void* src, int64_t n_burst,           \
                      int64_t len_burst, int64_t src_gap, int64_t dst_gap) { \
    belay::api::MoveBlocks(belay::api::to(dst), belay::api::from(src),       \
                           n_burst, len_burst, src_gap, dst_gap);            \
  }                                                                          \
  BELAY_API void name##_sync(void* dst, const void* src, uint32_t size) {    \
    name(dst, src, size);                                                    \
    asc_sync();                                                              \
  }
BELAY_C_MOVE(asc_copy_gm2ub, BytesInUb, BytesInGm)
BELAY_C_MOVE(asc_copy_ub2gm, BytesInGm, BytesInUb)
BELAY_C_MOVE(asc_copy_ub2ub, BytesInUb, BytesInUb)
#undef BELAY_C_MOVE

#define BELAY_C_MOVE_ALIGN(name, to, from)                                 \
  template <typename T>                                                    \
  BELAY_API void name(T* dst, T* src, uint32_t size) {                     \
    belay::api::MovePadded(to, from, 1, size, 0, 0, 0, 0);                 \
  }                                                                        \
  template <typename T>                                                    \
  BELAY_API void name(T* dst, T* src, int64_t n_burst, int64_t len_burst,  \
                      int64_t left_padding_num, int64_t right_padding_num, \
                      int64_t src_gap, int64_t dst_gap) {                  \
    belay::api::MovePadded(to, from, n_burst, len_burst, left_padding_num, \
                           right_padding_num, src_gap, dst_gap);           \
  }                                                                        \
  template <typename T>                                                    \
  BELAY_API void name##_sync(T* dst, T* src, uint32_t size) {              \
    name(dst, src, size);                                                  \
    asc_sync();                                                            \
  }
BELAY_C_MOVE_ALIGN(asc_copy_gm2ub_align, belay::api::InUb(dst, 1, 8),
                   belay::api::InGm(src))
BELAY_C_MOVE_ALIGN(asc_copy_ub2gm_align, belay::api::InGm(dst),
                   belay::api::InUb(src, 1, 8))
#undef BELAY_C_MOVE_ALIGN

// --- vector operations -------------------------------------------------------

#define BELAY_C_BINARY(name, op, cce)                                        \
  template <typename D, typename S>                                          \
  BELAY_API void name(__ubuf__ D* dst, __ubuf__ S* src0, __ubuf__ S* src1,   \
                      uint32_t count) {                                      \
    constexpr uint32_t kWide = belay::api::kWidest<D, S>;                    \
    belay::api::IssueBinary(                                                 \
        belay::abi::Op::op,                                                  \
        belay::api::InUb(dst, 1, belay::api::kDense<D, kWide>),              \
        belay::api::InUb(src0, 1, belay::api::kDense<S, kWide>),             \
        belay::api::InUb(src1, 1, belay::api::kDense<S, kWide>),             \
        belay::api::FirstLanes(count));                                      \
  }                                                                          \
  template <typename D, typename S>                                          \
  BELAY_API void name(__ubuf__ D* dst, __ubuf__ S* src0, __ubuf__ S* src1,   \
                      int64_t repeat, int64_t dst_block_stride,              \
                      int64_t src0_block_stride, int64_t src1_block_stride,  \
                      int64_t dst_repeat_stride, int64_t src0_repeat_stride, \
                      int64_t src1_repeat_stride) {                          \
    cce(dst, src0, src1, repeat, dst_block_stride, src0_block_stride,        \
        src1_block_stride, dst_repeat_stride, src0_repeat_stride,            \
        src1_repeat_stride);                                                 \
  }                                                                          \
  template <typename D, typename S>                                          \
  BELAY_API void name##_sync(__ubuf__ D* dst, __ubuf__ S* src0,              \
                             __ubuf__ S* src1, uint32_t count) {             \
    name(dst, src0, src1, count);                                            \
    asc_sync();                                                              \
  }
BELAY_C_BINARY(asc_add, kAdd, vadd)
BELAY_C_BINARY(asc_add_relu, kAddRelu, vaddrelu)
BELAY_C_BINARY(asc_and, kAnd, vand)
BELAY_C_BINARY(asc_div, kDiv, vdiv)
BELAY_C_BINARY(asc_fma, kFusedMulAdd, vmadd)
BELAY_C_BINARY(asc_max, kMax, vmax)
BELAY_C_BINARY(asc_min, kMin, vmin)
BELAY_C_BINARY(asc_mul, kMul, vmul)
BELAY_C_BINARY(asc_mul_add, kMulAddDst, vmla)
BELAY_C_BINARY(asc_mul_add_relu, kFusedMulAddRelu, vmaddrelu)
BELAY_C_BINARY(asc_or, kOr, vor)
BELAY_C_BINARY(asc_sub, kSub, vsub)
BELAY_C_BINARY(asc_sub_relu, kSubRelu, vsubrelu)
#undef BELAY_C_BINARY

#define BELAY_C_UNARY(name, op, D, S, mode)                               \
  BELAY_API void name(__ubuf__ D* dst, __ubuf__ S* src, uint32_t count) { \
    constexpr uint32_t kWide = belay::api::kWidest<D, S>;                 \
    belay::api::IssueUnary(                                               \
        belay::abi::Op::op,                                               \
        belay::api::InUb(dst, 1, belay::api::kDense<D, kWide>),           \
        belay::api::InUb(src, 1, belay::api::kDense<S, kWide>),           \
        belay::api::FirstLanes(count), 0, static_cast<uint8_t>(mode));    \
  }
#define BELAY_C_UNARY_REPEAT(name, op, D, S, mode)                            \
  BELAY_API void name(__ubuf__ D* dst, __ubuf__ S* src, int64_t repeat,       \
                      int64_t dst_block_stride, int64_t src_block_stride,     \
                      int64_t dst_repeat_stride, int64_t src_repeat_stride) { \
    belay::api::IssueUnary(                                                   \
        belay::abi::Op::op,                                                   \
        belay::api::InUb(dst, dst_block_stride, dst_repeat_stride),           \
        belay::api::InUb(src, src_block_stride, src_repeat_stride),           \
        belay::api::RegisterLanes(repeat), 0, static_cast<uint8_t>(mode));    \
  }
#define BELAY_C_UNARY_SYNC(name, D, S)                         \
  BELAY_API void name##_sync(__ubuf__ D* dst, __ubuf__ S* src, \
                             uint32_t count) {                 \
    name(dst, src, count);                                     \
    asc_sync();                                                \
  }
#define BELAY_C_UNARY_ALL(name, op)       \
  template <typename T>                   \
  BELAY_C_UNARY(name, op, T, T, 0)        \
  template <typename T>                   \
  BELAY_C_UNARY_REPEAT(name, op, T, T, 0) \
  template <typename T>                   \
  BELAY_C_UNARY_SYNC(name, T, T)
BELAY_C_UNARY_ALL(asc_abs, kAbs)
BELAY_C_UNARY_ALL(asc_exp, kExp)
BELAY_C_UNARY_ALL(asc_log, kLn)
BELAY_C_UNARY_ALL(asc_not, kNot)
BELAY_C_UNARY_ALL(asc_rcp, kReciprocal)
BELAY_C_UNARY_ALL(asc_relu, kRelu)
BELAY_C_UNARY_ALL(asc_rsqrt, kRsqrt)
BELAY_C_UNARY_ALL(asc_sqrt, kSqrt)
#undef BELAY_C_UNARY_ALL

// Conversions: rn to even, rna away from zero, rd down, ru up, rz to zero.
#define BELAY_C_CONVERT(name, D, S, mode)                                  \
  BELAY_C_UNARY(name, kCast, D, S, AscendC::RoundMode::CAST_##mode)        \
  BELAY_C_UNARY_REPEAT(name, kCast, D, S, AscendC::RoundMode::CAST_##mode) \
  BELAY_C_UNARY_SYNC(name, D, S)
#define BELAY_C_CONVERT_ROUNDING(name, D, S) \
  BELAY_C_CONVERT(name##_rn, D, S, RINT)     \
  BELAY_C_CONVERT(name##_rna, D, S, ROUND)   \
  BELAY_C_CONVERT(name##_rd, D, S, FLOOR)    \
  BELAY_C_CONVERT(name##_ru, D, S, CEIL)     \
  BELAY_C_CONVERT(name##_rz, D, S, TRUNC)
BELAY_C_CONVERT(asc_bfloat162float, float, bfloat16_t, NONE)
BELAY_C_CONVERT_ROUNDING(asc_bfloat162int32, int32_t, bfloat16_t)
BELAY_C_CONVERT_ROUNDING(asc_float2bfloat16, bfloat16_t, float)
BELAY_C_CONVERT(asc_float2half, half, float, NONE)
BELAY_C_CONVERT_ROUNDING(asc_float2half, half, float)
BELAY_C_CONVERT(asc_float2half_ro, half, float, ODD)
BELAY_C_CONVERT_ROUNDING(asc_float2float, float, float)
BELAY_C_CONVERT_ROUNDING(asc_float2int16, int16_t, float)
BELAY_C_CONVERT_ROUNDING(asc_float2int32, int32_t, float)
BELAY_C_CONVERT_ROUNDING(asc_float2int64, int64_t, float)
BELAY_C_CONVERT(asc_half2float, float, half, NONE)
BELAY_C_CONVERT_ROUNDING(asc_half2int16, int16_t, half)
BELAY_C_CONVERT_ROUNDING(asc_half2int32, int32_t, half)
BELAY_C_CONVERT(asc_half2int8, int8_t, half, NONE)
BELAY_C_CONVERT_ROUNDING(asc_half2int8, int8_t, half)
BELAY_C_CONVERT(asc_half2uint8, uint8_t, half, NONE)
BELAY_C_CONVERT_ROUNDING(asc_half2uint8, uint8_t, half)
BELAY_C_CONVERT(asc_int162float, float, int16_t, NONE)
BELAY_C_CONVERT(asc_int162half, half, int16_t, NONE)
BELAY_C_CONVERT_ROUNDING(asc_int162half, half, int16_t)
BELAY_C_CONVERT(asc_int322float, float, int32_t, NONE)
BELAY_C_CONVERT_ROUNDING(asc_int322float, float, int32_t)
BELAY_C_CONVERT(asc_int322int16, int16_t, int32_t, NONE)
BELAY_C_CONVERT(asc_int322int64, int64_t, int32_t, NONE)
BELAY_C_CONVERT_ROUNDING(asc_int642float, float, int64_t)
BELAY_C_CONVERT(asc_int642int32, int32_t, int64_t, NONE)
BELAY_C_CONVERT(asc_int82half, half, int8_t, NONE)
BELAY_C_CONVERT(asc_uint82half, half, uint8_t, NONE)
#undef BELAY_C_CONVERT_ROUNDING
#undef BELAY_C_CONVERT
#undef BELAY_C_UNARY_SYNC
#undef BELAY_C_UNARY_REPEAT
#undef BELAY_C_UNARY

#define BELAY_C_SCALAR(name, op, cce)                                       \
  template <typename T>                                                     \
  BELAY_API void name(__ubuf__ T* dst, __ubuf__ T* src, T value,            \
                      uint32_t count) {                                     \
    belay::api::IssueUnary(belay::abi::Op::op, belay::api::InUb(dst, 1, 8), \
                           belay::api::InUb(src, 1, 8),                     \
                           belay::api::FirstLanes(count),                   \
                           belay::api::BitsOf(value));                      \
  }                                                                         \
  template <typename T>                                                     \
  BELAY_API void name(__ubuf__ T* dst, __ubuf__ T* src, T value,            \
                      int64_t repeat, int64_t dst_block_stride,             \
                      int64_t src_block_stride, int64_t dst_repeat_stride,  \
                      int64_t src_repeat_stride) {                          \
    cce(dst, src, value, repeat, dst_block_stride, src_block_stride,        \
        dst_repeat_stride, src_repeat_stride);                              \
  }                                                                         \
  template <typename T>                                                     \
  BELAY_API void name##_sync(__ubuf__ T* dst, __ubuf__ T* src, T value,     \
                             uint32_t count) {                              \
    name(dst, src, value, count);                                           \
    asc_sync();                                                             \
  }
BELAY_C_SCALAR(asc_add_scalar, kAdds, vadds)
BELAY_C_SCALAR(asc_axpy, kAxpy, vaxpy)
BELAY_C_SCALAR(asc_leakyrelu, kLeakyRelu, vlrelu)
BELAY_C_SCALAR(asc_max_scalar, kMaxs, vmaxs)
BELAY_C_SCALAR(asc_min_scalar, kMins, vmins)
BELAY_C_SCALAR(asc_mul_scalar, kMuls, vmuls)
#undef BELAY_C_SCALAR

template <typename T>
BELAY_API void asc_duplicate(__ubuf__ T* dst, T src, uint32_t count) {
  belay::abi::Instruction record = belay::api::Record(
      belay::abi::Op::kDuplicate, belay::api::FirstLanes(count));
  record.scalar = belay::api::BitsOf(src);
  record.dst = belay::api::InUb(dst, 1, 8);
  belay_issue(&record);
}
template <typename T>
BELAY_API void asc_duplicate(__ubuf__ T* dst, T src, int64_t repeat,
                             int64_t dst_block_stride,
                             int64_t dst_repeat_stride) {
  vector_dup(dst, src, repeat, dst_block_stride, 1, dst_repeat_stride, 0);
}
template <typename T>
BELAY_API void asc_duplicate_sync(__ubuf__ T* dst, T src, uint32_t count) {
  asc_duplicate(dst, src, count);
  asc_sync();
}

template <typename T>
BELAY_API void asc_brcb(__ubuf__ T* dst, __ubuf__ T* src,
                        int64_t dst_block_stride, int64_t dst_repeat_stride,
                        int64_t repeat) {
  vbrcb(dst, src, dst_block_stride, dst_repeat_stride, repeat);
}

// Each repeat, block or pair to one; by count, in counter mode.
#define BELAY_C_REDUCE(name, cce)                                          \
  template <typename T>                                                    \
  BELAY_API void name(__ubuf__ T* dst, __ubuf__ T* src, int64_t repeat,    \
                      int64_t dst_repeat_stride, int64_t src_block_stride, \
                      int64_t src_repeat_stride) {                         \
    cce(dst, src, repeat, dst_repeat_stride, src_block_stride,             \
        src_repeat_stride);                                                \
  }                                                                        \
  template <typename T>                                                    \
  BELAY_API void name(__ubuf__ T* dst, __ubuf__ T* src, uint32_t count) {  \
    set_mask_count();                                                      \
    AscendC::SetVectorMask<T, AscendC::MaskMode::COUNTER>(                 \
        static_cast<int32_t>(count));                                      \
    cce(dst, src, 1, 1, 1, 8);                                             \
    set_mask_norm();                                                       \
    AscendC::ResetMask();                                                  \
  }                                                                        \
  template <typename T>                                                    \
  BELAY_API void name##_sync(__ubuf__ T* dst, __ubuf__ T* src,             \
                             uint32_t count) {                             \
    name(dst, src, count);                                                 \
    asc_sync();                                                            \
  }
BELAY_C_REDUCE(asc_datablock_reduce_max, vcgmax)
BELAY_C_REDUCE(asc_datablock_reduce_min, vcgmin)
BELAY_C_REDUCE(asc_datablock_reduce_sum, vcgadd)
BELAY_C_REDUCE(asc_pair_reduce_sum, vcpadd)
BELAY_C_REDUCE(asc_repeat_reduce_sum, vcadd)
#undef BELAY_C_REDUCE

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_C_API_H_
