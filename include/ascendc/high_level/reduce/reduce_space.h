// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_REDUCE_REDUCE_SPACE_H_
#define BELAY_ASCENDC_HIGH_LEVEL_REDUCE_REDUCE_SPACE_H_

// How much temporary memory the reductions need, in bytes: shared by kernel
// and host code.

#include "ascendc/high_level/reduce/reduce_pattern.h"
#include "ascendc/high_level/row_space.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// Of rows reduced in groups: what a row takes while it is reduced. Products
// keep two copies of a row; types other than float keep one in float, bytes
// one more in half.
BELAY_API constexpr RowSpace SpaceOfReduction(uint32_t columns,
                                              uint32_t element,
                                              bool is_product) {
  const uint64_t width = (uint64_t{columns} + 31) / 32 * 32;
  const uint64_t fold = columns > 64 ? 256 : 0;
  const uint64_t copies = is_product     ? 2 * width * 4
                          : element == 4 ? 0
                          : element == 2 ? width * 4
                                         : width * 6;
  return {512 + width / 8, fold + copies + 64};
}
// Beside, for `rows` results that are not written in place.
BELAY_API constexpr uint64_t ResultBytes(uint32_t rows, uint32_t element) {
  return element == 4 ? 0 : uint64_t{rows} * 6 + 128;
}

// Of Sum: the sums of repeats, twice; Mean also converts a row.
BELAY_API constexpr uint64_t SpaceOfSum(uint32_t columns, uint32_t element) {
  const uint64_t repeats = (uint64_t{columns} * element + 255) / 256;
  return 2 * ((repeats * element + 31) / 32 * 32) + 32;
}
BELAY_API constexpr uint64_t SpaceOfMean(uint32_t columns, uint32_t element,
                                         uint32_t sum_element) {
  const uint64_t copy =
      sum_element > element ? (uint64_t{columns} * 4 + 31) / 32 * 32 : 0;
  return SpaceOfSum(columns, sum_element) + copy + 64;
}

// Of ReduceXorSum, for each element done at a time.
BELAY_API constexpr RowSpace SpaceOfXorSum() { return {224, 8}; }

}  // namespace belay::api

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_REDUCE_REDUCE_SPACE_H_
