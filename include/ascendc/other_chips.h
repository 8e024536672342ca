// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_OTHER_CHIPS_H_
#define BELAY_ASCENDC_OTHER_CHIPS_H_

// Names that only other chips of the family have. Code that mentions them
// compiles; a call that is reached ends the block with a diagnostic.

#include "ascendc/data_copy.h"
#include "ascendc/sort.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

#define BELAY_OTHER_CHIP(name)                     \
  template <typename... Types, typename... Values> \
  BELAY_API void name(const Values&...) {          \
    belay_not_on_chip(#name);                      \
  }
BELAY_OTHER_CHIP(AbsSub)
BELAY_OTHER_CHIP(BilinearInterpolation)
BELAY_OTHER_CHIP(CheckLocalMemoryIA)
BELAY_OTHER_CHIP(DeInterleave)
BELAY_OTHER_CHIP(ExpSub)
BELAY_OTHER_CHIP(Interleave)
BELAY_OTHER_CHIP(MarkStamp)
BELAY_OTHER_CHIP(MrgSort4)
BELAY_OTHER_CHIP(Mull)
BELAY_OTHER_CHIP(MulsCast)
BELAY_OTHER_CHIP(NdDmaDci)
BELAY_OTHER_CHIP(Neg)
BELAY_OTHER_CHIP(Prelu)
BELAY_OTHER_CHIP(ProposalConcat)
BELAY_OTHER_CHIP(ProposalExtract)
BELAY_OTHER_CHIP(ReleaseMutexID)
BELAY_OTHER_CHIP(RpSort16)
BELAY_OTHER_CHIP(Scatter)
#undef BELAY_OTHER_CHIP

template <typename T, RoundMode roundMode>
BELAY_API void Truncate(const LocalTensor<T>&, const LocalTensor<T>&, int64_t) {
  belay_not_on_chip("Truncate");
}

using PhiloxKey = uint32_t[2];
using PhiloxCounter = uint32_t[4];
struct PhiloxRandomParams {
  uint32_t stride;
  uint32_t row;
  uint32_t column;
};
template <uint16_t Rounds = 7, typename T>
BELAY_API void PhiloxRandom(const LocalTensor<T>&, const PhiloxKey&,
                            const PhiloxCounter&, uint16_t) {
  belay_not_on_chip("PhiloxRandom");
}
template <uint16_t Rounds = 7, typename T>
BELAY_API void PhiloxRandom(const LocalTensor<T>&, const PhiloxKey&,
                            const PhiloxCounter&, const PhiloxRandomParams&) {
  belay_not_on_chip("PhiloxRandom");
}

struct BinaryDefaultType {};
struct BinaryConfig {
  int8_t scalarTensorIndex = 1;
};
inline constexpr BinaryConfig DEFAULT_BINARY_CONFIG = {};

// A scalar on either side.
#define BELAY_OTHER_CHIP_SCALAR(name)                                       \
  template <typename T = BinaryDefaultType, bool isSetMask = true,          \
            const BinaryConfig& config = DEFAULT_BINARY_CONFIG, typename U, \
            typename S, typename V>                                         \
  BELAY_API void name(const U&, const S&, const V&, int64_t) {              \
    belay_not_on_chip(#name);                                               \
  }                                                                         \
  template <typename T = BinaryDefaultType, bool isSetMask = true,          \
            const BinaryConfig& config = DEFAULT_BINARY_CONFIG, typename U, \
            typename S, typename V, typename Mask>                          \
  BELAY_API void name(const U&, const S&, const V&, const Mask&, int64_t,   \
                      const UnaryRepeatParams&) {                           \
    belay_not_on_chip(#name);                                               \
  }
BELAY_OTHER_CHIP_SCALAR(Ands)
BELAY_OTHER_CHIP_SCALAR(Divs)
BELAY_OTHER_CHIP_SCALAR(Ors)
BELAY_OTHER_CHIP_SCALAR(Subs)
#undef BELAY_OTHER_CHIP_SCALAR

// Further forms of operations this chip has: a scalar in front, shifts by a
// tensor, one element into a whole tensor, a copy by count.
#define BELAY_OTHER_CHIP_FRONT(name)                                          \
  template <typename T>                                                       \
  BELAY_API void name(const LocalTensor<T>&, const T&, const LocalTensor<T>&, \
                      int64_t) {                                              \
    belay_not_on_chip(#name " with the scalar in front");                     \
  }
BELAY_OTHER_CHIP_FRONT(Adds)
BELAY_OTHER_CHIP_FRONT(Maxs)
BELAY_OTHER_CHIP_FRONT(Mins)
BELAY_OTHER_CHIP_FRONT(Muls)
#undef BELAY_OTHER_CHIP_FRONT

template <typename T, typename U>
BELAY_API void ShiftLeft(const LocalTensor<T>&, const LocalTensor<T>&,
                         const LocalTensor<U>&, int64_t) {
  belay_not_on_chip("ShiftLeft by a tensor");
}
template <typename T, typename U>
BELAY_API void ShiftRight(const LocalTensor<T>&, const LocalTensor<T>&,
                          const LocalTensor<U>&, int64_t) {
  belay_not_on_chip("ShiftRight by a tensor");
}
template <typename T>
BELAY_API void Duplicate(const LocalTensor<T>&, const LocalTensor<T>&,
                         int64_t) {
  belay_not_on_chip("Duplicate of a tensor's element");
}
template <typename T, bool isSetMask = true>
BELAY_API void Copy(const LocalTensor<T>&, const LocalTensor<T>&, int64_t) {
  belay_not_on_chip("Copy by count");
}
template <typename T>
BELAY_API void VectorPadding(const LocalTensor<T>&, const LocalTensor<T>&,
                             uint8_t, bool, int64_t) {
  belay_not_on_chip("VectorPadding");
}
template <typename T, bool isSetMask = true, typename Mask>
BELAY_API void VectorPadding(const LocalTensor<T>&, const LocalTensor<T>&,
                             uint8_t, bool, const Mask&, int64_t,
                             const UnaryRepeatParams&) {
  belay_not_on_chip("VectorPadding");
}

// Scalar atomics.
#define BELAY_OTHER_CHIP_ATOMIC(name)             \
  template <typename T, typename... Values>       \
  BELAY_API T name(__gm__ T*, const Values&...) { \
    belay_not_on_chip(#name);                     \
  }
BELAY_OTHER_CHIP_ATOMIC(AtomicAdd)
BELAY_OTHER_CHIP_ATOMIC(AtomicCas)
BELAY_OTHER_CHIP_ATOMIC(AtomicExch)
BELAY_OTHER_CHIP_ATOMIC(AtomicMax)
BELAY_OTHER_CHIP_ATOMIC(AtomicMin)
#undef BELAY_OTHER_CHIP_ATOMIC

using MutexID = uint8_t;
BELAY_API MutexID AllocMutexID() { belay_not_on_chip("AllocMutexID"); }

class Mutex {
 public:
  template <pipe_t pipe>
  BELAY_API static void Lock(MutexID) {
    belay_not_on_chip("Mutex::Lock");
  }
  template <pipe_t pipe>
  BELAY_API static void Unlock(MutexID) {
    belay_not_on_chip("Mutex::Unlock");
  }
};

enum class SpecialPurposeReg { AR = 0 };
template <SpecialPurposeReg spr>
BELAY_API void ClearSpr() {
  belay_not_on_chip("ClearSpr");
}
template <SpecialPurposeReg spr>
BELAY_API int64_t GetSpr() {
  belay_not_on_chip("GetSpr");
}
template <int8_t startBit, int8_t endBit>
BELAY_API void ResetCtrlSpr() {
  belay_not_on_chip("ResetCtrlSpr");
}

// Moves in several loops, and of several dimensions.
enum class DataCopyMVType { UB_TO_OUT = 0, OUT_TO_UB };
struct LoopModeParams {
  uint32_t loop1Size = 0;
  uint32_t loop2Size = 0;
  uint64_t loop1SrcStride = 0;
  uint64_t loop1DstStride = 0;
  uint64_t loop2SrcStride = 0;
  uint64_t loop2DstStride = 0;
};
BELAY_API void SetLoopModePara(const LoopModeParams&, DataCopyMVType) {
  belay_not_on_chip("SetLoopModePara");
}
BELAY_API void ResetLoopModePara(DataCopyMVType) {
  belay_not_on_chip("ResetLoopModePara");
}

enum class PaddingMode : uint8_t { Normal = 0, Compact };
template <typename T, PaddingMode mode>
BELAY_API void DataCopyPad(const LocalTensor<T>& dst,
                           const GlobalTensor<T>& src,
                           const DataCopyExtParams& dataCopyParams,
                           const DataCopyPadExtParams<T>& padParams) {
  if constexpr (mode != PaddingMode::Normal) {
    belay_not_on_chip("DataCopyPad with PaddingMode::Compact");
  } else {
    DataCopyPad(dst, src, dataCopyParams, padParams);
  }
}
template <typename T, PaddingMode mode>
BELAY_API void DataCopyPad(const GlobalTensor<T>& dst,
                           const LocalTensor<T>& src,
                           const DataCopyExtParams& dataCopyParams) {
  if constexpr (mode != PaddingMode::Normal) {
    belay_not_on_chip("DataCopyPad with PaddingMode::Compact");
  } else {
    DataCopyPad(dst, src, dataCopyParams);
  }
}

struct NdDmaConfig {
  static constexpr uint16_t unsetPad = 0xffff;
  bool isNearestValueMode = false;
  uint16_t loopLpSize = unsetPad;
  uint16_t loopRpSize = unsetPad;
  bool ascOptimize = false;
};
inline constexpr NdDmaConfig kDefaultNdDmaConfig = {};
template <uint8_t dim>
struct NdDmaLoopInfo {
  uint64_t loopSrcStride[dim] = {};
  uint32_t loopDstStride[dim] = {};
  uint32_t loopSize[dim] = {};
  uint8_t loopLpSize[dim] = {};
  uint8_t loopRpSize[dim] = {};
};
template <typename T, uint8_t dim>
struct NdDmaParams {
  NdDmaLoopInfo<dim> loopInfo;
  T constantValue;
};
template <typename T, uint8_t dim,
          const NdDmaConfig& config = kDefaultNdDmaConfig>
BELAY_API void DataCopy(const LocalTensor<T>&, const GlobalTensor<T>&,
                        const NdDmaParams<T, dim>&) {
  belay_not_on_chip("DataCopy with NdDmaParams");
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_OTHER_CHIPS_H_
