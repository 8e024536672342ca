// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_INDEX_ARANGE_H_
#define BELAY_ASCENDC_HIGH_LEVEL_INDEX_ARANGE_H_

// Arange: firstValue, firstValue + diffValue, … The first block is written
// element by element, the rest by adding multiples of the difference to it.

#include "ascendc/high_level/temporary.h"
#include "ascendc/sync.h"
#include "ascendc/system.h"
#include "ascendc/takes.h"
#include "ascendc/vector_scalar.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// diff·steps in the type of the elements.
template <typename T>
BELAY_API T Steps(T diff, uint32_t steps) {
  if constexpr (kDTypeOf<T> == DType::kHalf) {
    return static_cast<T>(static_cast<float>(diff) * static_cast<float>(steps));
  } else {
    return static_cast<T>(diff * static_cast<T>(steps));
  }
}

// Extends dst from `from` elements to at most `to`, in steps of `from`.
template <typename T>
BELAY_API void ExtendArange(const AscendC::LocalTensor<T>& dst, T diff,
                            uint32_t from, uint32_t to) {
  for (uint32_t at = from; at < to; at += from) {
    const int64_t now = to - at < from ? to - at : from;
    AscendC::Adds(dst[at], dst, Steps(diff, at), now);
  }
  AscendC::PipeBarrier<PIPE_V>();
}

}  // namespace belay::api

namespace AscendC {

template <typename T>
BELAY_API void Arange(const LocalTensor<T>& dst, const T firstValue,
                      const T diffValue, const int32_t count) {
  BELAY_TAKES(PrimT<T>, "Arange", BELAY_ARITHMETIC)
  if (ASCEND_IS_AIC) return;
  belay::api::RequireArgument(count > 0, "Arange", "count must be positive",
                              count);
  constexpr uint32_t kBlock = 32 / sizeof(PrimT<T>);
  const uint32_t total = static_cast<uint32_t>(count);
  const uint32_t by_hand = total < kBlock ? total : kBlock;
  const uint32_t repeat = total < 8 * kBlock ? total : 8 * kBlock;
  PipeBarrier<PIPE_ALL>();
  for (uint32_t i = 0; i < by_hand; ++i) {
    dst.SetValue(i,
                 static_cast<T>(firstValue + belay::api::Steps(diffValue, i)));
  }
  PipeBarrier<PIPE_ALL>();
  belay::api::ExtendArange(dst, diffValue, kBlock, repeat);
  belay::api::ExtendArange(dst, diffValue, 8 * kBlock, total);
}

// The older name.
template <typename T>
BELAY_API void ArithProgression(const LocalTensor<T>& dstLocal,
                                const T firstValue, const T diffValue,
                                const int32_t count) {
  Arange(dstLocal, firstValue, diffValue, count);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_INDEX_ARANGE_H_
