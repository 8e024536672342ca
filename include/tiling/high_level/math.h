// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_HIGH_LEVEL_MATH_H_
#define BELAY_TILING_HIGH_LEVEL_MATH_H_

// The host's part of the mathematical functions: how much temporary memory
// they need, in bytes.

#include <algorithm>

#include "ascendc/high_level/math/configurations.h"
#include "tiling/high_level/elementwise.h"
#include "tiling/platform/platform_ascendc.h"

namespace AscendC {

BELAY_LIBRARY_SIZES(Acos)
BELAY_LIBRARY_SIZES(Acosh)
BELAY_LIBRARY_SIZES(Asin)
BELAY_LIBRARY_SIZES(Asinh)
BELAY_LIBRARY_SIZES(Atan)
BELAY_LIBRARY_SIZES(Atanh)
BELAY_LIBRARY_SIZES(Axpy)
BELAY_LIBRARY_SIZES(Ceil)
BELAY_LIBRARY_SIZES(Cos)
BELAY_LIBRARY_SIZES(Cosh)
BELAY_LIBRARY_SIZES(Digamma)
BELAY_LIBRARY_SIZES(Erf)
BELAY_LIBRARY_SIZES(Erfc)
BELAY_LIBRARY_SIZES(Floor)
BELAY_LIBRARY_SIZES(Fmod)
BELAY_LIBRARY_SIZES(Frac)
BELAY_LIBRARY_SIZES(Lgamma)
BELAY_LIBRARY_SIZES(Sign)
BELAY_LIBRARY_SIZES(Sin)
BELAY_LIBRARY_SIZES(Sinh)
BELAY_LIBRARY_SIZES(Tan)
BELAY_LIBRARY_SIZES(Tanh)
BELAY_LIBRARY_SIZES(Trunc)

// One register of the elements' own type.
BELAY_LIBRARY_SIZE(Xor, (belay::abi::ElementwiseWork{1, 0}))
BELAY_LIBRARY_FACTOR(Xor, (belay::abi::ElementwiseWork{1, 0}))

// Of the configurations none needs more.
inline void GetCosMaxMinTmpSize(const CosConfig&, const TensorShape& srcShape,
                                const uint32_t typeSize,
                                const bool isReuseSource, uint32_t& maxValue,
                                uint32_t& minValue) {
  GetCosMaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);
}
inline void GetCosTmpBufferFactorSize(const CosConfig&, const uint32_t typeSize,
                                      uint32_t& maxLiveNodeCount,
                                      uint32_t& extraBuf) {
  GetCosTmpBufferFactorSize(typeSize, maxLiveNodeCount, extraBuf);
}
inline void GetSinMaxMinTmpSize(const SinConfig&, const TensorShape& srcShape,
                                const uint32_t typeSize,
                                const bool isReuseSource, uint32_t& maxValue,
                                uint32_t& minValue) {
  GetSinMaxMinTmpSize(srcShape, typeSize, isReuseSource, maxValue, minValue);
}
inline void GetSinTmpBufferFactorSize(const SinConfig&, const uint32_t typeSize,
                                      uint32_t& maxLiveNodeCount,
                                      uint32_t& extraBuf) {
  GetSinTmpBufferFactorSize(typeSize, maxLiveNodeCount, extraBuf);
}

inline bool GetExpMaxMinTmpSize(const TensorShape& srcShape,
                                const uint32_t typeSize,
                                const bool /*isReuseSource*/,
                                uint32_t& maxValue, uint32_t& minValue) {
  belay::host::TemporarySizes(belay::abi::WorkOf(belay::abi::Elementwise::kExp),
                              belay::host::ElementsOf(srcShape), typeSize,
                              maxValue, minValue);
  return true;
}
BELAY_LIBRARY_FACTOR(Exp, belay::abi::WorkOf(belay::abi::Elementwise::kExp))

inline void GetRoundMaxMinTmpSize(const platform_ascendc::PlatformAscendC&,
                                  const TensorShape& srcShape,
                                  const uint32_t typeSize,
                                  const bool /*isReuseSource*/,
                                  uint32_t& maxValue, uint32_t& minValue) {
  belay::host::TemporarySizes(
      belay::abi::WorkOf(belay::abi::Elementwise::kRound),
      belay::host::ElementsOf(srcShape), typeSize, maxValue, minValue);
}
inline void GetRoundTmpBufferFactorSize(
    const platform_ascendc::PlatformAscendC&, const uint32_t typeSize,
    uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {
  const belay::host::TemporaryFactors factors(
      belay::abi::WorkOf(belay::abi::Elementwise::kRound), typeSize);
  maxLiveNodeCount = factors.nodes;
  extraBuf = factors.extra;
}

// One instruction or two, in place.
#define BELAY_LIBRARY_NO_SIZES(name)                                       \
  inline void Get##name##MaxMinTmpSize(const TensorShape&, const uint32_t, \
                                       const bool, uint32_t& maxValue,     \
                                       uint32_t& minValue) {               \
    maxValue = 0;                                                          \
    minValue = 0;                                                          \
  }                                                                        \
  inline void Get##name##TmpBufferFactorSize(                              \
      const uint32_t, uint32_t& maxLiveNodeCount, uint32_t& extraBuf) {    \
    maxLiveNodeCount = 0;                                                  \
    extraBuf = 0;                                                          \
  }
BELAY_LIBRARY_NO_SIZES(Log)
BELAY_LIBRARY_NO_SIZES(Log10)
#undef BELAY_LIBRARY_NO_SIZES

