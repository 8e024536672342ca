// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_HIGH_LEVEL_ACTIVATION_H_
#define BELAY_TILING_HIGH_LEVEL_ACTIVATION_H_

// The host's part of the activation functions of single elements: how much
// temporary memory they need, in bytes.

#include "tiling/high_level/elementwise.h"

namespace AscendC {

BELAY_LIBRARY_SIZES(GeGLU)
BELAY_LIBRARY_SIZES(ReGlu)
BELAY_LIBRARY_SIZES(Sigmoid)

inline void GetSwiGLUMaxMinTmpSize(const TensorShape& srcShape,
                                   const uint32_t typeSize, uint32_t& maxValue,
                                   uint32_t& minValue,
                                   const bool /*isReuseSource*/) {
  belay::host::TemporarySizes(
      belay::abi::WorkOf(belay::abi::Elementwise::kSwiGLU),
      belay::host::ElementsOf(srcShape), typeSize, maxValue, minValue);
}
BELAY_LIBRARY_FACTOR(SwiGLU,
                     belay::abi::WorkOf(belay::abi::Elementwise::kSwiGLU))

// Gelu, FasterGelu and FasterGeluV2: what the last needs is enough for all.
inline void GetGeluMaxMinTmpSize(const TensorShape& srcShape,
                                 const uint32_t typeSize, uint32_t& maxValue,
                                 uint32_t& minValue) {
  belay::host::TemporarySizes(
      belay::abi::WorkOf(belay::abi::Elementwise::kFasterGeluV2),
      belay::host::ElementsOf(srcShape), typeSize, maxValue, minValue);
}
inline uint32_t GetGeluMaxTmpSize(const TensorShape& srcShape,
                                  const uint32_t typeSize) {
  uint32_t most = 0;
  uint32_t least = 0;
  GetGeluMaxMinTmpSize(srcShape, typeSize, most, least);
  return most;
}
inline uint32_t GetGeluMinTmpSize(const TensorShape& srcShape,
                                  const uint32_t typeSize) {
  uint32_t most = 0;
  uint32_t least = 0;
  GetGeluMaxMinTmpSize(srcShape, typeSize, most, least);
  return least;
}

#define BELAY_LIBRARY_TMP_SIZE(name)                                          \
  inline void Get##name##TmpSize(                                             \
      const TensorShape& srcShape, const uint32_t typeSize,                   \
      const bool /*isReuseSource*/, uint32_t& maxValue, uint32_t& minValue) { \
    belay::host::TemporarySizes(                                              \
        belay::abi::WorkOf(belay::abi::Elementwise::k##name),                 \
        belay::host::ElementsOf(srcShape), typeSize, maxValue, minValue);     \
  }
BELAY_LIBRARY_TMP_SIZE(Silu)
BELAY_LIBRARY_TMP_SIZE(Swish)
#undef BELAY_LIBRARY_TMP_SIZE

}  // namespace AscendC

#endif  // BELAY_TILING_HIGH_LEVEL_ACTIVATION_H_
