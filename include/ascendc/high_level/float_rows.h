// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_FLOAT_ROWS_H_
#define BELAY_ASCENDC_HIGH_LEVEL_FLOAT_ROWS_H_

// Matrices of float in UB, row after row: reductions of rows, and operations
// with one value a row or one value a column. A row's width is a whole number
// of 32-byte blocks. What a function wrote may be read by what follows it.

#include "ascendc/high_level/view.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

inline constexpr uint32_t kFloatsPerBlock = 8;
inline constexpr uint32_t kFloatsPerRepeat = 64;
inline constexpr uint32_t kMostRepeats = 255;

BELAY_API constexpr uint32_t RoundUp(uint32_t value, uint32_t step) {
  return (value + step - 1) / step * step;
}

// A matrix cut into pieces that one instruction can do: 64 columns of up to
// 255 rows, or, where rows are wide or few, a run of one row.
class RowWalk {
 public:
  // The first `columns` of each row.
  BELAY_API RowWalk(uint32_t rows, uint32_t width, uint32_t columns)
      : rows_(rows),
        width_(width),
        columns_(columns),
        is_down_(GoesDown(rows, width, columns)) {}

  // Whether repeats go from row to row.
  BELAY_API static bool GoesDown(uint32_t rows, uint32_t width,
                                 uint32_t columns) {
    return width / kFloatsPerBlock <= kMostRepeats &&
           columns <= 2 * rows * kFloatsPerRepeat;
  }

  // To the next piece; false when there is none.
  BELAY_API bool Next() {
    if (next_row_ >= rows_ || columns_ == 0) return false;
    row = next_row_;
    column = next_column_;
    const uint32_t left = columns_ - column;
    mask = left < kFloatsPerRepeat ? left : kFloatsPerRepeat;
    const uint32_t wanted = is_down_                  ? rows_ - row
                            : left < kFloatsPerRepeat ? 1
                                                      : left / kFloatsPerRepeat;
    repeats = wanted < kMostRepeats ? wanted : kMostRepeats;
    next_column_ = column + mask * (is_down_ ? 1 : repeats);
    if (next_column_ >= columns_) {
      next_column_ = 0;
      next_row_ = row + (is_down_ ? repeats : 1);
    }
    return true;
  }

  // The piece's first element in the matrix, and blocks between repeats.
  BELAY_API uint32_t at() const { return row * width_ + column; }
  BELAY_API uint32_t stride() const {
    return is_down_ ? width_ / kFloatsPerBlock : kFloatsPerBlock;
  }
  BELAY_API bool is_down() const { return is_down_; }

  uint32_t row = 0;
  uint32_t column = 0;
  uint32_t mask = 0;
  uint32_t repeats = 0;

 private:
  uint32_t rows_;
  uint32_t width_;
  uint32_t columns_;
  bool is_down_;
  uint32_t next_row_ = 0;
  uint32_t next_column_ = 0;
};

// dst = op(src, values) with one block of equal values a row in `values`.
// dst may be src.
template <Op op>
BELAY_API void WithRowValues(const Floats& dst, const Floats& src,
                             const Floats& values, uint32_t rows,
                             uint32_t width) {
  RowWalk walk(rows, width, width);
  while (walk.Next()) {
    const uint32_t at = walk.at();
    IssueBinary(op, OperandOf(dst[at], 1, walk.stride()),
                OperandOf(src[at], 1, walk.stride()),
                OperandOf(values[walk.row * kFloatsPerBlock], 0,
                          walk.is_down() ? 1 : 0),
                MaskedLanes<true>(walk.mask, walk.repeats));
  }
  Settle();
}

// dst = op(src, values) with one value a column in `values`. dst may be src.
template <Op op>
BELAY_API void WithColumnValues(const Floats& dst, const Floats& src,
                                const Floats& values, uint32_t rows,
                                uint32_t width) {
  RowWalk walk(rows, width, width);
  while (walk.Next()) {
    const uint32_t at = walk.at();
    IssueBinary(
        op, OperandOf(dst[at], 1, walk.stride()),
        OperandOf(src[at], 1, walk.stride()),
        OperandOf(values[walk.column], 1, walk.is_down() ? 0 : kFloatsPerBlock),
        MaskedLanes<true>(walk.mask, walk.repeats));
  }
  Settle();
}

