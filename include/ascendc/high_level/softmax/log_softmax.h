// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_LOG_SOFTMAX_H_
#define BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_LOG_SOFTMAX_H_

// LogSoftMax: the decimal logarithm of each row's softmax. It is taken as
// (x - max - ln(sum)) / ln(10), which stays finite where the softmax itself
// underflows.

#include "ascendc/high_level/softmax/softmax_rows.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

template <typename T, bool isReuseSource = false, bool isDataFormatNZ = false>
BELAY_API void LogSoftMax(const LocalTensor<T>& dst, const LocalTensor<T>& sum,
                          const LocalTensor<T>& max, const LocalTensor<T>& src,
                          const LocalTensor<uint8_t>& sharedTmpBuffer,
                          const LogSoftMaxTiling& tiling,
                          const SoftMaxShapeInfo& softmaxShapeInfo = {}) {
  if (ASCEND_IS_AIC) return;
  namespace api = belay::api;
  constexpr float kLogE = 0.43429448190325183f;
  static_assert(api::SoftmaxTypes<T>::kAreTaken);
  const auto shape =
      api::ShapeOf<T, SOFTMAX_DEFAULT_CFG>(softmaxShapeInfo, tiling);
  api::Temporary temporary("LogSoftMax", sharedTmpBuffer);
  using Chunks = api::RowChunks<T, isDataFormatNZ>;
  Chunks chunks(temporary, shape.rows, shape.width, shape.columns,
                Chunks::Copies(api::kSoftmaxMatrices));
  const api::Floats greatest = chunks.Values(0);
  const api::Floats total = chunks.Values(1);
  while (chunks.Next()) {
    const api::Floats source = chunks.Load(src, 0);
    const api::Floats result = chunks.Target(dst, 0);
    chunks.template Reduce<api::MaxOfRow>(greatest, source);
    chunks.template Put<true>(api::View<T>(max), greatest);
    api::ExpOfDifference(chunks, result, source, greatest);
    chunks.template Reduce<api::SumOfRow>(total, result);
    chunks.template Put<true>(api::View<T>(sum), total);
    api::Each<api::Op::kLn>(total, total, chunks.count());
    chunks.template Apply<api::Op::kSub>(result, chunks.Load(src, 0),
                                         chunks.Spread(greatest));
    chunks.template Apply<api::Op::kSub>(result, result, chunks.Spread(total));
    api::Each<api::Op::kMuls>(result, result, chunks.size(), kLogE);
    chunks.Store(dst, result);
  }
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_LOG_SOFTMAX_H_
