// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_REDUCE_PARTS_H_
#define BELAY_ASCENDC_REDUCE_PARTS_H_

// Each repeat, block or pair to one result: ReduceRepeat, ReduceDataBlock and
// ReducePairElem, and their older names, which put repeatTime before the mask
// in all but WholeReduce.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

struct PartStrides {
  int64_t dst_repeat;  // in results
  int64_t src_block;
  int64_t src_repeat;
};

template <typename T, typename U>
BELAY_API void ReduceParts(Op op, const AscendC::LocalTensor<T>& dst,
                           const AscendC::LocalTensor<U>& src,
                           const Lanes& lanes, const PartStrides& strides,
                           AscendC::ReduceOrder order) {
  IssueUnary(
      op, OperandOf(dst, 1, Saturate(strides.dst_repeat)),
      OperandOf(src, Saturate(strides.src_block), Saturate(strides.src_repeat)),
      lanes, 0, static_cast<uint8_t>(order));
}

// `Mask` is a number of lanes or an array of bits.
template <bool isSetMask, uint32_t bits, typename Mask>
BELAY_API Lanes AnyLanes(const Mask& mask, int64_t repeat) {
  if constexpr (std::is_convertible_v<Mask, int64_t>) {
    return MaskedLanes<isSetMask>(static_cast<int32_t>(mask), repeat);
  } else {
    return MaskedLanes<isSetMask, bits>(mask, repeat);
  }
}

BELAY_API constexpr Op RepeatOp(AscendC::ReduceType type) {
  return type == AscendC::ReduceType::SUM   ? Op::kWholeReduceSum
         : type == AscendC::ReduceType::MAX ? Op::kWholeReduceMax
                                            : Op::kWholeReduceMin;
}
BELAY_API constexpr Op BlockOp(AscendC::ReduceType type) {
  return type == AscendC::ReduceType::SUM   ? Op::kBlockReduceSum
         : type == AscendC::ReduceType::MAX ? Op::kBlockReduceMax
                                            : Op::kBlockReduceMin;
}

// A sum has no index.
BELAY_API constexpr AscendC::ReduceOrder OrderOf(AscendC::ReduceType type,
                                                 AscendC::ReduceOrder order) {
  return type == AscendC::ReduceType::SUM
             ? AscendC::ReduceOrder::ORDER_ONLY_VALUE
             : order;
}

}  // namespace belay::api

