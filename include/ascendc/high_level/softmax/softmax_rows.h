// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_SOFTMAX_ROWS_H_
#define BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_SOFTMAX_ROWS_H_

// What the softmax functions share: the shape they are told, and the steps of
// a chunk of rows.

#include "ascendc/high_level/row_chunks.h"
#include "ascendc/high_level/softmax/softmax_tiling.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

struct SoftmaxShape {
  uint32_t rows;
  uint32_t width;
  uint32_t columns;
};

// The configured shape before the one at run time before the tiling's.
template <typename T, const AscendC::SoftmaxConfig& config, typename Tiling>
BELAY_API SoftmaxShape ShapeOf(const AscendC::SoftMaxShapeInfo& info,
                               const Tiling& tiling) {
  SoftmaxShape shape = {info.srcM, info.srcK, info.oriSrcK};
  if (info.srcM == 0 || info.srcK == 0) {
    shape = {tiling.srcM, tiling.srcK, tiling.srcK};
  }
  if constexpr (config.oriSrcM != 0 && config.oriSrcK != 0) {
    constexpr uint32_t kPerBlock = 32 / sizeof(T);
    shape = {config.oriSrcM,
             info.srcK != 0 ? info.srcK : RoundUp(config.oriSrcK, kPerBlock),
             config.oriSrcK};
  }
  if (shape.columns == 0) shape.columns = shape.width;
  return shape;
}

template <typename T, bool isBasicBlock>
BELAY_API void RequireBasicBlock(const char* name, const SoftmaxShape& shape) {
  if constexpr (isBasicBlock) {
    RequireArgument(IsBasicBlock(shape.rows, shape.width, sizeof(T)), name,
                    "with isBasicBlock rows must come in eights and a row must "
                    "be a multiple of 64, at least 256 bytes and under 2048 "
                    "elements long",
                    shape.width);
  }
}

// T is the data's type, U that of the values kept for each row.
template <typename T, typename U = T>
struct SoftmaxTypes {
  static_assert(std::is_same_v<T, half> || std::is_same_v<T, float>,
                "softmax takes half or float");
  static_assert(std::is_same_v<U, T> || std::is_same_v<U, float>,
                "max and sum of softmax have the type of the data, or float");
  static constexpr bool kAreTaken = true;
};

// result = exp(source - values).
template <typename Chunks>
BELAY_API void ExpOfDifference(Chunks& chunks, const Floats& result,
                               const Floats& source, const Floats& values) {
  chunks.template Apply<Op::kSub>(result, source, chunks.Spread(values));
  Each<Op::kExp>(result, result, chunks.size());
}

// values = f(values, more) for the chunk's rows.
template <Op op, typename Chunks>
BELAY_API void Combine(Chunks& chunks, const Floats& values,
                       const Floats& first, const Floats& second) {
  Both<op>(values, first, second, chunks.count());
}

}  // namespace belay::api

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_SOFTMAX_SOFTMAX_ROWS_H_
