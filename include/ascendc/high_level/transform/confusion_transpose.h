// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_TRANSFORM_CONFUSION_TRANSPOSE_H_
#define BELAY_ASCENDC_HIGH_LEVEL_TRANSFORM_CONFUSION_TRANSPOSE_H_

// Transpose with a tiling: exchanges axes, splits or merges the last one, and
// changes from NZ to ND on the way. In NZ a matrix [S, D] lies as columns of
// 16: element (s, d) at ((d / 16) · S + s) · 16 + d % 16.

#include "ascendc/data_copy.h"
#include "ascendc/fill.h"
#include "ascendc/gather.h"
#include "ascendc/high_level/rows.h"
#include "ascendc/high_level/temporary.h"
#include "ascendc/high_level/transform/pad_tiling.h"
#include "ascendc/transpose.h"
#include "ascendc/vector_scalar.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

inline constexpr char kTransposeName[] = "Transpose";
inline constexpr uint32_t kFractal = 16;

BELAY_API uint32_t PadToFractal(uint32_t length) {
  return (length + kFractal - 1) / kFractal * kFractal;
}

// Moves `rows` pieces of 16 elements, `from` and `to` so many elements apart.
template <typename T>
BELAY_API void MovePieces(const AscendC::LocalTensor<T>& dst, uint32_t to,
                          const AscendC::LocalTensor<T>& src, uint32_t from,
                          uint32_t rows) {
  constexpr uint16_t kBlocks = kFractal * sizeof(T) / 32;
  AscendC::DataCopy(dst, src,
                    {static_cast<uint16_t>(rows), kBlocks,
                     static_cast<uint16_t>(RowBlocks<T>(from) - kBlocks),
                     static_cast<uint16_t>(RowBlocks<T>(to) - kBlocks)});
}

// out[j][i] = in[i][j]: row j is gathered from column j.
template <typename T>
BELAY_API void TransposePlain(const AscendC::LocalTensor<T>& dst,
                              const AscendC::LocalTensor<T>& src,
                              uint32_t height, uint32_t width,
                              Temporary temporary) {
  RequireArgument(height % kFractal == 0 && width % kFractal == 0,
                  kTransposeName, "height and width must be multiples of 16",
                  height % kFractal != 0 ? height : width);
  const AscendC::LocalTensor<int32_t> offsets = temporary.Take<int32_t>(height);
  AscendC::CreateVecIndex(offsets, 0, height);
  AscendC::PipeBarrier<PIPE_V>();
  AscendC::Muls(offsets, offsets, static_cast<int32_t>(width * sizeof(T)),
                height);
  AscendC::PipeBarrier<PIPE_V>();
  for (uint32_t column = 0; column < width; ++column) {
    AscendC::Gather(dst[column * height], src,
                    offsets.template ReinterpretCast<uint32_t>(),
                    column * sizeof(T), height);
  }
  AscendC::PipeBarrier<PIPE_V>();
}

// A matrix in NZ whose columns are read 16 at a time from any column on: the
// results lie as [S][16].
template <typename T>
class ColumnReader {
 public:
  BELAY_API ColumnReader(const AscendC::LocalTensor<T>& src, uint32_t rows,
                         Temporary& temporary)
      : src_(src), rows_(rows) {
    offsets_ = temporary.Take<int32_t>(rows * kFractal);
    AscendC::CreateVecIndex(offsets_, 0, rows * kFractal);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Muls(offsets_, offsets_, static_cast<int32_t>(sizeof(T)),
                  rows * kFractal);
    AscendC::PipeBarrier<PIPE_V>();
  }

  // Columns [first, last) of every 16 results, from element `start` on, where
  // result 0 of row 0 would lie.
  BELAY_API void Read(const AscendC::LocalTensor<T>& to, uint32_t first,
                      uint32_t last, uint32_t start) const {
    constexpr uint32_t kLanes = 256 / sizeof(T);
    const uint64_t piece =
        ((uint64_t{1} << last) - 1) & ~((uint64_t{1} << first) - 1);
    const uint64_t word = piece * 0x0001000100010001u;
    const uint64_t mask[2] = {word, word};
    const uint32_t repeats = rows_ * kFractal / kLanes;
    const auto offsets = offsets_.template ReinterpretCast<uint32_t>();
    for (uint32_t done = 0; done < repeats; done += 255) {
      AscendC::Gather(to[done * kLanes], src_, offsets[done * kLanes],
                      start * sizeof(T), mask,
                      repeats - done < 255 ? repeats - done : 255, 8);
    }
  }