namespace AscendC {

template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
BELAY_API void ReduceRepeat(
    const LocalTensor<T>& dst, const LocalTensor<U>& src, const uint64_t mask[],
    int64_t repeatTime, int64_t dstRepStride, int64_t srcBlkStride,
    int64_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
  BELAY_TAKES(PrimT<U>, "ReduceRepeat", BELAY_HALF_FLOAT)
  belay::api::ReduceParts(
      belay::api::RepeatOp(reduceType), dst, src,
      belay::api::MaskedLanes<isSetMask, belay::api::kBitsOf<PrimT<U>>>(
          mask, repeatTime),
      {dstRepStride, srcBlkStride, srcRepStride},
      belay::api::OrderOf(reduceType, order));
}
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
BELAY_API void ReduceRepeat(
    const LocalTensor<T>& dst, const LocalTensor<U>& src, int32_t mask,
    int64_t repeatTime, int64_t dstRepStride, int64_t srcBlkStride,
    int64_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
  BELAY_TAKES(PrimT<U>, "ReduceRepeat", BELAY_HALF_FLOAT)
  belay::api::ReduceParts(belay::api::RepeatOp(reduceType), dst, src,
                          belay::api::MaskedLanes<isSetMask>(mask, repeatTime),
                          {dstRepStride, srcBlkStride, srcRepStride},
                          belay::api::OrderOf(reduceType, order));
}

template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
BELAY_API void ReduceDataBlock(const LocalTensor<T>& dst,
                               const LocalTensor<U>& src, const uint64_t mask[],
                               int64_t repeatTime, int64_t dstRepStride,
                               int64_t srcBlkStride, int64_t srcRepStride) {
  BELAY_TAKES(PrimT<U>, "ReduceDataBlock", BELAY_HALF_FLOAT)
  belay::api::ReduceParts(
      belay::api::BlockOp(reduceType), dst, src,
      belay::api::MaskedLanes<isSetMask, belay::api::kBitsOf<PrimT<U>>>(
          mask, repeatTime),
      {dstRepStride, srcBlkStride, srcRepStride},
      ReduceOrder::ORDER_ONLY_VALUE);
}
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
BELAY_API void ReduceDataBlock(const LocalTensor<T>& dst,
                               const LocalTensor<U>& src, int32_t mask,
                               int64_t repeatTime, int64_t dstRepStride,
                               int64_t srcBlkStride, int64_t srcRepStride) {
  BELAY_TAKES(PrimT<U>, "ReduceDataBlock", BELAY_HALF_FLOAT)
  belay::api::ReduceParts(belay::api::BlockOp(reduceType), dst, src,
                          belay::api::MaskedLanes<isSetMask>(mask, repeatTime),
                          {dstRepStride, srcBlkStride, srcRepStride},
                          ReduceOrder::ORDER_ONLY_VALUE);
}

template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
BELAY_API void ReducePairElem(const LocalTensor<T>& dst,
                              const LocalTensor<U>& src, const uint64_t mask[],
                              int64_t repeatTime, int64_t dstRepStride,
                              int64_t srcBlkStride, int64_t srcRepStride) {
  static_assert(reduceType == ReduceType::SUM,
                "AscendC::ReducePairElem: pairs can only be summed");
  BELAY_TAKES(PrimT<U>, "ReducePairElem", BELAY_HALF_FLOAT)
  belay::api::ReduceParts(
      belay::abi::Op::kPairReduceSum, dst, src,
      belay::api::MaskedLanes<isSetMask, belay::api::kBitsOf<PrimT<U>>>(
          mask, repeatTime),
      {dstRepStride, srcBlkStride, srcRepStride},
      ReduceOrder::ORDER_ONLY_VALUE);
}
template <ReduceType reduceType, typename T, typename U, bool isSetMask = true>
BELAY_API void ReducePairElem(const LocalTensor<T>& dst,
                              const LocalTensor<U>& src, int32_t mask,
                              int64_t repeatTime, int64_t dstRepStride,
                              int64_t srcBlkStride, int64_t srcRepStride) {
  static_assert(reduceType == ReduceType::SUM,
                "AscendC::ReducePairElem: pairs can only be summed");
  BELAY_TAKES(PrimT<U>, "ReducePairElem", BELAY_HALF_FLOAT)
  belay::api::ReduceParts(belay::abi::Op::kPairReduceSum, dst, src,
                          belay::api::MaskedLanes<isSetMask>(mask, repeatTime),
                          {dstRepStride, srcBlkStride, srcRepStride},
                          ReduceOrder::ORDER_ONLY_VALUE);
}

template <typename T, bool isSetMask = true, typename Mask>
BELAY_API void WholeReduceSum(const LocalTensor<T>& dst,
                              const LocalTensor<T>& src, const Mask& mask,
                              int64_t repeatTime, int64_t dstRepStride,
                              int64_t srcBlkStride, int64_t srcRepStride) {
  BELAY_TAKES(PrimT<T>, "WholeReduceSum", BELAY_HALF_FLOAT)
  belay::api::ReduceParts(
      belay::abi::Op::kWholeReduceSum, dst, src,
      belay::api::AnyLanes<isSetMask, belay::api::kBitsOf<PrimT<T>>>(
          mask, repeatTime),
      {dstRepStride, srcBlkStride, srcRepStride},
      ReduceOrder::ORDER_ONLY_VALUE);
}

#define BELAY_WHOLE_REDUCE(name)                                            \
  template <typename T, bool isSetMask = true, typename Mask>               \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, \
                      const Mask& mask, int64_t repeatTime,                 \
                      int64_t dstRepStride, int64_t srcBlkStride,           \
                      int64_t srcRepStride,                                 \
                      ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) { \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_FLOAT)                          \
    belay::api::ReduceParts(                                                \
        belay::abi::Op::k##name, dst, src,                                  \
        belay::api::AnyLanes<isSetMask, belay::api::kBitsOf<PrimT<T>>>(     \
            mask, repeatTime),                                              \
        {dstRepStride, srcBlkStride, srcRepStride}, order);                 \
  }
BELAY_WHOLE_REDUCE(WholeReduceMax)
BELAY_WHOLE_REDUCE(WholeReduceMin)
#undef BELAY_WHOLE_REDUCE

#define BELAY_PART_REDUCE(name)                                             \
  template <typename T, bool isSetMask = true, typename Mask>               \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src, \
                      int64_t repeatTime, const Mask& mask,                 \
                      int64_t dstRepStride, int64_t srcBlkStride,           \
                      int64_t srcRepStride) {                               \
    BELAY_TAKES(PrimT<T>, #name, BELAY_HALF_FLOAT)                          \
    belay::api::ReduceParts(                                                \
        belay::abi::Op::k##name, dst, src,                                  \
        belay::api::AnyLanes<isSetMask, belay::api::kBitsOf<PrimT<T>>>(     \
            mask, repeatTime),                                              \
        {dstRepStride, srcBlkStride, srcRepStride},                         \
        ReduceOrder::ORDER_ONLY_VALUE);                                     \
  }
BELAY_PART_REDUCE(BlockReduceSum)
BELAY_PART_REDUCE(BlockReduceMax)
BELAY_PART_REDUCE(BlockReduceMin)
BELAY_PART_REDUCE(PairReduceSum)
#undef BELAY_PART_REDUCE

// dstBlkStride has no effect: a repeat has one result.
template <typename T, bool isSetMask = true, typename Mask>
BELAY_API void RepeatReduceSum(const LocalTensor<T>& dst,
                               const LocalTensor<T>& src, int64_t repeatTime,
                               const Mask& mask, int64_t /*dstBlkStride*/,
                               int64_t srcBlkStride, int64_t dstRepStride,
                               int64_t srcRepStride) {
  BELAY_TAKES(PrimT<T>, "RepeatReduceSum", BELAY_HALF_FLOAT)
  belay::api::ReduceParts(
      belay::abi::Op::kWholeReduceSum, dst, src,
      belay::api::AnyLanes<isSetMask, belay::api::kBitsOf<PrimT<T>>>(
          mask, repeatTime),
      {dstRepStride, srcBlkStride, srcRepStride},
      ReduceOrder::ORDER_ONLY_VALUE);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_REDUCE_PARTS_H_
