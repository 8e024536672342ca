// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_SOFTMAX_TILING_H_
#define BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_SOFTMAX_TILING_H_

// What the host tells the softmax functions, and how much temporary memory
// they need: shared by kernel and host code.

#include <stdint.h>

#include "ascendc/high_level/row_space.h"
#include "belay/tiling_struct.h"

// Rows and columns of the source; blocks of max and sum; rows done at a time.
#define BELAY_SOFTMAX_TILING(FIELD) \
  FIELD(uint32_t, srcM)             \
  FIELD(uint32_t, srcK)             \
  FIELD(uint32_t, srcSize)          \
  FIELD(uint32_t, outMaxM)          \
  FIELD(uint32_t, outMaxK)          \
  FIELD(uint32_t, outMaxSize)       \
  FIELD(uint32_t, splitM)           \
  FIELD(uint32_t, splitK)           \
  FIELD(uint32_t, splitSize)        \
  FIELD(uint32_t, reduceM)          \
  FIELD(uint32_t, reduceK)          \
  FIELD(uint32_t, reduceSize)       \
  FIELD(uint32_t, rangeM)           \
  FIELD(uint32_t, tailM)            \
  FIELD(uint32_t, tailSplitSize)    \
  FIELD(uint32_t, tailReduceSize)

BELAY_KERNEL_CODE_BEGIN

BELAY_TILING_STRUCT(SoftMaxTiling, BELAY_SOFTMAX_TILING)
BELAY_TILING_STRUCT(LogSoftMaxTiling, BELAY_SOFTMAX_TILING)

namespace belay::api {

// Float copies a function of the family keeps of a row.
inline constexpr uint32_t kSoftmaxMatrices = 1;
inline constexpr uint32_t kSoftmaxGradMatrices = 2;

// One 32-byte block a row beside.
BELAY_API constexpr RowSpace SpaceOfSoftmaxV3(uint32_t width) {
  const RowSpace space = SpaceOfRows(width, 1);
  return {space.fixed + 32, space.row + 32};
}

template <typename Tiling>
BELAY_API constexpr Tiling SplitRows(uint32_t rows, uint32_t width,
                                     uint32_t element, uint32_t bytes,
                                     const RowSpace& space) {
  Tiling tiling;
  const uint32_t per_block = 32 / element;
  const uint32_t fit = space.RowsIn(bytes, rows);
  const uint32_t split = fit == 0 ? 1 : fit;
  tiling.srcM = rows;
  tiling.srcK = width;
  tiling.srcSize = rows * width;
  tiling.outMaxM = rows;
  tiling.outMaxK = per_block;
  tiling.outMaxSize = rows * per_block;
  tiling.splitM = split;
  tiling.splitK = width;
  tiling.splitSize = split * width;
  tiling.reduceM = split;
  tiling.reduceK = per_block;
  tiling.reduceSize = split * per_block;
  tiling.rangeM = rows / split;
  tiling.tailM = rows % split;
  tiling.tailSplitSize = tiling.tailM * width;
  tiling.tailReduceSize = tiling.tailM * per_block;
  return tiling;
}

// The shapes isBasicBlock may be set for.
BELAY_API constexpr bool IsBasicBlock(uint32_t rows, uint32_t width,
                                      uint32_t element) {
  return width < 2048 && width >= 256 / element && width % 64 == 0 &&
         rows % 8 == 0;
}

}  // namespace belay::api

namespace AscendC {

// The stored shape, whose rows are whole blocks, and the shape of the data.
struct SoftMaxShapeInfo {
  BELAY_API constexpr SoftMaxShapeInfo() {}
  BELAY_API constexpr SoftMaxShapeInfo(uint32_t rows, uint32_t columns,
                                       uint32_t data_rows,
                                       uint32_t data_columns)
      : srcM(rows), srcK(columns), oriSrcM(data_rows), oriSrcK(data_columns) {}

  uint32_t srcM = 0;
  uint32_t srcK = 0;
  uint32_t oriSrcM = 0;
  uint32_t oriSrcK = 0;
};

struct SoftMaxParams {
  BELAY_API constexpr SoftMaxParams() {}
  BELAY_API constexpr SoftMaxParams(uint32_t rows, uint32_t columns,
                                    uint32_t data_rows, uint32_t data_columns,
                                    uint32_t loop_count,
                                    uint32_t split_mean_count, float factor)
      : srcM(rows),
        srcK(columns),
        oriSrcM(data_rows),
        oriSrcK(data_columns),
        loopCnt(loop_count),
        splitMeanCnt(split_mean_count),
        alpha(factor) {}

  uint32_t srcM = 0;
  uint32_t srcK = 0;
  uint32_t oriSrcM = 0;
  uint32_t oriSrcK = 0;
  uint32_t loopCnt = 0;
  uint32_t splitMeanCnt = 0;
  float alpha = 0;
};

enum class SoftmaxMode {
  SOFTMAX_NORMAL = 0,
  SOFTMAX_OUTPUT_WITHOUT_BRC = 1,
};

struct SoftmaxConfig {
  bool isCheckTiling = true;
  uint32_t oriSrcM = 0;
  uint32_t oriSrcK = 0;
  SoftmaxMode mode = SoftmaxMode::SOFTMAX_NORMAL;
};

inline constexpr SoftmaxConfig SOFTMAX_DEFAULT_CFG = {
    true, 0, 0, SoftmaxMode::SOFTMAX_NORMAL};

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_SOFTMAX_TILING_H_
