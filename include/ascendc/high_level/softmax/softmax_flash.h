// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_SOFTMAX_FLASH_H_
#define BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_SOFTMAX_FLASH_H_

// Softmax of rows that come in parts: each call takes the max and sum of the
// parts before and brings them up to date. SoftmaxFlash divides by the sum so
// far, SoftmaxFlashV2 leaves that to the end.

#include "ascendc/high_level/softmax/softmax_rows.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// What a call takes and gives beside the data: a value a row each.
template <typename T, typename U>
struct FlashValues {
  View<U> sum;
  View<U> max;
  View<T> exp_max;
  View<U> sum_before;
  View<U> max_before;
};

// The max of the part alone goes to `part_max` where `isPartMaxKept`.
template <bool isUpdate, bool isDivided, bool isNz, bool isSpread,
          bool isPartMaxKept, typename T, typename U>
BELAY_API void FlashOfRows(Temporary temporary, const View<T>& dst,
                           const View<T>& src, const FlashValues<T, U>& outside,
                           const View<T>& part_max, const SoftmaxShape& shape) {
  if (ASCEND_IS_AIC) return;
  static_assert(SoftmaxTypes<T, U>::kAreTaken);
  using Chunks = RowChunks<T, isNz>;
  Chunks chunks(temporary, shape.rows, shape.width, shape.columns,
                Chunks::Copies(kSoftmaxMatrices));
  const Floats max = chunks.Values(0);
  const Floats sum = chunks.Values(1);
  const Floats ratio = chunks.Values(2);
  const Floats carried = chunks.Values(3);
  while (chunks.Next()) {
    const Floats source = chunks.Load(src, 0);
    const Floats result = chunks.Target(dst, 0);
    chunks.template Reduce<MaxOfRow>(max, source);
    if constexpr (isUpdate) {
      if constexpr (isPartMaxKept) {
        chunks.template Put<isSpread>(part_max, max);
      }
      chunks.template Get<isSpread>(ratio, outside.max_before);
      chunks.template Get<isSpread>(carried, outside.sum_before);
      Combine<Op::kMax>(chunks, max, max, ratio);
      Combine<Op::kSub>(chunks, ratio, ratio, max);
      Each<Op::kExp>(ratio, ratio, chunks.count());
      Combine<Op::kMul>(chunks, carried, carried, ratio);
    }
    chunks.template Put<isSpread>(outside.max, max);
    ExpOfDifference(chunks, result, source, max);
    chunks.template Reduce<SumOfRow>(sum, result);
    if constexpr (isUpdate) {
      Combine<Op::kAdd>(chunks, sum, sum, carried);
      if constexpr (isDivided) {
        Combine<Op::kDiv>(chunks, ratio, carried, sum);
      }
      chunks.template Put<isSpread>(outside.exp_max, ratio);
    }
    chunks.template Put<isSpread>(outside.sum, sum);
    if constexpr (isDivided) {
      chunks.template Apply<Op::kDiv>(result, result, chunks.Spread(sum));
    }
    chunks.Store(dst, result);
  }
}

template <typename T, typename U>
BELAY_API void FlashOfRowsOnce(bool is_update, const Temporary& temporary,
                               const View<T>& dst, const View<T>& src,
                               const FlashValues<T, U>& outside,
                               const SoftmaxShape& shape) {
  if (is_update) {
    FlashOfRows<true, true, false, true, false>(temporary, dst, src, outside,
                                                dst, shape);
  } else {
    FlashOfRows<false, true, false, true, false>(temporary, dst, src, outside,
                                                 dst, shape);
  }
}

}  // namespace belay::api

