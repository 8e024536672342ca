// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_HIGH_LEVEL_ELEMENTWISE_H_
#define BELAY_TILING_HIGH_LEVEL_ELEMENTWISE_H_

// How much temporary memory functions of single elements need, in bytes.

#include "belay/elementwise.h"
#include "tiling/high_level/shape.h"

namespace belay::host {

inline uint32_t ElementsOf(const AscendC::TensorShape& shape) {
  const int64_t size = shape.GetShapeSize();
  return size > 0 ? static_cast<uint32_t>(size) : 0;
}

// The most a function uses is `nodes` times its operand and `extra` bytes.
struct TemporaryFactors {
  TemporaryFactors(abi::ElementwiseWork work, uint32_t element) {
    if (element == 0) return;
    nodes =
        (4 * work.registers + (work.masks > 0 ? 1 : 0) + element - 1) / element;
    extra = static_cast<uint32_t>(work.Least());
  }

  uint32_t nodes = 0;
  uint32_t extra = 0;
};

inline void TemporarySizes(abi::ElementwiseWork work, uint32_t elements,
                           uint32_t element, uint32_t& most, uint32_t& least) {
  const TemporaryFactors factors(work, element);
  most = factors.nodes * elements * element + factors.extra;
  least = static_cast<uint32_t>(work.Least());
}

}  // namespace belay::host

// Get<name>MaxMinTmpSize and Get<name>TmpBufferFactorSize of a function.
#define BELAY_LIBRARY_SIZE(name, work)                                        \
  inline void Get##name##MaxMinTmpSize(                                       \
      const TensorShape& srcShape, const uint32_t typeSize,                   \
      const bool /*isReuseSource*/, uint32_t& maxValue, uint32_t& minValue) { \
    belay::host::TemporarySizes(work, belay::host::ElementsOf(srcShape),      \
                                typeSize, maxValue, minValue);                \
  }
#define BELAY_LIBRARY_FACTOR(name, work)                                 \
  inline void Get##name##TmpBufferFactorSize(const uint32_t typeSize,    \
                                             uint32_t& maxLiveNodeCount, \
                                             uint32_t& extraBuf) {       \
    const belay::host::TemporaryFactors factors(work, typeSize);         \
    maxLiveNodeCount = factors.nodes;                                    \
    extraBuf = factors.extra;                                            \
  }
#define BELAY_LIBRARY_SIZES(name)                                          \
  BELAY_LIBRARY_SIZE(name,                                                 \
                     belay::abi::WorkOf(belay::abi::Elementwise::k##name)) \
  BELAY_LIBRARY_FACTOR(name,                                               \
                       belay::abi::WorkOf(belay::abi::Elementwise::k##name))

#endif  // BELAY_TILING_HIGH_LEVEL_ELEMENTWISE_H_