 private:
  AscendC::LocalTensor<T> src_;
  uint32_t rows_;
  AscendC::LocalTensor<int32_t> offsets_;
};

// [B, N, S, D] as the tiling tells it.
struct TransposeShape {
  uint32_t b;
  uint32_t n;
  uint32_t s;
  uint32_t d;
};

// NZ of [B, N, S, D] to [B, S, N, D]: ND, or NZ of [N, D] in each [B, S].
template <bool to_nz, typename T>
BELAY_API void ExchangeMiddle(const AscendC::LocalTensor<T>& dst,
                              const AscendC::LocalTensor<T>& src,
                              const TransposeShape& shape) {
  RequireArgument(shape.s % kFractal == 0 && shape.d % kFractal == 0,
                  kTransposeName, "S and H/N must be multiples of 16",
                  shape.s % kFractal != 0 ? shape.s : shape.d);
  RequireArgument(!to_nz || shape.n % kFractal == 0, kTransposeName,
                  "N must be a multiple of 16 where the result is NZ", shape.n);
  const uint32_t row = shape.n * shape.d;  // of the result, for one s
  for (uint32_t b = 0; b < shape.b; ++b) {
    for (uint32_t n = 0; n < shape.n; ++n) {
      for (uint32_t piece = 0; piece < shape.d / kFractal; ++piece) {
        const uint32_t from =
            ((b * shape.n + n) * shape.d + piece * kFractal) * shape.s;
        const uint32_t to =
            b * shape.s * row + (to_nz ? (piece * shape.n + n) * kFractal
                                       : n * shape.d + piece * kFractal);
        MovePieces(dst[to], row, src[from], kFractal, shape.s);
      }
    }
  }
  AscendC::PipeBarrier<PIPE_V>();
}

// NZ of [B, S, H] to [B, N, S, H/N], NZ or ND; H/N is padded to 16 there.
template <bool to_nz, typename T>
BELAY_API void SplitLast(const AscendC::LocalTensor<T>& dst,
                         const AscendC::LocalTensor<T>& src,
                         const TransposeShape& shape, Temporary temporary) {
  const uint32_t padded = PadToFractal(shape.d);
  const uint32_t image = PadToFractal(shape.n * shape.d) * shape.s;
  const uint32_t column = shape.s * kFractal;  // 16 columns in NZ
  AscendC::LocalTensor<T> work;
  if constexpr (!to_nz) work = temporary.Take<T>(column);
  const ColumnReader<T> reader(src, shape.s, temporary);
  for (uint32_t b = 0; b < shape.b; ++b) {
    for (uint32_t n = 0; n < shape.n; ++n) {
      for (uint32_t d = 0; d < shape.d; d += kFractal) {
        const uint32_t to = (b * shape.n + n) * padded * shape.s;
        const AscendC::LocalTensor<T> result = dst[to + d * shape.s];
        const AscendC::LocalTensor<T> piece = to_nz ? result : work;
        const uint32_t left = shape.d - d;
        const uint32_t wide = left < kFractal ? left : kFractal;
        const uint32_t h = n * shape.d + d;
        const uint32_t shift = h % kFractal;
        const uint32_t start = b * image + h / kFractal * column + shift;
        const uint32_t here = kFractal - shift < wide ? kFractal - shift : wide;
        reader.Read(piece, 0, here, start);
        if (here < wide) {
          reader.Read(piece, here, wide, start + column - kFractal);
        }
        AscendC::PipeBarrier<PIPE_V>();
        if constexpr (!to_nz) {
          MovePieces(dst[to + d], padded, work, kFractal, shape.s);
          AscendC::PipeBarrier<PIPE_V>();
        }
      }
    }
  }
}

