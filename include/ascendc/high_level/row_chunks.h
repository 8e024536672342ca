// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_ROW_CHUNKS_H_
#define BELAY_ASCENDC_HIGH_LEVEL_ROW_CHUNKS_H_

// A matrix of T gone through in chunks of rows, as many as the temporary
// buffer takes. Functions compute in float: a chunk of float in row order is
// used where it lies, any other has a copy.

#include "ascendc/high_level/float_rows.h"
#include "ascendc/high_level/row_space.h"
#include "ascendc/high_level/temporary.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// Elements across a column of fractals in the NZ format.
inline constexpr uint32_t kFractalWidth = 16;

template <typename T, bool isNz = false>
class RowChunks {
 public:
  static constexpr bool kIsDirect = std::is_same_v<T, float> && !isNz;

  // Copies a function needs that keeps `matrices` of a chunk, the first of them
  // where the chunk itself would lie.
  static constexpr uint32_t Copies(uint32_t matrices) {
    return kIsDirect ? matrices - 1 : matrices;
  }

  // `matrices` float copies of a chunk, which has `most` rows at the most.
  BELAY_API RowChunks(Temporary& temporary, uint32_t rows, uint32_t width,
                      uint32_t columns, uint32_t matrices,
                      uint32_t most = UINT32_MAX)
      : all_rows_(rows), width_(width), columns_(columns) {
    RequireArgument(width * sizeof(T) % 32 == 0, temporary.name(),
                    "the length of a stored row must be a whole number of "
                    "32-byte blocks in elements",
                    width);
    RequireArgument(columns <= width, temporary.name(),
                    "the row of the data must not be longer than the stored "
                    "one",
                    columns);
    RequireArgument(!isNz || width % kFractalWidth == 0, temporary.name(),
                    "the length of a row in NZ must be a multiple of 16",
                    width);
    const RowSpace space = SpaceOfRows(width, matrices);
    chunk_ = space.RowsIn(temporary.bytes(), rows);
    if (chunk_ == 0) temporary.Require(space.Bytes(1));
    if (chunk_ > most) chunk_ = most;
    const uint32_t rounded = Stored();
    const uint64_t fold = FoldBytes(chunk_, columns);
    const uint64_t blocks = uint64_t{rounded} * 64;
    fold_ = temporary.Take<float>((fold > blocks ? fold : blocks) / 4);
    values_ = temporary.Take<float>(rounded * kRowColumns);
    narrow_ = temporary.Take<half>(rounded);
    if (matrices != 0) {
      matrices_ = temporary.Take<float>(uint64_t{chunk_} * width * matrices);
    }
  }

  // To the next chunk; false when there is none.
  BELAY_API bool Next() {
    row_ += count_;
    if (row_ >= all_rows_) return false;
    const uint32_t left = all_rows_ - row_;
    count_ = left < chunk_ ? left : chunk_;
    return true;
  }

  // The chunk's first row, its rows and its elements.
  BELAY_API uint32_t row() const { return row_; }
  BELAY_API uint32_t count() const { return count_; }
  BELAY_API uint32_t size() const { return count_ * width_; }
  BELAY_API uint32_t width() const { return width_; }

  // --- the chunk as float ----------------------------------------------------

  BELAY_API Floats Matrix(uint32_t index) const {
    return matrices_[index * chunk_ * width_];
  }
  // The second of Copies(2).
  BELAY_API Floats Spare() const { return Matrix(Copies(2) - 1); }
  // The chunk of `source`, in matrix `index` unless it can stay.
  BELAY_API Floats Load(const View<T>& source, uint32_t index) {
    if constexpr (kIsDirect) {
      return source[row_ * width_];
    } else {
      const Floats matrix = Matrix(index);
      if constexpr (isNz) {
        MoveFractals<true>(source, matrix);
      } else {
        Convert(matrix, source[row_ * width_], size());
      }
      return matrix;
    }
  }
  // Where the chunk of `target` is computed, and its way from there.
  BELAY_API Floats Target(const View<T>& target, uint32_t index) const {
    if constexpr (kIsDirect) {
      return target[row_ * width_];
    } else {
      return Matrix(index);
    }
  }
  BELAY_API void Store(const View<T>& target, const Floats& from) {
    if constexpr (isNz) {
      MoveFractals<false>(target, from);
    } else if constexpr (!kIsDirect) {
      Convert(target[row_ * width_], from, size());
    }
  }

  // --- one value a row -------------------------------------------------------

