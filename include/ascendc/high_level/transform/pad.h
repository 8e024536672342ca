// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_TRANSFORM_PAD_H_
#define BELAY_ASCENDC_HIGH_LEVEL_TRANSFORM_PAD_H_

// Pad makes rows as long as whole blocks of 32 bytes, UnPad takes the last
// columns away again.

#include "ascendc/fill.h"
#include "ascendc/gather.h"
#include "ascendc/gather_mask.h"
#include "ascendc/high_level/rows.h"
#include "ascendc/high_level/temporary.h"
#include "ascendc/high_level/transform/pad_tiling.h"
#include "ascendc/vector_scalar.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

// Columns to add, and what they hold.
struct PadParams {
  uint16_t leftPad = 0;
  uint16_t rightPad = 0;
  int32_t padValue = 0;
};

// Columns to take away; leftPad is not used.
struct UnPadParams {
  uint16_t leftPad = 0;
  uint16_t rightPad = 0;
};

}  // namespace AscendC

namespace belay::api {

template <typename T>
BELAY_API constexpr void PadTakes() {
  static_assert(
      IsIn<T>(kSetOf<DType::kInt16, DType::kUint16, DType::kHalf, DType::kInt32,
                     DType::kUint32, DType::kFloat>),
      "AscendC::Pad and UnPad take int16_t, uint16_t, half, int32_t, uint32_t "
      "or float");
}

// Fills columns [first, last) of a block, for `rows` rows `pitch` apart.
template <typename T>
BELAY_API void FillColumns(const AscendC::LocalTensor<T>& block, T value,
                           uint32_t first, uint32_t last, uint32_t rows,
                           uint32_t pitch) {
  if (first >= last) return;
  const uint64_t mask[2] = {
      ((uint64_t{1} << last) - 1) & ~((uint64_t{1} << first) - 1), 0};
  const uint32_t stride = RowBlocks<T>(pitch);
  const uint32_t together = stride <= 255 ? 255 : 1;
  for (uint32_t row = 0; row < rows; row += together) {
    const uint32_t now = rows - row < together ? rows - row : together;
    AscendC::Duplicate(block[row * pitch], value, mask, now, 1,
                       now == 1 ? 8 : stride);
  }
}

template <typename T>
BELAY_API void PadRows(const AscendC::LocalTensor<T>& dst,
                       const AscendC::LocalTensor<T>& src,
                       const AscendC::PadParams& pad,
                       const AscendC::tiling::PadTiling& tiling,
                       Temporary temporary) {
  PadTakes<T>();
  constexpr uint32_t kBlock = 32 / sizeof(T);
  const uint32_t pitch = (tiling.srcWidth + kBlock - 1) / kBlock * kBlock;
  const uint32_t end = pad.leftPad + tiling.srcOriWidth;
  RequireArgument(tiling.srcOriWidth <= tiling.srcWidth, "Pad",
                  "the original width must not exceed the width",
                  tiling.srcOriWidth);
  RequireArgument(end + pad.rightPad <= pitch, "Pad",
                  "the padded width must not exceed the width rounded up to 32 "
                  "bytes",
                  end + pad.rightPad);
  RequireArgument(pad.leftPad == 0 || tiling.srcWidth != pitch, "Pad",
                  "rows of whole blocks can be padded on the right only",
                  pad.leftPad);
  if (tiling.srcHeight == 0 || tiling.srcOriWidth == 0) return;
  // Where each element of a row comes from, counted from the row's start;
  // padding reads an element of the row and is overwritten.
  const AscendC::LocalTensor<int32_t> offsets = temporary.Take<int32_t>(pitch);
  constexpr auto kSize = static_cast<int32_t>(sizeof(T));
  AscendC::CreateVecIndex(offsets, -static_cast<int32_t>(pad.leftPad), pitch);
  AscendC::PipeBarrier<PIPE_V>();
  AscendC::Maxs(offsets, offsets, 0, pitch);
  AscendC::PipeBarrier<PIPE_V>();
  AscendC::Mins(offsets, offsets, static_cast<int32_t>(tiling.srcOriWidth) - 1,
                pitch);
  AscendC::PipeBarrier<PIPE_V>();
  AscendC::Muls(offsets, offsets, kSize, pitch);
  AscendC::PipeBarrier<PIPE_V>();
  for (uint32_t row = 0; row < tiling.srcHeight; ++row) {
    AscendC::Gather(dst[row * pitch], src,
                    offsets.template ReinterpretCast<uint32_t>(),
                    row * tiling.srcWidth * sizeof(T), pitch);
  }
  AscendC::PipeBarrier<PIPE_V>();
  const T value = static_cast<T>(pad.padValue);
  FillColumns(dst, value, 0, pad.leftPad, tiling.srcHeight, pitch);
  const uint32_t last = end + pad.rightPad;
  for (uint32_t block = end / kBlock * kBlock; block < last; block += kBlock) {
    FillColumns(dst[block], value, end > block ? end - block : 0,
                last - block < kBlock ? last - block : kBlock, tiling.srcHeight,
                pitch);
  }
  AscendC::PipeBarrier<PIPE_V>();
}

template <typename T>
BELAY_API void UnPadRows(const AscendC::LocalTensor<T>& dst,
                         const AscendC::LocalTensor<T>& src,
                         const AscendC::UnPadParams& pad,
                         const AscendC::tiling::UnPadTiling& tiling) {
  PadTakes<T>();
  RequireArgument(tiling.srcWidth * sizeof(T) % 32 == 0, "UnPad",
                  "bytes of a row must be a multiple of 32",
                  tiling.srcWidth * sizeof(T));
  RequireArgument(pad.rightPad > 0 && pad.rightPad * sizeof(T) < 32, "UnPad",
                  "rightPad must be above 0 and below 32 bytes", pad.rightPad);
  if (tiling.srcHeight == 0) return;
  constexpr uint8_t kAll = 7;
  uint64_t kept = 0;
  AscendC::GatherMask(dst, src, kAll, true, tiling.srcWidth - pad.rightPad,
                      {1, static_cast<uint16_t>(tiling.srcHeight),
                       static_cast<uint16_t>(RowBlocks<T>(tiling.srcWidth)), 0},
                      kept);
  AscendC::SetMaskNorm();
  AscendC::ResetMask();
  AscendC::PipeBarrier<PIPE_V>();
}

}  // namespace belay::api