// What a reduction of rows needs beside its operands, in bytes.
BELAY_API constexpr uint64_t FoldBytes(uint32_t rows, uint32_t columns) {
  const uint64_t down = columns > kFloatsPerRepeat ? uint64_t{rows} * 256 : 0;
  const uint64_t along = RoundUp(columns / 32 + 2, 8) * sizeof(float);
  return down > along ? down : along;
}

// How rows are reduced.
struct SumOfRow {
  static constexpr Op kPair = Op::kAdd;
  static constexpr Op kRepeat = Op::kWholeReduceSum;
  static constexpr Op kRow = Op::kReduceSum;
};
struct MaxOfRow {
  static constexpr Op kPair = Op::kMax;
  static constexpr Op kRepeat = Op::kWholeReduceMax;
  static constexpr Op kRow = Op::kReduceMax;
};
struct MinOfRow {
  static constexpr Op kPair = Op::kMin;
  static constexpr Op kRepeat = Op::kWholeReduceMin;
  static constexpr Op kRow = Op::kReduceMin;
};

// results[r] = the first `columns` of row r, reduced. `results` may lie at any
// element; `fold` has FoldBytes.
template <typename How>
BELAY_API void ReduceRows(const Floats& results, const Floats& src,
                          uint32_t rows, uint32_t width, uint32_t columns,
                          const Floats& fold) {
  constexpr auto kOnlyValue =
      static_cast<uint8_t>(AscendC::ReduceOrder::ORDER_ONLY_VALUE);
  if (!RowWalk::GoesDown(rows, width, columns)) {
    for (uint32_t row = 0; row < rows; ++row) {
      IssueBinary(How::kRow, OperandOf(results[row], 1, 8),
                  OperandOf(src[row * width], 1, 8), OperandOf(fold, 1, 8),
                  FirstLanes(columns));
    }
    Settle();
    return;
  }
  const uint32_t stride = width / kFloatsPerBlock;
  for (uint32_t row = 0; row < rows; row += kMostRepeats) {
    const uint32_t left = rows - row;
    const uint32_t repeats = left < kMostRepeats ? left : kMostRepeats;
    const Floats top = src[row * width];
    const bool is_folded = columns > kFloatsPerRepeat;
    if (is_folded) {
      IssueUnary(Op::kCopy, OperandOf(fold, 1, 8), OperandOf(top, 1, stride),
                 MaskedLanes<true>(kFloatsPerRepeat, repeats));
      Settle();
    }
    for (uint32_t at = kFloatsPerRepeat; at < columns; at += kFloatsPerRepeat) {
      const uint32_t more = columns - at;
      IssueBinary(
          How::kPair, OperandOf(fold, 1, 8), OperandOf(fold, 1, 8),
          OperandOf(top[at], 1, stride),
          MaskedLanes<true>(more < kFloatsPerRepeat ? more : kFloatsPerRepeat,
                            repeats));
      Settle();
    }
    IssueUnary(
        How::kRepeat, OperandOf(results[row], 1, 1),
        is_folded ? OperandOf(fold, 1, 8) : OperandOf(top, 1, stride),
        MaskedLanes<true>(is_folded ? kFloatsPerRepeat : columns, repeats), 0,
        kOnlyValue);
    Settle();
  }
}

// A block of equal values for each of `count` values; writes whole groups of
// eight blocks.
template <typename T>
BELAY_API void SpreadToBlocks(const View<T>& blocks, const View<T>& values,
                              uint32_t count) {
  for (uint32_t at = 0; at < count; at += 8 * kMostRepeats) {
    const uint32_t groups = (count - at + 7) / 8;
    Instruction record{};
    record.op = Op::kBrcb;
    record.form = Form::kRegister;
    record.repeat = groups < kMostRepeats ? groups : kMostRepeats;
    record.dst = OperandOf(blocks[at * (32 / sizeof(T))], 1, 8);
    record.src0 = OperandOf(values[at], 1, 1);
    belay_issue(&record);
  }
  Settle();
}

// values[i] = the first element of block i. `values` may lie at any element.
template <typename T>
BELAY_API void FirstOfBlocks(const View<T>& values, const View<T>& blocks,
                             uint32_t count) {
  for (uint32_t at = 0; at < count; at += kMostRepeats) {
    const uint32_t left = count - at;
    IssueUnary(Op::kWholeReduceSum, OperandOf(values[at], 1, 1),
               OperandOf(blocks[at * (32 / sizeof(T))], 1, 1),
               MaskedLanes<true>(1, left < kMostRepeats ? left : kMostRepeats));
  }
  Settle();
}

}  // namespace belay::api

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_FLOAT_ROWS_H_
