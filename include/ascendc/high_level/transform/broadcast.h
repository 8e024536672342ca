// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_TRANSFORM_BROADCAST_H_
#define BELAY_ASCENDC_HIGH_LEVEL_TRANSFORM_BROADCAST_H_

// Broadcast of one or two dimensions: a value, a column or a row is repeated.
// Elements of one byte go through half. The documents list int8_t, uint8_t,
// half and float; public kernels use other types of two and four bytes too.

#include "ascendc/cast.h"
#include "ascendc/copy.h"
#include "ascendc/data_copy.h"
#include "ascendc/fill.h"
#include "ascendc/gather_mask.h"
#include "ascendc/high_level/rows.h"
#include "ascendc/high_level/temporary.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

inline constexpr char kBroadcast[] = "Broadcast";

// Rows of `pitch` elements, each filled from a block of its own.
template <typename T>
struct FillRowsStep {
  const AscendC::LocalTensor<T>& to;
  const AscendC::LocalTensor<T>& blocks;
  uint32_t pitch;

  BELAY_API void operator()(uint32_t first, uint32_t column, uint32_t rows,
                            uint32_t lanes) const {
    AscendC::Copy(to[first * pitch + column], blocks[first * (32 / sizeof(T))],
                  lanes, rows,
                  {1, 0, static_cast<uint16_t>(RowBlocks<T>(pitch)), 1});
  }
};

// to[i][j] = from[i], rows `width` apart without gaps; 2 or 4 bytes each.
template <typename T>
BELAY_API void BroadcastColumn(const AscendC::LocalTensor<T>& to,
                               const AscendC::LocalTensor<T>& from,
                               uint32_t rows, uint32_t width,
                               Temporary temporary) {
  constexpr uint32_t kBlock = 32 / sizeof(T);
  const uint32_t pitch = (width + kBlock - 1) / kBlock * kBlock;
  // As many rows at a time as fit, in whole blocks of sources and results.
  const uint32_t row_bytes = 32 + (pitch == width ? 0 : pitch * sizeof(T));
  temporary.Require(kBlock * row_bytes);
  uint32_t most = static_cast<uint32_t>(temporary.bytes() / row_bytes);
  if (most > rows) most = rows;
  most = (most + kBlock - 1) / kBlock * kBlock;
  if (most * row_bytes > temporary.bytes()) most -= kBlock;
  const AscendC::LocalTensor<T> blocks = temporary.Take<T>(most * kBlock);
  AscendC::LocalTensor<T> padded;
  if (pitch != width) padded = temporary.Take<T>(most * pitch);
  for (uint32_t first = 0; first < rows; first += most) {
    const uint32_t now = rows - first < most ? rows - first : most;
    AscendC::Brcb(blocks, from[first], (now + 7) / 8, {1, 8});
    AscendC::PipeBarrier<PIPE_V>();
    const AscendC::LocalTensor<T> result = to[first * width];
    const AscendC::LocalTensor<T> filled = pitch == width ? result : padded;
    ForEachTile(now, pitch, 256 / sizeof(T), RowBlocks<T>(pitch),
                FillRowsStep<T>{filled, blocks, pitch});
    AscendC::PipeBarrier<PIPE_V>();
    if (pitch != width) {
      constexpr uint8_t kAll = 7;
      uint64_t kept = 0;
      AscendC::GatherMask(result, padded, kAll, true, width,
                          {1, static_cast<uint16_t>(now),
                           static_cast<uint16_t>(RowBlocks<T>(pitch)), 0},
                          kept);
      AscendC::SetMaskNorm();
      AscendC::ResetMask();
      AscendC::PipeBarrier<PIPE_V>();
    }
  }
}

template <typename T>
struct RepeatRowStep {
  const AscendC::LocalTensor<T>& to;
  const AscendC::LocalTensor<T>& row;
  uint32_t width;

  BELAY_API void operator()(uint32_t first, uint32_t column, uint32_t rows,
                            uint32_t lanes) const {
    AscendC::Copy(to[first * width + column], row[column], lanes, rows,
                  {1, 1, static_cast<uint16_t>(RowBlocks<T>(width)), 0});
  }
};

