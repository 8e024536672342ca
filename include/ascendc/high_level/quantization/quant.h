// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_QUANTIZATION_QUANT_H_
#define BELAY_ASCENDC_HIGH_LEVEL_QUANTIZATION_QUANT_H_

// AscendQuant: int8 = round(x · scale + offset), in half throughout, as the
// documents describe: float inputs, scales and offsets are rounded to half
// first. Ties go to even, results saturate.

#include "ascendc/high_level/rows.h"
#include "ascendc/high_level/temporary.h"
#include "ascendc/vector_scalar.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

// Counts that are known when the kernel is compiled; 0: not known.
struct AscendQuantConfig {
  uint32_t calcCount = 0;
  uint32_t offsetCount = 0;
  uint32_t scaleCount = 0;
  uint32_t workLocalSize = 0;
};
inline constexpr AscendQuantConfig ASCEND_QUANT_DEFAULT_CFG = {0, 0, 0, 0};

}  // namespace AscendC

namespace belay::api {

// Halves that one pass takes from the temporary buffer: all that are left, in
// whole repeats, at most `count`.
BELAY_API uint32_t HalvesAtOnce(const Temporary& temporary, uint32_t count) {
  temporary.Require(256);
  const auto room = static_cast<uint32_t>(temporary.bytes() / 256 * 128);
  return count < room ? count : room;
}

// x as half in `to`; a half is copied by adding nothing to it.
template <typename T>
BELAY_API void ToHalf(const AscendC::LocalTensor<half>& to,
                      const AscendC::LocalTensor<T>& x, uint32_t count) {
  if constexpr (sizeof(T) == 4) {
    AscendC::Cast(to, x, AscendC::RoundMode::CAST_NONE, count);
  } else {
    AscendC::Adds(to, x, static_cast<half>(0.0f), count);
  }
}

template <typename T>
BELAY_API void QuantTensor(const AscendC::LocalTensor<int8_t>& dst,
                           const AscendC::LocalTensor<T>& src,
                           Temporary temporary, float scale, float offset,
                           uint32_t count) {
  BELAY_TAKES(T, "AscendQuant", BELAY_HALF_FLOAT)
  const uint32_t most = HalvesAtOnce(temporary, count);
  const AscendC::LocalTensor<half> work = temporary.Take<half>(most);
  for (uint32_t done = 0; done < count; done += most) {
    const uint32_t now = count - done < most ? count - done : most;
    if constexpr (sizeof(T) == 4) {
      AscendC::Cast(work, src[done], AscendC::RoundMode::CAST_NONE, now);
      AscendC::PipeBarrier<PIPE_V>();
      AscendC::Muls(work, work, static_cast<half>(scale), now);
    } else {
      AscendC::Muls(work, src[done], static_cast<half>(scale), now);
    }
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Adds(work, work, static_cast<half>(offset), now);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Cast(dst[done], work, AscendC::RoundMode::CAST_RINT, now);
    AscendC::PipeBarrier<PIPE_V>();
  }
}

// `scale` and `offset` lie in half already; `add` is the one offset where
// `offset` is empty.
template <typename T>
BELAY_API void QuantRows(const AscendC::LocalTensor<int8_t>& dst,
                         const AscendC::LocalTensor<T>& src,
                         Temporary temporary,
                         const AscendC::LocalTensor<half>& scale,
                         const AscendC::LocalTensor<half>* offset, half add,
                         uint32_t width, uint32_t count) {
  const uint32_t most = HalvesAtOnce(temporary, count);
  const AscendC::LocalTensor<half> work = temporary.Take<half>(most);
  const uint32_t columns = width < most ? width : most / 32 * 32;
  const uint32_t rows_at_once = most / columns;
  for (uint32_t column = 0; column < width; column += columns) {
    const uint32_t wide = width - column < columns ? width - column : columns;
    const uint32_t rows_now = wide == width ? rows_at_once : 1;
    for (uint32_t row = 0; row * width < count; row += rows_now) {
      const uint32_t left = count / width - row;
      const uint32_t rows = left < rows_now ? left : rows_now;
      const uint32_t at = row * width + column;
      ToHalf(work, src[at], rows * wide);
      AscendC::PipeBarrier<PIPE_V>();
      WithRow<TimesRow>(work, scale[column], rows, wide, wide);
      AscendC::PipeBarrier<PIPE_V>();
      if (offset != nullptr) {
        WithRow<PlusRow>(work, (*offset)[column], rows, wide, wide);
      } else {
        AscendC::Adds(work, work, add, rows * wide);
      }
      AscendC::PipeBarrier<PIPE_V>();
      AscendC::Cast(dst[at], work, AscendC::RoundMode::CAST_RINT, rows * wide);
      AscendC::PipeBarrier<PIPE_V>();
    }
  }
}

template <typename T>
BELAY_API void QuantChannels(const AscendC::LocalTensor<int8_t>& dst,
                             const AscendC::LocalTensor<T>& src,
                             Temporary temporary,
                             const AscendC::LocalTensor<T>& scale,
                             const AscendC::LocalTensor<T>* offset, T add,
                             uint32_t width, uint32_t count) {
  BELAY_TAKES(T, "AscendQuant", BELAY_HALF_FLOAT)
  if (count == 0) return;
  RequireArgument(width > 0 && width % 32 == 0, "AscendQuant",
                  "scaleCount must be a multiple of 32", width);
  RequireArgument(count % width == 0, "AscendQuant",
                  "calCount must be a multiple of scaleCount", count);
  if constexpr (sizeof(T) == 4) {
    const AscendC::LocalTensor<half> scales = temporary.Take<half>(width);
    AscendC::Cast(scales, scale, AscendC::RoundMode::CAST_NONE, width);
    AscendC::LocalTensor<half> offsets;
    if (offset != nullptr) {
      offsets = temporary.Take<half>(width);
      AscendC::Cast(offsets, *offset, AscendC::RoundMode::CAST_NONE, width);
    }
    AscendC::PipeBarrier<PIPE_V>();
    QuantRows(dst, src, temporary, scales,
              offset != nullptr ? &offsets : nullptr, static_cast<half>(add),
              width, count);
  } else {
    QuantRows(dst, src, temporary, scale, offset, add, width, count);
  }
}

}  // namespace belay::api

