// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_ROW_SPACE_H_
#define BELAY_ASCENDC_HIGH_LEVEL_ROW_SPACE_H_

// How much temporary memory functions need that go by rows: shared by kernel
// and host code.

#include <stdint.h>

#include "ascendc/inline.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// Temporary bytes of a function that goes by rows: `fixed`, and `row` for each
// row it does at a time.
struct RowSpace {
  uint64_t fixed;
  uint64_t row;

  BELAY_API constexpr uint64_t Bytes(uint64_t rows) const {
    return fixed + rows * row;
  }
  // How many of `rows` fit into `bytes`.
  BELAY_API constexpr uint32_t RowsIn(uint64_t bytes, uint32_t rows) const {
    const uint64_t fit = bytes < fixed ? 0 : (bytes - fixed) / row;
    if (fit >= rows) return rows;
    const auto count = static_cast<uint32_t>(fit);
    return count > 16 ? count - count % 16 : count;
  }
};

inline constexpr uint32_t kRowColumns = 8;

// Rows of `width` elements with `matrices` copies of each in float, eight
// values a row, and what reductions of rows need.
BELAY_API constexpr RowSpace SpaceOfRows(uint32_t width, uint32_t matrices) {
  const uint64_t fold = width > 64 ? 256 : 64;
  return {2304 + width / 8,
          uint64_t{matrices} * width * 4 + fold + kRowColumns * 4 + 4};
}

}  // namespace belay::api

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_ROW_SPACE_H_