namespace AscendC {

template <typename T>
BELAY_API void Pad(const LocalTensor<T>& dstTensor,
                   const LocalTensor<T>& srcTensor, PadParams& padParams,
                   const LocalTensor<uint8_t>& sharedTmpBuffer,
                   tiling::PadTiling& tiling) {
  belay::api::PadRows(dstTensor, srcTensor, padParams, tiling,
                      belay::api::Temporary("Pad", sharedTmpBuffer));
}
template <typename T>
BELAY_API void Pad(const LocalTensor<T>& dstTensor,
                   const LocalTensor<T>& srcTensor, PadParams& padParams,
                   tiling::PadTiling& tiling) {
  belay::api::PadRows(dstTensor, srcTensor, padParams, tiling,
                      belay::api::Temporary("Pad"));
}

// No temporary memory is needed.
template <typename T>
BELAY_API void UnPad(const LocalTensor<T>& dstTensor,
                     const LocalTensor<T>& srcTensor, UnPadParams& unPadParams,
                     LocalTensor<uint8_t>&, tiling::UnPadTiling& tiling) {
  belay::api::UnPadRows(dstTensor, srcTensor, unPadParams, tiling);
}
template <typename T>
BELAY_API void UnPad(const LocalTensor<T>& dstTensor,
                     const LocalTensor<T>& srcTensor, UnPadParams& unPadParams,
                     tiling::UnPadTiling& tiling) {
  belay::api::UnPadRows(dstTensor, srcTensor, unPadParams, tiling);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_TRANSFORM_PAD_H_