  // What reductions work in: 64 values a row where rows are longer than that.
  BELAY_API const Floats& fold() const { return fold_; }
  BELAY_API Floats Values(uint32_t index) const {
    return values_[index * Stored()];
  }
  template <typename How>
  BELAY_API void Reduce(const Floats& values, const Floats& matrix) {
    ReduceRows<How>(values, matrix, count_, width_, columns_, fold_);
  }
  // A block of each value, for WithRowValues; gone at the next reduction.
  BELAY_API Floats Spread(const Floats& values) {
    SpreadToBlocks(fold_, values, count_);
    return fold_;
  }
  // dst = op(src, a value a row).
  template <Op op>
  BELAY_API void Apply(const Floats& dst, const Floats& src,
                       const Floats& blocks) {
    WithRowValues<op>(dst, src, blocks, count_, width_);
  }

  // Values of the chunk's rows from `source`: [rows, 32 bytes] when spread,
  // else [rows]. Values(7) is lost.
  template <bool isSpread, typename U>
  BELAY_API void Get(const Floats& values, const View<U>& source) {
    if constexpr (isSpread) {
      const View<U> blocks = source[row_ * kPerBlock<U>];
      if constexpr (std::is_same_v<U, float>) {
        FirstOfBlocks(values, blocks, count_);
      } else {
        FirstOfBlocks(narrow_, blocks, count_);
        Convert(values, narrow_, count_);
      }
    } else {
      const uint32_t before = row_ % kPerBlock<U>;
      const Floats whole = before == 0 ? values : Values(kRowColumns - 1);
      Convert(whole, source[row_ - before], before + count_);
      if (before == 0) return;
      SpreadToBlocks(fold_, whole, before + count_);
      FirstOfBlocks(values, fold_[before * 8], count_);
    }
  }
  // The other way.
  template <bool isSpread, typename U>
  BELAY_API void Put(const View<U>& target, const Floats& values) {
    if (!isSpread && row_ % kPerBlock<U> == 0) {
      Convert(target[row_], values, count_);
      return;
    }
    View<U> blocks;
    if constexpr (std::is_same_v<U, float>) {
      blocks = fold_;
      SpreadToBlocks(blocks, values, count_);
    } else {
      blocks = fold_[Stored() * 8].template As<U>();
      Convert(narrow_, values, count_);
      SpreadToBlocks(blocks, narrow_, count_);
    }
    if constexpr (isSpread) {
      Convert(target[row_ * kPerBlock<U>], blocks, count_ * kPerBlock<U>);
    } else {
      FirstOfBlocks(target[row_], blocks, count_);
    }
  }

 private:
  template <typename U>
  static constexpr uint32_t kPerBlock = 32 / sizeof(U);

  // Rows that per-row values have room for: a chunk that starts anywhere in a
  // block of them.
  BELAY_API uint32_t Stored() const { return RoundUp(chunk_ + 15, 8); }

  // Between the chunk's part of [width / 16][all rows][16] and its rows.
  template <bool isLoad>
  BELAY_API void MoveFractals(const View<T>& fractals, const Floats& matrix) {
    constexpr uint32_t kBlocks = kFractalWidth * sizeof(T) / 32;
    constexpr Op kOp = std::is_same_v<T, float> ? Op::kCopy : Op::kCast;
    constexpr auto kMode = static_cast<uint8_t>(
        std::is_same_v<T, float> ? AscendC::RoundMode::CAST_NONE
        : isLoad                 ? AscendC::RoundMode::CAST_NONE
                                 : AscendC::RoundMode::CAST_RINT);
    const bool is_narrow = width_ / kFloatsPerBlock <= kMostRepeats;
    const uint32_t stride = is_narrow ? width_ / kFloatsPerBlock : 8;
    const uint32_t most = is_narrow ? kMostRepeats : 1;
    for (uint32_t at = 0; at < width_; at += kFractalWidth) {
      for (uint32_t row = 0; row < count_; row += most) {
        const Operand outside =
            OperandOf(fractals[at * all_rows_ + (row_ + row) * kFractalWidth],
                      1, kBlocks);
        const Operand inside = OperandOf(matrix[row * width_ + at], 1, stride);
        const uint32_t left = count_ - row;
        IssueUnary(kOp, isLoad ? inside : outside, isLoad ? outside : inside,
                   MaskedLanes<true>(kFractalWidth, left < most ? left : most),
                   0, kMode);
      }
    }
  }

  uint32_t all_rows_;
  uint32_t width_;
  uint32_t columns_;
  uint32_t chunk_ = 0;
  uint32_t row_ = 0;
  uint32_t count_ = 0;
  Floats fold_;
  Floats values_;
  View<half> narrow_;
  Floats matrices_;
};

}  // namespace belay::api

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_ROW_CHUNKS_H_
