// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_QUANTIZATION_DEQUANT_H_
#define BELAY_ASCENDC_HIGH_LEVEL_QUANTIZATION_DEQUANT_H_

// AscendDequant: int32 results of a quantised product times a scale, computed
// in float and rounded once, to nearest even.

#include "ascendc/gather_mask.h"
#include "ascendc/high_level/rows.h"
#include "ascendc/high_level/temporary.h"
#include "ascendc/vector_scalar.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

// m rows of n elements, of which the first calCount are computed.
struct DequantParams {
  uint32_t m;
  uint32_t n;
  uint32_t calCount;
};

// With DEQUANT_WITH_SINGLE_ROW one row of n elements counts as n / calCount
// rows where that divides and calCount fills whole blocks of the result.
enum class DeQuantMode : uint8_t {
  DEQUANT_WITH_SINGLE_ROW,
  DEQUANT_WITH_MULTI_ROW,
};

}  // namespace AscendC

namespace belay::api {

template <typename T>
BELAY_API uint32_t RowLength(uint32_t elements) {
  return static_cast<uint32_t>(BlockBytes(elements, sizeof(T)) / sizeof(T));
}

// Rows of float products at `to`, n elements apart. `row` holds the scales, or
// is null and `factor` the one scale.
BELAY_API void DequantToFloat(const AscendC::LocalTensor<float>& to,
                              const AscendC::LocalTensor<int32_t>& src,
                              const AscendC::LocalTensor<float>* row,
                              float factor, uint32_t rows,
                              const AscendC::DequantParams& shape) {
  CastRows(to, src, rows, shape.calCount, shape.n, shape.n,
           AscendC::RoundMode::CAST_RINT);
  AscendC::PipeBarrier<PIPE_V>();
  if (row != nullptr) {
    WithRow<TimesRow>(to, *row, rows, shape.calCount, shape.n);
  } else {
    AscendC::Muls(to, to, factor, rows * shape.n);
  }
  AscendC::PipeBarrier<PIPE_V>();
}

template <typename To>
BELAY_API void DequantRows(const AscendC::LocalTensor<To>& dst,
                           const AscendC::LocalTensor<int32_t>& src,
                           Temporary temporary,
                           const AscendC::LocalTensor<float>* row, float factor,
                           const AscendC::DequantParams& shape) {
  if constexpr (kDTypeOf<To> == DType::kFloat) {
    DequantToFloat(dst, src, row, factor, shape.m, shape);
  } else {
    const uint32_t to_pitch = RowLength<To>(shape.n);
    const uint32_t row_bytes = shape.n * sizeof(float);
    temporary.Require(row_bytes);
    const auto room = static_cast<uint32_t>(temporary.bytes() / row_bytes);
    const uint32_t most = room < shape.m ? room : shape.m;
    const AscendC::LocalTensor<float> work =
        temporary.Take<float>(most * shape.n);
    for (uint32_t first = 0; first < shape.m; first += most) {
      const uint32_t rows = shape.m - first < most ? shape.m - first : most;
      DequantToFloat(work, src[first * shape.n], row, factor, rows, shape);
      CastRows(dst[first * to_pitch], work, rows, shape.calCount, to_pitch,
               shape.n, AscendC::RoundMode::CAST_RINT);
      AscendC::PipeBarrier<PIPE_V>();
    }
  }
}

template <typename To, AscendC::DeQuantMode mode>
BELAY_API AscendC::DequantParams DequantShape(AscendC::DequantParams shape) {
  RequireArgument(shape.n % 8 == 0, "AscendDequant",
                  "params.n must be a multiple of 8", shape.n);
  RequireArgument(shape.calCount >= 1 && shape.calCount <= shape.n,
                  "AscendDequant", "params.calCount must lie in [1, n]",
                  shape.calCount);
  if constexpr (mode == AscendC::DeQuantMode::DEQUANT_WITH_SINGLE_ROW) {
    if (shape.m == 1 && shape.calCount % (32 / sizeof(To)) == 0 &&
        shape.n % shape.calCount == 0) {
      return {shape.n / shape.calCount, shape.calCount, shape.calCount};
    }
  }
  return shape;
}

template <typename To, typename Scale>
inline constexpr bool kDequantPair =
    (sizeof(To) == 2 && kDTypeOf<To> == DType::kHalf)
        ? kDTypeOf<Scale> == DType::kUint64
        : (kDTypeOf<To> == DType::kFloat || kDTypeOf<To> == DType::kBfloat16) &&
              (kDTypeOf<Scale> == DType::kFloat ||
               kDTypeOf<Scale> == DType::kBfloat16);

// Scales as float: as they are, widened, or the low words of uint64_t.
template <AscendC::DeQuantMode mode, typename To, typename Scale>
BELAY_API void DequantByTensor(const AscendC::LocalTensor<To>& dst,
                               const AscendC::LocalTensor<int32_t>& src,
                               const AscendC::LocalTensor<Scale>& scale,
                               Temporary temporary,
                               const AscendC::DequantParams& params) {
  static_assert(kDequantPair<To, Scale>,
                "AscendC::AscendDequant takes uint64_t scales for half, and "
                "float or bfloat16_t scales for float and bfloat16_t");
  if (params.m == 0) return;
  const AscendC::DequantParams shape = DequantShape<To, mode>(params);
  if constexpr (kDTypeOf<Scale> == DType::kFloat) {
    DequantRows(dst, src, temporary, &scale, 0.0f, shape);
  } else {
    const AscendC::LocalTensor<float> row =
        temporary.Take<float>(shape.calCount);
    if constexpr (kDTypeOf<Scale> == DType::kBfloat16) {
      AscendC::Cast(row, scale, AscendC::RoundMode::CAST_NONE, shape.calCount);
    } else {
      constexpr uint8_t kFirstOfTwo = 1;
      uint64_t kept = 0;
      AscendC::GatherMask(row, scale.template ReinterpretCast<float>(),
                          kFirstOfTwo, true, shape.calCount * 2, {1, 1, 0, 0},
                          kept);
      AscendC::SetMaskNorm();
      AscendC::ResetMask();
    }
    AscendC::PipeBarrier<PIPE_V>();
    DequantRows(dst, src, temporary, &row, 0.0f, shape);
  }
}

template <AscendC::DeQuantMode mode, typename To, typename Scale>
BELAY_API void DequantByScalar(const AscendC::LocalTensor<To>& dst,
                               const AscendC::LocalTensor<int32_t>& src,
                               Scale scale, Temporary temporary,
                               const AscendC::DequantParams& params) {
  static_assert(kDequantPair<To, Scale> && kDTypeOf<To> != DType::kHalf,
                "AscendC::AscendDequant takes one scale, float or bfloat16_t, "
                "for float and bfloat16_t");
  if (params.m == 0) return;
  DequantRows(dst, src, temporary, nullptr, static_cast<float>(scale),
              DequantShape<To, mode>(params));
}

}  // namespace belay::api