namespace AscendC {

#define BELAY_QUANT_TEMPLATE                        \
  template <typename T, bool isReuseSource = false, \
            const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG>
#define BELAY_QUANT_TEMPORARY \
  belay::api::Temporary("AscendQuant", sharedTmpBuffer)
#define BELAY_QUANT_STACK belay::api::Temporary("AscendQuant")

// One scale and one offset for all.
BELAY_QUANT_TEMPLATE
BELAY_API void AscendQuant(const LocalTensor<int8_t>& dstTensor,
                           const LocalTensor<T>& srcTensor,
                           const LocalTensor<uint8_t>& sharedTmpBuffer,
                           const float scale, const float offset,
                           const uint32_t calCount) {
  belay::api::QuantTensor(dstTensor, srcTensor, BELAY_QUANT_TEMPORARY, scale,
                          offset, calCount);
}
BELAY_QUANT_TEMPLATE
BELAY_API void AscendQuant(const LocalTensor<int8_t>& dstTensor,
                           const LocalTensor<T>& srcTensor,
                           const LocalTensor<uint8_t>& sharedTmpBuffer,
                           const float scale, const float offset) {
  belay::api::QuantTensor(dstTensor, srcTensor, BELAY_QUANT_TEMPORARY, scale,
                          offset, srcTensor.GetSize());
}
BELAY_QUANT_TEMPLATE
BELAY_API void AscendQuant(const LocalTensor<int8_t>& dstTensor,
                           const LocalTensor<T>& srcTensor, const float scale,
                           const float offset, const uint32_t calCount) {
  belay::api::QuantTensor(dstTensor, srcTensor, BELAY_QUANT_STACK, scale,
                          offset, calCount);
}
BELAY_QUANT_TEMPLATE
BELAY_API void AscendQuant(const LocalTensor<int8_t>& dstTensor,
                           const LocalTensor<T>& srcTensor, const float scale,
                           const float offset) {
  belay::api::QuantTensor(dstTensor, srcTensor, BELAY_QUANT_STACK, scale,
                          offset, srcTensor.GetSize());
}

// A scale for each column of rows of scaleCount elements, one offset.
BELAY_QUANT_TEMPLATE
BELAY_API void AscendQuant(const LocalTensor<int8_t>& dstTensor,
                           const LocalTensor<T>& srcTensor,
                           const LocalTensor<uint8_t>& sharedTmpBuffer,
                           const LocalTensor<T>& scaleTensor, const T offset,
                           const uint32_t scaleCount, const uint32_t calCount) {
  belay::api::QuantChannels<T>(dstTensor, srcTensor, BELAY_QUANT_TEMPORARY,
                               scaleTensor, nullptr, offset, scaleCount,
                               calCount);
}
BELAY_QUANT_TEMPLATE
BELAY_API void AscendQuant(const LocalTensor<int8_t>& dstTensor,
                           const LocalTensor<T>& srcTensor,
                           const LocalTensor<uint8_t>& sharedTmpBuffer,
                           const LocalTensor<T>& scaleTensor, const T offset) {
  belay::api::QuantChannels<T>(dstTensor, srcTensor, BELAY_QUANT_TEMPORARY,
                               scaleTensor, nullptr, offset,
                               scaleTensor.GetSize(), srcTensor.GetSize());
}
BELAY_QUANT_TEMPLATE
BELAY_API void AscendQuant(const LocalTensor<int8_t>& dstTensor,
                           const LocalTensor<T>& srcTensor,
                           const LocalTensor<T>& scaleTensor, const T offset,
                           const uint32_t scaleCount, const uint32_t calCount) {
  belay::api::QuantChannels<T>(dstTensor, srcTensor, BELAY_QUANT_STACK,
                               scaleTensor, nullptr, offset, scaleCount,
                               calCount);
}
BELAY_QUANT_TEMPLATE
BELAY_API void AscendQuant(const LocalTensor<int8_t>& dstTensor,
                           const LocalTensor<T>& srcTensor,
                           const LocalTensor<T>& scaleTensor, const T offset) {
  belay::api::QuantChannels<T>(dstTensor, srcTensor, BELAY_QUANT_STACK,
                               scaleTensor, nullptr, offset,
                               scaleTensor.GetSize(), srcTensor.GetSize());
}

// A scale and an offset for each column; offsetCount must be scaleCount.
BELAY_QUANT_TEMPLATE
BELAY_API void AscendQuant(const LocalTensor<int8_t>& dstTensor,
                           const LocalTensor<T>& srcTensor,
                           const LocalTensor<uint8_t>& sharedTmpBuffer,
                           const LocalTensor<T>& scaleTensor,
                           const LocalTensor<T>& offsetTensor,
                           const uint32_t scaleCount,
                           const uint32_t offsetCount,
                           const uint32_t calCount) {
  belay::api::RequireArgument(offsetCount == scaleCount, "AscendQuant",
                              "offsetCount must equal scaleCount", offsetCount);
  belay::api::QuantChannels<T>(dstTensor, srcTensor, BELAY_QUANT_TEMPORARY,
                               scaleTensor, &offsetTensor, T{}, scaleCount,
                               calCount);
}
BELAY_QUANT_TEMPLATE
BELAY_API void AscendQuant(const LocalTensor<int8_t>& dstTensor,
                           const LocalTensor<T>& srcTensor,
                           const LocalTensor<uint8_t>& sharedTmpBuffer,
                           const LocalTensor<T>& scaleTensor,
                           const LocalTensor<T>& offsetTensor) {
  belay::api::QuantChannels<T>(dstTensor, srcTensor, BELAY_QUANT_TEMPORARY,
                               scaleTensor, &offsetTensor, T{},
                               scaleTensor.GetSize(), srcTensor.GetSize());
}
BELAY_QUANT_TEMPLATE
BELAY_API void AscendQuant(const LocalTensor<int8_t>& dstTensor,
                           const LocalTensor<T>& srcTensor,
                           const LocalTensor<T>& scaleTensor,
                           const LocalTensor<T>& offsetTensor,
                           const uint32_t scaleCount,
                           const uint32_t offsetCount,
                           const uint32_t calCount) {
  belay::api::RequireArgument(offsetCount == scaleCount, "AscendQuant",
                              "offsetCount must equal scaleCount", offsetCount);
  belay::api::QuantChannels<T>(dstTensor, srcTensor, BELAY_QUANT_STACK,
                               scaleTensor, &offsetTensor, T{}, scaleCount,
                               calCount);
}
BELAY_QUANT_TEMPLATE
BELAY_API void AscendQuant(const LocalTensor<int8_t>& dstTensor,
                           const LocalTensor<T>& srcTensor,
                           const LocalTensor<T>& scaleTensor,
                           const LocalTensor<T>& offsetTensor) {
  belay::api::QuantChannels<T>(dstTensor, srcTensor, BELAY_QUANT_STACK,
                               scaleTensor, &offsetTensor, T{},
                               scaleTensor.GetSize(), srcTensor.GetSize());
}

#undef BELAY_QUANT_STACK
#undef BELAY_QUANT_TEMPORARY
#undef BELAY_QUANT_TEMPLATE

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_QUANTIZATION_QUANT_H_
