// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_FILTER_SELECT_BY_BYTES_H_
#define BELAY_ASCENDC_HIGH_LEVEL_FILTER_SELECT_BY_BYTES_H_

// Select by a mask of whole elements, and DropOut by one of bytes or bits.

#include "ascendc/cast.h"
#include "ascendc/compare.h"
#include "ascendc/fill.h"
#include "ascendc/high_level/filter/mask_step.h"
#include "ascendc/high_level/temporary.h"
#include "ascendc/select.h"
#include "ascendc/sync.h"
#include "ascendc/system.h"
#include "ascendc/vector_scalar.h"
#include "ascendc/vector_unary.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

struct SelectWithBytesMaskShapeInfo {
  uint32_t firstAxis = 0;
  uint32_t srcLastAxis = 0;
  uint32_t maskLastAxis = 0;
};

struct DropOutShapeInfo {
  uint32_t firstAxis = 0;
  uint32_t srcLastAxis = 0;
  uint32_t maskLastAxis = 0;
};

}  // namespace AscendC

namespace belay::api {

// Turns mask elements into bits, a piece at a time.
class MaskBits {
 public:
  BELAY_API explicit MaskBits(Temporary temporary) {
    temporary.Require(kMaskStepBytes);
    const uint64_t steps = temporary.bytes() / kMaskStepBytes;
    room_ = static_cast<uint32_t>(steps * kMaskStep);
    elements_ = temporary.Take<int32_t>(room_);
    bits_ = temporary.Take<uint8_t>(room_ / 8);
  }

  BELAY_API uint32_t room() const { return room_; }
  BELAY_API const AscendC::LocalTensor<uint8_t>& bits() const { return bits_; }

  // Bits that are set where the first `count` elements are 0, or are not.
  template <typename U>
  BELAY_API void Make(const AscendC::LocalTensor<U>& mask, uint32_t count,
                      bool where_zero) const {
    const uint32_t whole = (count + kMaskStep - 1) / kMaskStep * kMaskStep;
    if constexpr (sizeof(U) == 4) {
      AscendC::Duplicate(elements_, 0, int64_t{whole});
      AscendC::PipeBarrier<PIPE_V>();
      AscendC::Adds(elements_, mask.template ReinterpretCast<int32_t>(), 0,
                    int64_t{count});
      AscendC::PipeBarrier<PIPE_V>();
      AscendC::CompareScalar(bits_, elements_, 0, AscendC::CMPMODE::EQ,
                             int64_t{whole});
    } else {
      const auto numbers = elements_.template ReinterpretCast<half>();
      AscendC::Duplicate(numbers, static_cast<half>(0), int64_t{whole});
      AscendC::PipeBarrier<PIPE_V>();
      if constexpr (sizeof(U) == 1) {
        AscendC::Cast(numbers, mask.template ReinterpretCast<uint8_t>(),
                      AscendC::RoundMode::CAST_NONE, int64_t{count});
      } else {
        AscendC::Cast(numbers, mask.template ReinterpretCast<int16_t>(),
                      AscendC::RoundMode::CAST_RINT, int64_t{count});
      }
      AscendC::PipeBarrier<PIPE_V>();
      AscendC::CompareScalar(bits_, numbers, static_cast<half>(0),
                             AscendC::CMPMODE::EQ, int64_t{whole});
    }
    AscendC::PipeBarrier<PIPE_V>();
    if (!where_zero) {
      const auto words = bits_.template ReinterpretCast<uint16_t>();
      AscendC::Not(words, words, int64_t{whole} / 16);
      AscendC::PipeBarrier<PIPE_V>();
    }
  }