namespace AscendC {

template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
          typename U = T>
BELAY_API void SoftmaxFlash(
    const LocalTensor<T>& dstTensor, const LocalTensor<U>& sumTensor,
    const LocalTensor<U>& maxTensor, const LocalTensor<T>& srcTensor,
    const LocalTensor<T>& expMaxTensor, const LocalTensor<U>& inSumTensor,
    const LocalTensor<U>& inMaxTensor,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling& tiling,
    bool isUpdate = false, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  const auto shape =
      belay::api::ShapeOf<T, SOFTMAX_DEFAULT_CFG>(softmaxShapeInfo, tiling);
  belay::api::RequireBasicBlock<T, isBasicBlock>("SoftmaxFlash", shape);
  belay::api::FlashOfRowsOnce<T, U>(
      isUpdate, belay::api::Temporary("SoftmaxFlash", sharedTmpBuffer),
      dstTensor, srcTensor,
      {sumTensor, maxTensor, expMaxTensor, inSumTensor, inMaxTensor}, shape);
}
template <typename T, bool isReuseSource = false, bool isBasicBlock = false,
          typename U = T>
BELAY_API void SoftmaxFlash(
    const LocalTensor<T>& dstTensor, const LocalTensor<U>& sumTensor,
    const LocalTensor<U>& maxTensor, const LocalTensor<T>& srcTensor,
    const LocalTensor<T>& expMaxTensor, const LocalTensor<U>& inSumTensor,
    const LocalTensor<U>& inMaxTensor, const SoftMaxTiling& tiling,
    bool isUpdate = false, const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  const auto shape =
      belay::api::ShapeOf<T, SOFTMAX_DEFAULT_CFG>(softmaxShapeInfo, tiling);
  belay::api::RequireBasicBlock<T, isBasicBlock>("SoftmaxFlash", shape);
  belay::api::FlashOfRowsOnce<T, U>(
      isUpdate, belay::api::Temporary("SoftmaxFlash"), dstTensor, srcTensor,
      {sumTensor, maxTensor, expMaxTensor, inSumTensor, inMaxTensor}, shape);
}

#define BELAY_FLASH_V2_TEMPLATE                                            \
  template <typename T, bool isUpdate = false, bool isReuseSource = false, \
            bool isBasicBlock = false, bool isDataFormatNZ = false,        \
            const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG, typename U = T>
#define BELAY_FLASH_V2(is_part_max_kept, part_max, ...)                        \
  constexpr bool kIsSpread = config.mode == SoftmaxMode::SOFTMAX_NORMAL;       \
  static_assert(kIsSpread || !isDataFormatNZ,                                  \
                "SoftmaxFlashV2 writes [m, 1] only in the ND format");         \
  const auto shape = belay::api::ShapeOf<T, config>(softmaxShapeInfo, tiling); \
  belay::api::RequireBasicBlock<T, isBasicBlock && config.oriSrcM == 0>(       \
      "SoftmaxFlashV2", shape);                                                \
  belay::api::FlashOfRows<isUpdate, false, isDataFormatNZ, kIsSpread,          \
                          is_part_max_kept, T, U>(                             \
      belay::api::Temporary(__VA_ARGS__), dstTensor, srcTensor,                \
      {expSumTensor, maxTensor, expMaxTensor, inExpSumTensor, inMaxTensor},    \
      part_max, shape);

BELAY_FLASH_V2_TEMPLATE
BELAY_API void SoftmaxFlashV2(
    const LocalTensor<T>& dstTensor, const LocalTensor<U>& expSumTensor,
    const LocalTensor<U>& maxTensor, const LocalTensor<T>& srcTensor,
    const LocalTensor<T>& expMaxTensor, const LocalTensor<U>& inExpSumTensor,
    const LocalTensor<U>& inMaxTensor,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling& tiling,
    const SoftMaxShapeInfo& softmaxShapeInfo = {}){
    BELAY_FLASH_V2(false, dstTensor, "SoftmaxFlashV2",
                   sharedTmpBuffer)} BELAY_FLASH_V2_TEMPLATE BELAY_API
    void SoftmaxFlashV2(const LocalTensor<T>& dstTensor,
                        const LocalTensor<U>& expSumTensor,
                        const LocalTensor<U>& maxTensor,
                        const LocalTensor<T>& srcTensor,
                        const LocalTensor<T>& expMaxTensor,
                        const LocalTensor<U>& inExpSumTensor,
                        const LocalTensor<U>& inMaxTensor,
                        const SoftMaxTiling& tiling,
                        const SoftMaxShapeInfo& softmaxShapeInfo = {}){
        BELAY_FLASH_V2(false, dstTensor, "SoftmaxFlashV2")}
// With the max of the part alone in outReduceMax when there is an update. In
// the mode that spreads values these do nothing, as on the card.
#define BELAY_FLASH_V2_PART_MAX                                            \
  template <typename T, bool isUpdate = false, bool isReuseSource = false, \
            bool isBasicBlock = false, bool isDataFormatNZ = false,        \
            const SoftmaxConfig& config = SOFTMAX_DEFAULT_CFG>
BELAY_FLASH_V2_PART_MAX BELAY_API void SoftmaxFlashV2(
    const LocalTensor<T>& dstTensor, const LocalTensor<T>& outReduceMax,
    const LocalTensor<T>& expSumTensor, const LocalTensor<T>& maxTensor,
    const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,
    const LocalTensor<T>& inExpSumTensor, const LocalTensor<T>& inMaxTensor,
    const LocalTensor<uint8_t>& sharedTmpBuffer, const SoftMaxTiling& tiling,
    const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  if constexpr (config.mode == SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC) {
    using U = T;
    BELAY_FLASH_V2(true, outReduceMax, "SoftmaxFlashV2", sharedTmpBuffer)
  }
}
BELAY_FLASH_V2_PART_MAX
BELAY_API void SoftmaxFlashV2(
    const LocalTensor<T>& dstTensor, const LocalTensor<T>& outReduceMax,
    const LocalTensor<T>& expSumTensor, const LocalTensor<T>& maxTensor,
    const LocalTensor<T>& srcTensor, const LocalTensor<T>& expMaxTensor,
    const LocalTensor<T>& inExpSumTensor, const LocalTensor<T>& inMaxTensor,
    const SoftMaxTiling& tiling,
    const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  if constexpr (config.mode == SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC) {
    using U = T;
    BELAY_FLASH_V2(true, outReduceMax, "SoftmaxFlashV2")
  }
}
#undef BELAY_FLASH_V2_PART_MAX
#undef BELAY_FLASH_V2
#undef BELAY_FLASH_V2_TEMPLATE

// The tiling of SoftmaxFlashV2 for a shape that only the kernel knows.
BELAY_API constexpr SoftMaxTiling SoftMaxFlashV2TilingFunc(
    const SoftMaxShapeInfo& shapeInfo, const uint32_t /*dataTypeSize1*/,
    const uint32_t dataTypeSize2, const uint32_t localWorkSpaceSize,
    const bool /*isUpdate*/ = false, const bool /*isBasicBlock*/ = false,
    const bool /*isDataFormatNZ*/ = false,
    const bool /*isFlashOutputBrc*/ = false) {
  return belay::api::SplitRows<SoftMaxTiling>(
      shapeInfo.srcM, shapeInfo.srcK, dataTypeSize2, localWorkSpaceSize,
      belay::api::SpaceOfRows(shapeInfo.srcK, belay::api::kSoftmaxMatrices));
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_SOFTMAX_FLASH_H_
