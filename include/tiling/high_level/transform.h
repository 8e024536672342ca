// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_HIGH_LEVEL_TRANSFORM_H_
#define BELAY_TILING_HIGH_LEVEL_TRANSFORM_H_

// Temporary memory, in bytes, and tilings of Broadcast, Pad, UnPad, Transpose
// and TransData.

#include "ascendc/high_level/transform/pad_tiling.h"
#include "ascendc/high_level/transform/trans_data_config.h"
#include "belay/tiling_class.h"
#include "tiling/high_level/shape.h"
#include "tiling/platform/platform_ascendc.h"

BELAY_TILING_CLASS(PadTiling, BELAY_PAD_TILING)
BELAY_TILING_CLASS(UnPadTiling, BELAY_UNPAD_TILING)
BELAY_TILING_CLASS(ConfusionTransposeTiling, BELAY_TRANSPOSE_TILING)

namespace AscendC {

// A block for each source element and a row padded to blocks; elements of one
// byte lie as half beside it.
inline void GetBroadCastMaxMinTmpSize(const platform_ascendc::PlatformAscendC&,
                                      const TensorShape& srcShape,
                                      const TensorShape& dstShape,
                                      uint32_t typeSize, const bool,
                                      uint32_t& maxValue, uint32_t& minValue) {
  const auto from = static_cast<uint32_t>(srcShape.GetShapeSize());
  const auto to = static_cast<uint32_t>(dstShape.GetShapeSize());
  const uint32_t size = typeSize == 1 ? 2 : typeSize;
  const uint32_t halves = typeSize == 1 ? (from + to) * 2 + 64 : 0;
  const auto rank = dstShape.GetDimNum();
  const uint32_t row = LastDimension(dstShape);
  const uint32_t row_bytes = 32 + (row * size + 31) / 32 * 32;
  const uint32_t rows =
      rank < 2 ? 1 : static_cast<uint32_t>(dstShape.GetDim(0));
  minValue = halves + 16 * row_bytes;
  maxValue = halves + (rows + 16) * row_bytes;
}

// Where each element of a row comes from.
inline void GetPadMaxMinTmpSize(const TensorShape& srcShape,
                                const uint32_t typeSize, uint32_t& maxValue,
                                uint32_t& minValue) {
  const uint32_t block = 32 / typeSize;
  const auto width = static_cast<uint32_t>(srcShape.GetDim(1));
  maxValue = minValue = (width + block - 1) / block * block * 4;
}
inline void GetUnPadMaxMinTmpSize(const platform_ascendc::PlatformAscendC&,
                                  const TensorShape&, const uint32_t,
                                  uint32_t& maxValue, uint32_t& minValue) {
  maxValue = minValue = 0;
}

// By number of the scenario, 1 to 7; [B, N, S, H/N], or [H, W] for 7.
inline void GetTransposeMaxMinTmpSize(const TensorShape& srcShape,
                                      const uint32_t typeSize,
                                      const uint32_t transposeTypeIn,
                                      uint32_t& maxValue, uint32_t& minValue) {
  maxValue = minValue = 0;
  if (transposeTypeIn == 7) {
    maxValue = minValue = static_cast<uint32_t>(srcShape.GetDim(0)) * 4;
  } else if (transposeTypeIn >= 3) {
    const auto piece = static_cast<uint32_t>(srcShape.GetDim(2)) * 16;
    maxValue = minValue = piece * (typeSize + 4);
  }
}
inline void GetConfusionTransposeMaxMinTmpSize(const TensorShape& srcShape,
                                               const uint32_t typeSize,
                                               const uint32_t transposeTypeIn,
                                               uint32_t& maxValue,
                                               uint32_t& minValue) {
  GetTransposeMaxMinTmpSize(srcShape, typeSize, transposeTypeIn, maxValue,
                            minValue);
}

// False when no conversion has these parameters.
inline bool GetTransDataMaxMinTmpSize(const platform_ascendc::PlatformAscendC&,
                                      const TensorShape& srcShape,
                                      const TensorShape& dstShape,
                                      const TensorDataType,
                                      const TransDataConfig& config,
                                      uint32_t& maxValue, uint32_t& minValue) {
  const TensorShape& plain =
      config.srcFormat == DataFormat::NCDHW ? srcShape : dstShape;
  if (plain.GetDimNum() != 5) return false;
  maxValue = minValue = belay::api::TransDataTemporaryBytes(
      static_cast<uint32_t>(plain.GetDim(3) * plain.GetDim(4)));
  return true;
}

namespace tiling {

inline PadTiling PadTilingOf(const TensorShape& shape,
                             const TensorShape& original) {
  PadTiling tiling;
  tiling.srcHeight = static_cast<uint32_t>(shape.GetDim(0));
  tiling.srcWidth = static_cast<uint32_t>(shape.GetDim(1));
  tiling.srcOriHeight = static_cast<uint32_t>(original.GetDim(0));
  tiling.srcOriWidth = static_cast<uint32_t>(original.GetDim(1));
  return tiling;
}
inline UnPadTiling UnPadTilingOf(const TensorShape& shape) {
  UnPadTiling tiling;
  tiling.srcHeight = static_cast<uint32_t>(shape.GetDim(0));
  tiling.srcWidth = static_cast<uint32_t>(shape.GetDim(1));
  return tiling;
}
inline ConfusionTransposeTiling TransposeTilingOf(const TensorShape& shape) {
  ConfusionTransposeTiling tiling;
  const bool plain = shape.GetDimNum() == 2;
  tiling.param0 = plain ? 1 : static_cast<uint32_t>(shape.GetDim(0));
  tiling.param1 = plain ? 1 : static_cast<uint32_t>(shape.GetDim(1));
  tiling.param2 = static_cast<uint32_t>(shape.GetDim(plain ? 0 : 2));
  tiling.param3 = static_cast<uint32_t>(shape.GetDim(plain ? 1 : 3));
  return tiling;
}

}  // namespace tiling

// Each for the class host code fills and for the struct kernels have; in kernel
// code the two are one.
#define BELAY_TRANSFORM_TILINGS(space)                                      \
  inline void PadTilingFunc(const TensorShape srcShape,                     \
                            const TensorShape oriSrcShape, const uint32_t,  \
                            const uint32_t, space::PadTiling& result) {     \
    result = tiling::PadTilingOf(srcShape, oriSrcShape);                    \
  }                                                                         \
  inline void UnPadTilingFunc(const TensorShape srcShape, const uint32_t,   \
                              const uint32_t, space::UnPadTiling& result) { \
    result = tiling::UnPadTilingOf(srcShape);                               \
  }                                                                         \
  inline void GetTransposeTilingInfo(                                       \
      const TensorShape& srcShape, const uint32_t, const uint32_t,          \
      const uint32_t, space::ConfusionTransposeTiling& result) {            \
    result = tiling::TransposeTilingOf(srcShape);                           \
  }                                                                         \
  inline void GetConfusionTransposeTilingInfo(                              \
      const TensorShape& srcShape, const uint32_t, const uint32_t,          \
      const uint32_t, space::ConfusionTransposeTiling& result) {            \
    result = tiling::TransposeTilingOf(srcShape);                           \
  }                                                                         \
  inline void GetConfusionTransposeOnlyTilingInfo(                          \
      const TensorShape& srcShape, const uint32_t, const uint32_t,          \
      space::ConfusionTransposeTiling& result) {                            \
    result = tiling::TransposeTilingOf(srcShape);                           \
  }

BELAY_TRANSFORM_TILINGS(optiling)
#if !defined(__BELAY_KERNEL_TU__)
BELAY_TRANSFORM_TILINGS(AscendC::tiling)
#endif
#undef BELAY_TRANSFORM_TILINGS

}  // namespace AscendC

#endif  // BELAY_TILING_HIGH_LEVEL_TRANSFORM_H_