 private:
  uint32_t room_;
  AscendC::LocalTensor<int32_t> elements_;
  AscendC::LocalTensor<uint8_t> bits_;
};

// `rows` rows of `columns` elements; rows of the mask are mask_columns long.
struct MaskedRows {
  uint32_t rows;
  uint32_t columns;
  uint32_t mask_columns;
};

BELAY_API MaskedRows RowsOf(const char* name, uint32_t rows, uint32_t columns,
                            uint32_t mask_columns) {
  RequireArgument(mask_columns >= columns, name,
                  "maskLastAxis must not be less than srcLastAxis",
                  mask_columns);
  // Rows without a gap are one row.
  if (mask_columns == columns) {
    return {1, rows * columns, rows * columns};
  }
  return {rows, columns, mask_columns};
}

// dst = mask is 0 (or, not where_zero, is not) ? src : other.
template <typename T, typename U>
BELAY_API void SelectByElements(const Temporary& temporary,
                                const AscendC::LocalTensor<T>& dst,
                                const AscendC::LocalTensor<T>& src, T other,
                                const AscendC::LocalTensor<U>& mask,
                                bool where_zero, const MaskedRows& shape) {
  const MaskBits bits(temporary);
  for (uint32_t row = 0; row < shape.rows; ++row) {
    for (uint32_t at = 0; at < shape.columns; at += bits.room()) {
      const uint32_t now =
          shape.columns - at < bits.room() ? shape.columns - at : bits.room();
      bits.Make(mask[row * shape.mask_columns + at], now, where_zero);
      const uint32_t first = row * shape.columns + at;
      AscendC::Select(dst[first], bits.bits(), src[first], other,
                      AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE, int64_t{now});
      AscendC::PipeBarrier<PIPE_V>();
    }
  }
}

template <typename T, typename U>
BELAY_API void CallSelectByElements(
    const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
    T other, const AscendC::LocalTensor<U>& mask,
    const AscendC::LocalTensor<uint8_t>& temporary, bool where_zero,
    const AscendC::SelectWithBytesMaskShapeInfo& info) {
  BELAY_TAKES(AscendC::PrimT<T>, "Select", BELAY_HALF_FLOAT)
  BELAY_TAKES(AscendC::PrimT<U>, "Select by a mask of elements",
              (kSetOf<DType::kBool, DType::kInt8, DType::kUint8, DType::kInt16,
                      DType::kUint16, DType::kInt32, DType::kUint32>),
              "masks of bool and of integers up to 32 bits")
  if (ASCEND_IS_AIC) return;
  SelectByElements(
      Temporary("Select", temporary), dst, src, other, mask, where_zero,
      RowsOf("Select", info.firstAxis, info.srcLastAxis, info.maskLastAxis));
}

}  // namespace belay::api

namespace AscendC {

// src0 where the mask is 0, else src1; either is one element. The mask is
// never written. SelectWithBytesMask is the older name.
#define BELAY_LIBRARY_SELECT(name)                                            \
  template <typename T, typename U, bool isReuseMask = true>                  \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,  \
                      PrimT<T> src1, const LocalTensor<U>& mask,              \
                      const LocalTensor<uint8_t>& sharedTmpBuffer,            \
                      const SelectWithBytesMaskShapeInfo& info) {             \
    belay::api::CallSelectByElements(dst, src0, src1, mask, sharedTmpBuffer,  \
                                     true, info);                             \
  }                                                                           \
  template <typename T, typename U, bool isReuseMask = true>                  \
  BELAY_API void name(const LocalTensor<T>& dst, PrimT<T> src0,               \
                      const LocalTensor<T>& src1, const LocalTensor<U>& mask, \
                      const LocalTensor<uint8_t>& sharedTmpBuffer,            \
                      const SelectWithBytesMaskShapeInfo& info) {             \
    belay::api::CallSelectByElements(dst, src1, src0, mask, sharedTmpBuffer,  \
                                     false, info);                            \
  }
BELAY_LIBRARY_SELECT(Select)
BELAY_LIBRARY_SELECT(SelectWithBytesMask)
#undef BELAY_LIBRARY_SELECT

}  // namespace AscendC