// NZ of [B, N, S, H/N], H/N padded to 16, to [B, S, H], NZ or ND.
template <bool to_nz, typename T>
BELAY_API void MergeLast(const AscendC::LocalTensor<T>& dst,
                         const AscendC::LocalTensor<T>& src,
                         const TransposeShape& shape, Temporary temporary) {
  const uint32_t width = shape.n * shape.d;
  const uint32_t padded = PadToFractal(width);
  const uint32_t head = PadToFractal(shape.d) * shape.s;  // of one n
  const uint32_t column = shape.s * kFractal;
  AscendC::LocalTensor<T> work;
  if constexpr (!to_nz) work = temporary.Take<T>(column);
  const ColumnReader<T> reader(src, shape.s, temporary);
  for (uint32_t b = 0; b < shape.b; ++b) {
    for (uint32_t h = 0; h < width; h += kFractal) {
      const uint32_t to = b * padded * shape.s;
      const AscendC::LocalTensor<T> piece =
          to_nz ? dst[to + h * shape.s] : work;
      const uint32_t left = width - h;
      const uint32_t wide = left < kFractal ? left : kFractal;
      // One head after the other, one column of 16 after the other.
      for (uint32_t first = 0; first < wide;) {
        const uint32_t n = (h + first) / shape.d;
        const uint32_t d = (h + first) % shape.d;
        const uint32_t in_head = shape.d - d;
        const uint32_t in_column = kFractal - d % kFractal;
        uint32_t count = in_head < in_column ? in_head : in_column;
        if (count > wide - first) count = wide - first;
        reader.Read(piece, first, first + count,
                    (b * shape.n + n) * head + d / kFractal * column +
                        d % kFractal - first);
        first += count;
      }
      AscendC::PipeBarrier<PIPE_V>();
      if constexpr (!to_nz) {
        MovePieces(dst[to + h], padded, work, kFractal, shape.s);
        AscendC::PipeBarrier<PIPE_V>();
      }
    }
  }
}

template <typename T>
BELAY_API void ConfusionTransposeImpl(
    const AscendC::LocalTensor<T>& dst, const AscendC::LocalTensor<T>& src,
    AscendC::TransposeType type,
    const AscendC::tiling::ConfusionTransposeTiling& tiling,
    Temporary temporary) {
  static_assert(
      IsIn<T>(kSetOf<DType::kInt16, DType::kUint16, DType::kHalf, DType::kInt32,
                     DType::kUint32, DType::kFloat>),
      "AscendC::Transpose takes int16_t, uint16_t, half, int32_t, uint32_t or "
      "float");
  using AscendC::TransposeType;
  const TransposeShape shape{tiling.param0, tiling.param1, tiling.param2,
                             tiling.param3};
  if (shape.b * shape.n * shape.s * shape.d == 0) return;
  RequireArgument(shape.s % kFractal == 0, kTransposeName,
                  "S must be a multiple of 16", shape.s);
  switch (type) {
    case TransposeType::TRANSPOSE_NZ2ND_0213:
      return ExchangeMiddle<false>(dst, src, shape);
    case TransposeType::TRANSPOSE_NZ2NZ_0213:
      return ExchangeMiddle<true>(dst, src, shape);
    case TransposeType::TRANSPOSE_NZ2NZ_012_WITH_N:
      return SplitLast<true>(dst, src, shape, temporary);
    case TransposeType::TRANSPOSE_NZ2ND_012_WITH_N:
      return SplitLast<false>(dst, src, shape, temporary);
    case TransposeType::TRANSPOSE_NZ2ND_012_WITHOUT_N:
      return MergeLast<false>(dst, src, shape, temporary);
    case TransposeType::TRANSPOSE_NZ2NZ_012_WITHOUT_N:
      return MergeLast<true>(dst, src, shape, temporary);
    case TransposeType::TRANSPOSE_ND2ND_ONLY:
      return TransposePlain(dst, src, shape.s, shape.d, temporary);
    default:
      belay_not_on_chip("Transpose with this transposeType");
  }
}

}  // namespace belay::api

namespace AscendC {

// ConfusionTranspose is the older name.
#define BELAY_CONFUSION_TRANSPOSE(name)                                      \
  template <typename T>                                                      \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src,  \
                      const LocalTensor<uint8_t>& sharedTmpBuffer,           \
                      TransposeType transposeType,                           \
                      tiling::ConfusionTransposeTiling& tiling) {            \
    belay::api::ConfusionTransposeImpl(                                      \
        dst, src, transposeType, tiling,                                     \
        belay::api::Temporary(belay::api::kTransposeName, sharedTmpBuffer)); \
  }                                                                          \
  template <typename T>                                                      \
  BELAY_API void name(const LocalTensor<T>& dst, const LocalTensor<T>& src,  \
                      TransposeType transposeType,                           \
                      tiling::ConfusionTransposeTiling& tiling) {            \
    belay::api::ConfusionTransposeImpl(                                      \
        dst, src, transposeType, tiling,                                     \
        belay::api::Temporary(belay::api::kTransposeName));                  \
  }

BELAY_CONFUSION_TRANSPOSE(Transpose)
BELAY_CONFUSION_TRANSPOSE(ConfusionTranspose)
#undef BELAY_CONFUSION_TRANSPOSE

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_TRANSFORM_CONFUSION_TRANSPOSE_H_
