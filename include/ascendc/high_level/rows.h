// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_ROWS_H_
#define BELAY_ASCENDC_HIGH_LEVEL_ROWS_H_

// Matrices in UB: one instruction for as many rows as its repeats reach.

#include "ascendc/cast.h"
#include "ascendc/sync.h"
#include "ascendc/tensor.h"
#include "ascendc/vector_binary.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// Blocks of 32 bytes in a row of `width` elements.
template <typename T>
BELAY_API constexpr uint32_t RowBlocks(uint32_t width) {
  return width * sizeof(T) / 32;
}

// Calls step(row, column, rows, lanes) so that all of `rows` × `width` is
// covered: `rows` repeats of `lanes` elements each, at most `most` elements.
// `longest` is the longest distance between rows, in blocks: beyond what a
// repeat stride holds, each row comes alone.
template <typename Step>
BELAY_API void ForEachTile(uint32_t rows, uint32_t width, uint32_t most,
                           uint32_t longest, const Step& step) {
  const uint32_t together = longest <= 255 ? 255 : 1;
  for (uint32_t column = 0; column < width; column += most) {
    const uint32_t lanes = width - column < most ? width - column : most;
    for (uint32_t row = 0; row < rows; row += together) {
      step(row, column, rows - row < together ? rows - row : together, lanes);
    }
  }
}

struct TimesRow {
  template <typename T>
  BELAY_API static void Apply(const AscendC::LocalTensor<T>& dst,
                              const AscendC::LocalTensor<T>& src,
                              const AscendC::LocalTensor<T>& row,
                              uint32_t lanes, uint32_t rows,
                              const AscendC::BinaryRepeatParams& strides) {
    AscendC::Mul(dst, src, row, lanes, rows, strides);
  }
};
struct PlusRow {
  template <typename T>
  BELAY_API static void Apply(const AscendC::LocalTensor<T>& dst,
                              const AscendC::LocalTensor<T>& src,
                              const AscendC::LocalTensor<T>& row,
                              uint32_t lanes, uint32_t rows,
                              const AscendC::BinaryRepeatParams& strides) {
    AscendC::Add(dst, src, row, lanes, rows, strides);
  }
};

// One step of WithRow; `pitch` in elements.
template <typename Operation, typename T>
struct WithRowStep {
  const AscendC::LocalTensor<T>& matrix;
  const AscendC::LocalTensor<T>& row;
  uint32_t pitch;

  BELAY_API void operator()(uint32_t first, uint32_t column, uint32_t rows,
                            uint32_t lanes) const {
    const auto stride = static_cast<uint8_t>(RowBlocks<T>(pitch));
    const AscendC::LocalTensor<T> part = matrix[first * pitch + column];
    Operation::Apply(part, part, row[column], lanes, rows,
                     {1, 1, 1, stride, stride, 0});
  }
};

// matrix[i][j] = matrix[i][j] op row[j] for j below `width`; rows are `pitch`
// elements apart, a multiple of 32 bytes.
template <typename Operation, typename T>
BELAY_API void WithRow(const AscendC::LocalTensor<T>& matrix,
                       const AscendC::LocalTensor<T>& row, uint32_t rows,
                       uint32_t width, uint32_t pitch) {
  ForEachTile(rows, width, 256 / sizeof(T), RowBlocks<T>(pitch),
              WithRowStep<Operation, T>{matrix, row, pitch});
}

template <typename To, typename From>
struct CastRowsStep {
  const AscendC::LocalTensor<To>& to;
  const AscendC::LocalTensor<From>& from;
  uint32_t to_pitch;
  uint32_t from_pitch;
  AscendC::RoundMode mode;

  BELAY_API void operator()(uint32_t first, uint32_t column, uint32_t rows,
                            uint32_t lanes) const {
    AscendC::Cast(to[first * to_pitch + column],
                  from[first * from_pitch + column], mode, lanes, rows,
                  {1, 1, static_cast<uint8_t>(RowBlocks<To>(to_pitch)),
                   static_cast<uint8_t>(RowBlocks<From>(from_pitch))});
  }
};

// to[i][j] = from[i][j] for j below `width`; pitches as in WithRow.
template <typename To, typename From>
BELAY_API void CastRows(const AscendC::LocalTensor<To>& to,
                        const AscendC::LocalTensor<From>& from, uint32_t rows,
                        uint32_t width, uint32_t to_pitch, uint32_t from_pitch,
                        AscendC::RoundMode mode) {
  constexpr uint32_t kWide =
      sizeof(To) > sizeof(From) ? sizeof(To) : sizeof(From);
  if (to_pitch == width && from_pitch == width) {
    AscendC::Cast(to, from, mode, rows * width);
    return;
  }
  const uint32_t to_blocks = RowBlocks<To>(to_pitch);
  const uint32_t from_blocks = RowBlocks<From>(from_pitch);
  ForEachTile(rows, width, 256 / kWide,
              to_blocks > from_blocks ? to_blocks : from_blocks,
              CastRowsStep<To, From>{to, from, to_pitch, from_pitch, mode});
}

}  // namespace belay::api

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_ROWS_H_