// to[i][j] = from[j]; rows must be whole blocks.
template <typename T>
BELAY_API void BroadcastRow(const AscendC::LocalTensor<T>& to,
                            const AscendC::LocalTensor<T>& from, uint32_t rows,
                            uint32_t width) {
  RequireArgument(width * sizeof(T) % 32 == 0, kBroadcast,
                  "bytes of a row must be a multiple of 32 where rows are "
                  "repeated",
                  width * sizeof(T));
  ForEachTile(rows, width, 256 / sizeof(T), RowBlocks<T>(width),
              RepeatRowStep<T>{to, from, width});
  AscendC::PipeBarrier<PIPE_V>();
}

template <int32_t dim, int32_t axis, typename T>
BELAY_API void BroadcastWords(const AscendC::LocalTensor<T>& dst,
                              const AscendC::LocalTensor<T>& src,
                              const uint32_t* to, const uint32_t* from,
                              Temporary temporary) {
  RequireArgument(from[axis] == 1 || from[axis] == to[axis], kBroadcast,
                  "srcShape[axis] must be 1 or dstShape[axis]", from[axis]);
  uint32_t count = 1;
  for (int32_t i = 0; i < dim; ++i) count *= to[i];
  if (count == 0) return;
  if (from[axis] == to[axis]) {
    // Nothing to repeat: a row of its own length.
    const uint32_t padded =
        static_cast<uint32_t>(BlockBytes(count, sizeof(T)) / sizeof(T));
    AscendC::DataCopy(dst, src, padded);
    AscendC::PipeBarrier<PIPE_V>();
  } else if constexpr (dim == 1) {
    BroadcastColumn(dst, src, 1, to[0], temporary);
  } else if constexpr (axis == 1) {
    BroadcastColumn(dst, src, to[0], to[1], temporary);
  } else {
    BroadcastRow(dst, src, to[0], to[1]);
  }
}

template <int32_t dim, int32_t axis, typename T>
BELAY_API void BroadcastImpl(const AscendC::LocalTensor<T>& dst,
                             const AscendC::LocalTensor<T>& src,
                             const uint32_t* to, const uint32_t* from,
                             Temporary temporary) {
  static_assert(dim == 1 || dim == 2,
                "AscendC::Broadcast takes one or two dimensions");
  static_assert(axis >= 0 && axis < dim,
                "AscendC::Broadcast: axis must be below dim");
  static_assert(sizeof(T) == 2 || sizeof(T) == 4 ||
                    IsIn<T>(kSetOf<DType::kInt8, DType::kUint8>),
                "AscendC::Broadcast takes int8_t, uint8_t and types of two or "
                "four bytes");
  if constexpr (sizeof(T) == 1) {
    uint32_t source = 1;
    uint32_t result = 1;
    for (int32_t i = 0; i < dim; ++i) {
      source *= from[i];
      result *= to[i];
    }
    if (result == 0) return;
    const AscendC::LocalTensor<half> narrow = temporary.Take<half>(source);
    const AscendC::LocalTensor<half> wide = temporary.Take<half>(result);
    AscendC::Cast(narrow, src, AscendC::RoundMode::CAST_NONE, source);
    AscendC::PipeBarrier<PIPE_V>();
    BroadcastWords<dim, axis>(wide, narrow, to, from, temporary);
    AscendC::Cast(dst, wide, AscendC::RoundMode::CAST_NONE, result);
    AscendC::PipeBarrier<PIPE_V>();
  } else {
    BroadcastWords<dim, axis>(dst, src, to, from, temporary);
  }
}

}  // namespace belay::api

namespace AscendC {

// BroadCast is the older name.
#define BELAY_BROADCAST(name)                                                  \
  template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false> \
  BELAY_API void name(                                                         \
      const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,          \
      const uint32_t dstShape[dim], const uint32_t srcShape[dim],              \
      LocalTensor<uint8_t>& sharedTmpBuffer) {                                 \
    belay::api::BroadcastImpl<dim, axis>(                                      \
        dstLocal, srcLocal, dstShape, srcShape,                                \
        belay::api::Temporary(belay::api::kBroadcast, sharedTmpBuffer));       \
  }                                                                            \
  template <typename T, int32_t dim, int32_t axis, bool isReuseSource = false> \
  BELAY_API void name(                                                         \
      const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,          \
      const uint32_t dstShape[dim], const uint32_t srcShape[dim]) {            \
    belay::api::BroadcastImpl<dim, axis>(                                      \
        dstLocal, srcLocal, dstShape, srcShape,                                \
        belay::api::Temporary(belay::api::kBroadcast));                        \
  }

BELAY_BROADCAST(Broadcast)
BELAY_BROADCAST(BroadCast)
#undef BELAY_BROADCAST

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_TRANSFORM_BROADCAST_H_