namespace AscendC {

#define BELAY_DEQUANT_TEMPLATE              \
  template <typename dstT, typename scaleT, \
            DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>

BELAY_DEQUANT_TEMPLATE
BELAY_API void AscendDequant(const LocalTensor<dstT>& dstTensor,
                             const LocalTensor<int32_t>& srcTensor,
                             const LocalTensor<scaleT>& deqScale,
                             const LocalTensor<uint8_t>& sharedTmpBuffer,
                             DequantParams params) {
  belay::api::DequantByTensor<mode>(
      dstTensor, srcTensor, deqScale,
      belay::api::Temporary("AscendDequant", sharedTmpBuffer), params);
}
BELAY_DEQUANT_TEMPLATE
BELAY_API void AscendDequant(const LocalTensor<dstT>& dstTensor,
                             const LocalTensor<int32_t>& srcTensor,
                             const LocalTensor<scaleT>& deqScale,
                             DequantParams params) {
  belay::api::DequantByTensor<mode>(dstTensor, srcTensor, deqScale,
                                    belay::api::Temporary("AscendDequant"),
                                    params);
}
BELAY_DEQUANT_TEMPLATE
BELAY_API void AscendDequant(const LocalTensor<dstT>& dstTensor,
                             const LocalTensor<int32_t>& srcTensor,
                             const scaleT deqScale,
                             const LocalTensor<uint8_t>& sharedTmpBuffer,
                             DequantParams params) {
  belay::api::DequantByScalar<mode>(
      dstTensor, srcTensor, deqScale,
      belay::api::Temporary("AscendDequant", sharedTmpBuffer), params);
}
BELAY_DEQUANT_TEMPLATE
BELAY_API void AscendDequant(const LocalTensor<dstT>& dstTensor,
                             const LocalTensor<int32_t>& srcTensor,
                             const scaleT deqScale, DequantParams params) {
  belay::api::DequantByScalar<mode>(dstTensor, srcTensor, deqScale,
                                    belay::api::Temporary("AscendDequant"),
                                    params);
}

// Older forms: one row, as many scales as the tensor holds.
BELAY_DEQUANT_TEMPLATE
BELAY_API void AscendDequant(const LocalTensor<dstT>& dstTensor,
                             const LocalTensor<int32_t>& srcTensor,
                             const LocalTensor<scaleT>& deqScale,
                             const LocalTensor<uint8_t>& sharedTmpBuffer,
                             const uint32_t calCount) {
  AscendDequant<dstT, scaleT, mode>(
      dstTensor, srcTensor, deqScale, sharedTmpBuffer,
      DequantParams{1, calCount, deqScale.GetSize()});
}
BELAY_DEQUANT_TEMPLATE
BELAY_API void AscendDequant(const LocalTensor<dstT>& dstTensor,
                             const LocalTensor<int32_t>& srcTensor,
                             const LocalTensor<scaleT>& deqScale,
                             const LocalTensor<uint8_t>& sharedTmpBuffer) {
  AscendDequant<dstT, scaleT, mode>(
      dstTensor, srcTensor, deqScale, sharedTmpBuffer,
      DequantParams{1, srcTensor.GetSize(), deqScale.GetSize()});
}
BELAY_DEQUANT_TEMPLATE
BELAY_API void AscendDequant(const LocalTensor<dstT>& dstTensor,
                             const LocalTensor<int32_t>& srcTensor,
                             const LocalTensor<scaleT>& deqScale,
                             const uint32_t calCount) {
  AscendDequant<dstT, scaleT, mode>(
      dstTensor, srcTensor, deqScale,
      DequantParams{1, calCount, deqScale.GetSize()});
}
BELAY_DEQUANT_TEMPLATE
BELAY_API void AscendDequant(const LocalTensor<dstT>& dstTensor,
                             const LocalTensor<int32_t>& srcTensor,
                             const LocalTensor<scaleT>& deqScale) {
  AscendDequant<dstT, scaleT, mode>(
      dstTensor, srcTensor, deqScale,
      DequantParams{1, srcTensor.GetSize(), deqScale.GetSize()});
}

#undef BELAY_DEQUANT_TEMPLATE

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_QUANTIZATION_DEQUANT_H_
