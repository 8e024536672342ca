// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_NORM_COLUMNS_H_
#define BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_NORM_COLUMNS_H_

// A matrix of T gone through in chunks of columns, as many as the temporary
// buffer takes, a row at a time in float.

#include "ascendc/high_level/normalization/norm_rows.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

template <typename T>
class ColumnChunks {
 public:
  BELAY_API ColumnChunks(Temporary& temporary, uint32_t width) : width_(width) {
    RequireArgument(width * sizeof(T) % 32 == 0, temporary.name(),
                    "the length of a stored row must be a whole number of "
                    "32-byte blocks in elements",
                    width);
    temporary.Require(kLeastColumns * kColumnBytes);
    const uint64_t columns = temporary.bytes() / kColumnBytes;
    chunk_ = columns < width ? static_cast<uint32_t>(columns / 16 * 16) : width;
    values_ = temporary.Take<float>(uint64_t{chunk_} * 4);
  }

  // To the next chunk; false when there is none.
  BELAY_API bool Next() {
    column_ += count_;
    if (column_ >= width_) return false;
    const uint32_t left = width_ - column_;
    count_ = left < chunk_ ? left : chunk_;
    return true;
  }

  BELAY_API uint32_t column() const { return column_; }
  BELAY_API uint32_t count() const { return count_; }
  // One value a column.
  BELAY_API Floats Values(uint32_t index) const {
    return values_[index * chunk_];
  }
  // The chunk's columns of a row, in Values(index) unless they can stay.
  BELAY_API Floats Load(const View<T>& source, uint32_t row, uint32_t index) {
    const View<T> part = source[row * width_ + column_];
    if constexpr (std::is_same_v<T, float>) {
      return part;
    } else {
      Convert(Values(index), part, count_);
      return Values(index);
    }
  }

 private:
  uint32_t width_;
  uint32_t chunk_ = 0;
  uint32_t column_ = 0;
  uint32_t count_ = 0;
  Floats values_;
};

}  // namespace belay::api

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_NORM_COLUMNS_H_