namespace belay::api {

inline constexpr uint32_t kDropOutByShape = 0;
inline constexpr uint32_t kDropOutBytesWithGaps = 1;
inline constexpr uint32_t kDropOutBytes = 2;
inline constexpr uint32_t kDropOutBits = 3;
inline constexpr uint32_t kDropOutBitsWithGaps = 4;

BELAY_API uint32_t DropOutMode(uint32_t mode,
                               const AscendC::DropOutShapeInfo& info) {
  if (mode != kDropOutByShape) return mode;
  if (info.srcLastAxis < info.maskLastAxis) return kDropOutBytesWithGaps;
  if (info.srcLastAxis == info.maskLastAxis) return kDropOutBytes;
  return info.srcLastAxis == 8 * info.maskLastAxis ? kDropOutBits
                                                   : kDropOutBitsWithGaps;
}

template <typename T>
BELAY_API void CallDropOut(const Temporary& temporary,
                           const AscendC::LocalTensor<T>& dst,
                           const AscendC::LocalTensor<T>& src,
                           const AscendC::LocalTensor<uint8_t>& mask,
                           float keep, uint32_t mode,
                           const AscendC::DropOutShapeInfo& info) {
  BELAY_TAKES(AscendC::PrimT<T>, "DropOut", BELAY_HALF_FLOAT)
  if (ASCEND_IS_AIC) return;
  const uint32_t total = info.firstAxis * info.srcLastAxis;
  const uint32_t chosen = DropOutMode(mode, info);
  if (chosen == kDropOutBytes || chosen == kDropOutBytesWithGaps) {
    SelectByElements(
        temporary, dst, src, static_cast<T>(0), mask, false,
        RowsOf("DropOut", info.firstAxis, info.srcLastAxis, info.maskLastAxis));
  } else {
    const bool gaps = chosen == kDropOutBitsWithGaps;
    const uint32_t rows = gaps ? info.firstAxis : 1;
    const uint32_t columns = gaps ? info.srcLastAxis : total;
    for (uint32_t row = 0; row < rows; ++row) {
      AscendC::Select(dst[row * columns], mask[row * info.maskLastAxis],
                      src[row * columns], static_cast<T>(0),
                      AscendC::SELMODE::VSEL_TENSOR_SCALAR_MODE,
                      int64_t{columns});
    }
    AscendC::PipeBarrier<PIPE_V>();
  }
  AscendC::Muls(dst, dst, static_cast<T>(1.0f / keep), int64_t{total});
  AscendC::PipeBarrier<PIPE_V>();
}

}  // namespace belay::api

namespace AscendC {

// src / keepProb where the mask is set, else 0. dropOutMode: 0 by the shapes;
// 1 bytes with unused ones at the end of rows, 2 bytes, 3 bits, 4 bits with
// unused ones.
template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
BELAY_API void DropOut(const LocalTensor<T>& dstLocal,
                       const LocalTensor<T>& srcLocal,
                       const LocalTensor<uint8_t>& maskLocal,
                       const LocalTensor<uint8_t>& sharedTmpBuffer,
                       const float keepProb, const DropOutShapeInfo& info) {
  belay::api::CallDropOut(belay::api::Temporary("DropOut", sharedTmpBuffer),
                          dstLocal, srcLocal, maskLocal, keepProb, dropOutMode,
                          info);
}
template <typename T, bool isInitBitMode = false, uint32_t dropOutMode = 0>
BELAY_API void DropOut(const LocalTensor<T>& dstLocal,
                       const LocalTensor<T>& srcLocal,
                       const LocalTensor<uint8_t>& maskLocal,
                       const float keepProb, const DropOutShapeInfo& info) {
  belay::api::CallDropOut(belay::api::Temporary("DropOut"), dstLocal, srcLocal,
                          maskLocal, keepProb, dropOutMode, info);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_FILTER_SELECT_BY_BYTES_H_
