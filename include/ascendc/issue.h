// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_ISSUE_H_
#define BELAY_ASCENDC_ISSUE_H_

// Packs arguments of vector calls into a record and issues it.

#include <stdint.h>

#include "ascendc/params.h"
#include "ascendc/takes.h"
#include "ascendc/tensor.h"
#include "belay/guest_abi.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

using abi::Form;
using abi::Instruction;
using abi::Op;
using abi::Operand;

template <typename T>
BELAY_API uint64_t BitsOf(T value) {
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(value));
  return bits;
}

// Parameters are taken wide and signed; what does not fit 32 bits, or is
// negative, becomes the largest value, which no limit admits.
BELAY_API constexpr uint32_t Saturate(int64_t value) {
  return value < 0 || value > int64_t{UINT32_MAX}
             ? UINT32_MAX
             : static_cast<uint32_t>(value);
}

// The lanes of a call, as its mask and repeat arguments say.
struct Lanes {
  Form form;
  uint32_t repeat;
  uint64_t count;
  uint64_t mask[2];
};

template <bool isSetMask = true>
BELAY_API Lanes FirstLanes(int64_t count) {
  if constexpr (isSetMask) {
    return {Form::kCount, 1, static_cast<uint64_t>(count), {0, 0}};
  } else {
    return {Form::kRegister, 1, 0, {0, 0}};
  }
}

template <bool isSetMask>
BELAY_API Lanes MaskedLanes(uint64_t mask, int64_t repeat) {
  if constexpr (isSetMask) {
    return {Form::kContinuous, Saturate(repeat), mask, {0, 0}};
  } else {
    return {Form::kRegister, Saturate(repeat), 0, {0, 0}};
  }
}

// `bits` is the width of the widest element: wide elements have at most 64
// lanes and the mask then one word.
template <bool isSetMask, uint32_t bits>
BELAY_API Lanes MaskedLanes(const uint64_t mask[], int64_t repeat) {
  if constexpr (!isSetMask) {
    return {Form::kRegister, Saturate(repeat), 0, {0, 0}};
  } else if constexpr (bits >= 32) {
    return {Form::kBitwise, Saturate(repeat), 0, {mask[0], 0}};
  } else {
    return {Form::kBitwise, Saturate(repeat), 0, {mask[0], mask[1]}};
  }
}

template <typename T, typename... Others>
inline constexpr uint32_t kWidest = kBitsOf<T>;
template <typename T, typename U, typename... Others>
inline constexpr uint32_t kWidest<T, U, Others...> =
    kBitsOf<T> > kWidest<U, Others...> ? kBitsOf<T> : kWidest<U, Others...>;

// Blocks between repeats of T when they follow each other without a gap and
// the widest element of the instruction has `widest` bits.
template <typename T, uint32_t widest>
inline constexpr uint32_t kDense = 8 * kBitsOf<T> / widest;

template <typename T>
BELAY_API Operand OperandOf(const AscendC::LocalTensor<T>& tensor,
                            uint32_t block_stride, uint32_t repeat_stride) {
  return {tensor.GetPhyAddr(),
          block_stride,
          repeat_stride,
          kDTypeOf<AscendC::PrimT<T>>,
          tensor.GetMemory(),
          false,
          0,
          tensor.BufferStart(),
          tensor.BufferBytes()};
}
template <uint32_t widest, typename T>
BELAY_API Operand DenseOperand(const AscendC::LocalTensor<T>& tensor) {
  return OperandOf(tensor, 1, kDense<AscendC::PrimT<T>, widest>);
}
template <typename T>
BELAY_API Operand OperandOf(const AscendC::GlobalTensor<T>& tensor) {
  return {reinterpret_cast<uint64_t>(tensor.GetPhyAddr()),
          1,
          8,
          kDTypeOf<AscendC::PrimT<T>>,
          abi::Memory::kGm,
          false,
          tensor.PastL2(),
          tensor.BufferStart(),
          tensor.BufferBytes()};
}

BELAY_API Instruction Record(Op op, const Lanes& lanes) {
  Instruction record{};
  record.op = op;
  record.form = lanes.form;
  record.repeat = lanes.repeat;
  record.count = lanes.count;
  record.mask[0] = lanes.mask[0];
  record.mask[1] = lanes.mask[1];
  return record;
}

// dst = f(src [, scalar]) with `mode`.
BELAY_API void IssueUnary(Op op, const Operand& dst, const Operand& src,
                          const Lanes& lanes, uint64_t scalar = 0,
                          uint8_t mode = 0) {
  Instruction record = Record(op, lanes);
  record.mode = mode;
  record.scalar = scalar;
  record.dst = dst;
  record.src0 = src;
  belay_issue(&record);
}

// dst = f(src0, src1) with `mode`.
BELAY_API void IssueBinary(Op op, const Operand& dst, const Operand& src0,
                           const Operand& src1, const Lanes& lanes,
                           uint8_t mode = 0) {
  Instruction record = Record(op, lanes);
  record.mode = mode;
  record.dst = dst;
  record.src0 = src0;
  record.src1 = src1;
  belay_issue(&record);
}

template <typename T>
BELAY_API Operand DstOf(const AscendC::LocalTensor<T>& tensor,
                        const AscendC::UnaryRepeatParams& params) {
  return OperandOf(tensor, params.dstBlkStride.Saturated(),
                   params.dstRepStride.Saturated());
}
template <typename T>
BELAY_API Operand SrcOf(const AscendC::LocalTensor<T>& tensor,
                        const AscendC::UnaryRepeatParams& params) {
  return OperandOf(tensor, params.srcBlkStride.Saturated(),
                   params.srcRepStride.Saturated());
}
template <typename T>
BELAY_API Operand DstOf(const AscendC::LocalTensor<T>& tensor,
                        const AscendC::BinaryRepeatParams& params) {
  return OperandOf(tensor, params.dstBlkStride.Saturated(),
                   params.dstRepStride.Saturated());
}
template <typename T>
BELAY_API Operand Src0Of(const AscendC::LocalTensor<T>& tensor,
                         const AscendC::BinaryRepeatParams& params) {
  return OperandOf(tensor, params.src0BlkStride.Saturated(),
                   params.src0RepStride.Saturated());
}
template <typename T>
BELAY_API Operand Src1Of(const AscendC::LocalTensor<T>& tensor,
                         const AscendC::BinaryRepeatParams& params) {
  return OperandOf(tensor, params.src1BlkStride.Saturated(),
                   params.src1RepStride.Saturated());
}

}  // namespace belay::api

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_ISSUE_H_