// The buffer ClampMax and ClampMin take is not used, but must be there.
BELAY_LIBRARY_SIZE(Clamp, (belay::abi::ElementwiseWork{1, 0}))
BELAY_LIBRARY_FACTOR(Clamp, (belay::abi::ElementwiseWork{1, 0}))

// Log2 works in float: only half needs room for that.
inline void GetLog2MaxMinTmpSize(const TensorShape& srcShape,
                                 const uint32_t typeSize,
                                 const bool /*isReuseSource*/,
                                 uint32_t& maxValue, uint32_t& minValue) {
  maxValue = 0;
  minValue = 0;
  if (typeSize == sizeof(float)) return;
  belay::host::TemporarySizes(
      belay::abi::WorkOf(belay::abi::Elementwise::kLog2),
      belay::host::ElementsOf(srcShape), typeSize, maxValue, minValue);
}
inline void GetLog2TmpBufferFactorSize(const uint32_t typeSize,
                                       uint32_t& maxLiveNodeCount,
                                       uint32_t& extraBuf) {
  maxLiveNodeCount = 0;
  extraBuf = 0;
  if (typeSize == sizeof(float)) return;
  const belay::host::TemporaryFactors factors(
      belay::abi::WorkOf(belay::abi::Elementwise::kLog2), typeSize);
  maxLiveNodeCount = factors.nodes;
  extraBuf = factors.extra;
}

// Either shape may be that of one element.
inline void GetPowerMaxMinTmpSize(const TensorShape& srcShape1,
                                  const TensorShape& srcShape2,
                                  const bool typeIsInt, const uint32_t typeSize,
                                  const bool /*isReuseSource*/,
                                  uint32_t& maxValue, uint32_t& minValue) {
  belay::host::TemporarySizes(
      belay::abi::WorkOf(typeIsInt ? belay::abi::Elementwise::kPowerInt
                                   : belay::abi::Elementwise::kPower),
      std::max(belay::host::ElementsOf(srcShape1),
               belay::host::ElementsOf(srcShape2)),
      typeSize, maxValue, minValue);
}
inline void GetPowerTmpBufferFactorSize(const bool /*baseIsTensor*/,
                                        const bool /*expIsTensor*/,
                                        const bool typeIsInt,
                                        const uint32_t typeSize,
                                        uint32_t& maxLiveNodeCount,
                                        uint32_t& extraBuffer) {
  const belay::host::TemporaryFactors factors(
      belay::abi::WorkOf(typeIsInt ? belay::abi::Elementwise::kPowerInt
                                   : belay::abi::Elementwise::kPower),
      typeSize);
  maxLiveNodeCount = factors.nodes;
  extraBuffer = factors.extra;
}

// Of a matrix: its last axis is the inner one.
inline void GetCumSumMaxMinTmpSize(const TensorShape& srcShape,
                                   const uint32_t /*typeSize*/,
                                   const bool isLastAxis,
                                   const bool /*isReuseSource*/,
                                   uint32_t& maxValue, uint32_t& minValue) {
  const size_t rank = srcShape.GetDimNum();
  const int64_t inner = rank == 0 ? 0 : srcShape.GetDim(rank - 1);
  minValue = static_cast<uint32_t>(belay::api::CumSumBytes(
      isLastAxis, inner > 0 ? static_cast<uint64_t>(inner) : 0));
  maxValue = minValue;
}

// Functions of other chips need nothing on this one.
#define BELAY_LIBRARY_OTHER_CHIP_SIZES(name)                                \
  inline void Get##name##MaxMinTmpSize(                                     \
      const platform_ascendc::PlatformAscendC&, const TensorShape&,         \
      const uint32_t, const bool, uint32_t& maxValue, uint32_t& minValue) { \
    maxValue = 0;                                                           \
    minValue = 0;                                                           \
  }                                                                         \
  inline void Get##name##TmpBufferFactorSize(                               \
      const platform_ascendc::PlatformAscendC&, const uint32_t,             \
      uint32_t& maxLivedNodeCount, uint32_t& extraBuf) {                    \
    maxLivedNodeCount = 0;                                                  \
    extraBuf = 0;                                                           \
  }
BELAY_LIBRARY_OTHER_CHIP_SIZES(BitwiseAnd)
BELAY_LIBRARY_OTHER_CHIP_SIZES(BitwiseNot)
BELAY_LIBRARY_OTHER_CHIP_SIZES(BitwiseOr)
BELAY_LIBRARY_OTHER_CHIP_SIZES(BitwiseXor)
BELAY_LIBRARY_OTHER_CHIP_SIZES(Fma)
BELAY_LIBRARY_OTHER_CHIP_SIZES(IsInf)
BELAY_LIBRARY_OTHER_CHIP_SIZES(IsNan)
BELAY_LIBRARY_OTHER_CHIP_SIZES(LogicalAnd)
BELAY_LIBRARY_OTHER_CHIP_SIZES(LogicalAnds)
BELAY_LIBRARY_OTHER_CHIP_SIZES(LogicalNot)
BELAY_LIBRARY_OTHER_CHIP_SIZES(LogicalOr)
BELAY_LIBRARY_OTHER_CHIP_SIZES(LogicalOrs)
BELAY_LIBRARY_OTHER_CHIP_SIZES(LogicalXor)
BELAY_LIBRARY_OTHER_CHIP_SIZES(Rint)
BELAY_LIBRARY_OTHER_CHIP_SIZES(SinCos)
BELAY_LIBRARY_OTHER_CHIP_SIZES(Where)
#undef BELAY_LIBRARY_OTHER_CHIP_SIZES

}  // namespace AscendC

#endif  // BELAY_TILING_HIGH_LEVEL_MATH_H_
