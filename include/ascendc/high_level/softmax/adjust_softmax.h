// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_ADJUST_SOFTMAX_H_
#define BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_ADJUST_SOFTMAX_H_

// AdjustSoftMaxRes: fills the rows whose max has given bits.

#include "ascendc/high_level/softmax/softmax_rows.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

// `from` holds the bits of a max, of which a half has the lower 16. Returns
// whether any row was filled.
template <typename T1, typename T2, bool isDataFormatNZ = false,
          uint8_t stepSizeMode = 0>
BELAY_API bool AdjustSoftMaxRes(const LocalTensor<T1>& softMaxRes,
                                const LocalTensor<T2>& maxTensor,
                                const uint32_t from, const T1 to,
                                const SoftMaxShapeInfo& softmaxShapeInfo) {
  if (ASCEND_IS_AIC) return false;
  namespace api = belay::api;
  static_assert(api::SoftmaxTypes<T1>::kAreTaken &&
                api::SoftmaxTypes<T2>::kAreTaken);
  using Bits = std::conditional_t<sizeof(T2) == 2, uint16_t, uint32_t>;
  constexpr uint32_t kStep = stepSizeMode == 0 ? 32 / sizeof(T2) : 1;
  const LocalTensor<Bits> bits = maxTensor.template ReinterpretCast<Bits>();
  const uint32_t rows = softmaxShapeInfo.srcM;
  const uint32_t width = softmaxShapeInfo.srcK;
  bool is_found = false;
  PipeBarrier<PIPE_ALL>();  // the scalar unit reads what vectors wrote
  for (uint32_t row = 0; row < rows; ++row) {
    if (bits.GetValue(row * kStep) != static_cast<Bits>(from)) continue;
    is_found = true;
    if constexpr (isDataFormatNZ) {
      for (uint32_t at = 0; at < width; at += api::kFractalWidth) {
        Duplicate(softMaxRes[at * rows + row * api::kFractalWidth], to,
                  api::kFractalWidth);
      }
    } else {
      Duplicate(softMaxRes[row * width], to, width);
    }
  }
  PipeBarrier<PIPE_ALL>();
  return is_found;
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_ADJUST_SOFTMAX_H_
