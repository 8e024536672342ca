// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_MATH_CUM_SUM_H_
#define BELAY_ASCENDC_HIGH_LEVEL_MATH_CUM_SUM_H_

// CumSum: running sums down the rows of a matrix, or along them. In float,
// line after line; half is rounded at the end.

#include "ascendc/cast.h"
#include "ascendc/fill.h"
#include "ascendc/gather.h"
#include "ascendc/high_level/math/configurations.h"
#include "ascendc/high_level/temporary.h"
#include "ascendc/sync.h"
#include "ascendc/system.h"
#include "ascendc/vector_binary.h"
#include "ascendc/vector_scalar.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

template <typename T>
BELAY_API void CopyToFloat(const AscendC::LocalTensor<float>& to,
                           const AscendC::LocalTensor<T>& from, int64_t count) {
  if constexpr (kDTypeOf<AscendC::PrimT<T>> == DType::kFloat) {
    AscendC::Muls(to, from, 1.0f, count);
  } else {
    AscendC::Cast(to, from, AscendC::RoundMode::CAST_NONE, count);
  }
  AscendC::PipeBarrier<PIPE_V>();
}
template <typename T>
BELAY_API void CopyFromFloat(const AscendC::LocalTensor<T>& to,
                             const AscendC::LocalTensor<float>& from,
                             int64_t count) {
  if constexpr (kDTypeOf<AscendC::PrimT<T>> == DType::kFloat) {
    AscendC::Muls(to, from, 1.0f, count);
  } else {
    AscendC::Cast(to, from, AscendC::RoundMode::CAST_RINT, count);
  }
  AscendC::PipeBarrier<PIPE_V>();
}

template <typename T>
BELAY_API void CumSumDown(Temporary& temporary,
                          const AscendC::LocalTensor<T>& dst,
                          const AscendC::LocalTensor<T>& src, uint32_t rows,
                          uint32_t columns) {
  const auto sum = temporary.Take<float>(columns);
  const auto line = temporary.Take<float>(columns);
  CopyToFloat(sum, src, columns);
  CopyFromFloat(dst, sum, columns);
  for (uint32_t row = 1; row < rows; ++row) {
    CopyToFloat(line, src[row * columns], columns);
    AscendC::Add(sum, sum, line, int64_t{columns});
    AscendC::PipeBarrier<PIPE_V>();
    CopyFromFloat(dst[row * columns], sum, columns);
  }
}

// Eight rows at a time: turned, so that a column is a block, summed block
// after block, and turned back.
template <typename T>
BELAY_API void CumSumAlong(Temporary& temporary,
                           const AscendC::LocalTensor<T>& dst,
                           const AscendC::LocalTensor<T>& src, uint32_t rows,
                           uint32_t columns) {
  const uint32_t area = kCumSumRows * columns;
  const auto turned = temporary.Take<float>(area);
  const auto straight = temporary.Take<float>(area);
  const auto offsets = temporary.Take<int32_t>(area);
  const auto bytes = offsets.template ReinterpretCast<uint32_t>();
  const auto work = turned.template ReinterpretCast<int32_t>();
  for (uint32_t first = 0; first < rows; first += kCumSumRows) {
    const uint32_t now =
        rows - first < kCumSumRows ? rows - first : kCumSumRows;
    CopyToFloat(straight, src[first * columns], int64_t{now} * columns);
    // Element 8·j + r of the turned rows is element j of row r; rows that are
    // not there repeat the first.
    AscendC::CreateVecIndex(offsets, 0, area);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::ShiftRight(work, offsets, 3, int64_t{area});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Muls(work, work, -8, int64_t{area});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Add(work, offsets, work, int64_t{area});
    AscendC::ShiftRight(offsets, offsets, 3, int64_t{area});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Mins(work, work, static_cast<int32_t>(now - 1), int64_t{area});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Muls(work, work, static_cast<int32_t>(columns), int64_t{area});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Add(offsets, offsets, work, int64_t{area});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Muls(offsets, offsets, 4, int64_t{area});
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Gather(turned, straight, bytes, 0, int64_t{area});
    AscendC::PipeBarrier<PIPE_V>();
    for (uint32_t column = 1; column < columns; ++column) {
      AscendC::Add(turned[column * kCumSumRows], turned[column * kCumSumRows],
                   turned[(column - 1) * kCumSumRows], int64_t{kCumSumRows});
      AscendC::PipeBarrier<PIPE_V>();
    }
    AscendC::CreateVecIndex(offsets, 0, columns);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Muls(offsets, offsets, 4 * static_cast<int32_t>(kCumSumRows),
                  int64_t{columns});
    AscendC::PipeBarrier<PIPE_V>();
    for (uint32_t row = 0; row < now; ++row) {
      AscendC::Gather(straight[row * columns], turned, bytes, 4 * row,
                      int64_t{columns});
    }
    AscendC::PipeBarrier<PIPE_V>();
    CopyFromFloat(dst[first * columns], straight, int64_t{now} * columns);
  }
}

template <typename T>
BELAY_API void CallCumSum(Temporary temporary,
                          const AscendC::LocalTensor<T>& dst,
                          const AscendC::LocalTensor<T>& last_row,
                          const AscendC::LocalTensor<T>& src,
                          const AscendC::CumSumConfig& config,
                          const AscendC::CumSumInfo& info) {
  BELAY_TAKES(AscendC::PrimT<T>, "CumSum", BELAY_HALF_FLOAT)
  if (ASCEND_IS_AIC) return;
  RequireArgument(info.outter > 0, "CumSum", "outter must be positive",
                  info.outter);
  RequireArgument(
      info.inner > 0 && info.inner * sizeof(AscendC::PrimT<T>) % 32 == 0,
      "CumSum", "rows must be whole blocks of 32 bytes, inner elements long",
      info.inner);
  temporary.Require(CumSumBytes(config.isLastAxis, info.inner));
  if (config.isLastAxis) {
    CumSumAlong(temporary, dst, src, info.outter, info.inner);
  } else {
    CumSumDown(temporary, dst, src, info.outter, info.inner);
  }
  if (config.outputLastRow) {
    const uint32_t last = (info.outter - 1) * info.inner;
    AscendC::Muls(last_row, dst[last], static_cast<T>(1), int64_t{info.inner});
    AscendC::PipeBarrier<PIPE_V>();
  }
}

}  // namespace belay::api

namespace AscendC {

template <typename T, const CumSumConfig& config = defaultCumSumConfig>
BELAY_API void CumSum(const LocalTensor<T>& dstTensor,
                      const LocalTensor<T>& lastRowTensor,
                      const LocalTensor<T>& srcTensor,
                      const LocalTensor<uint8_t>& sharedTmpBuffer,
                      const CumSumInfo& cumSumInfo) {
  belay::api::CallCumSum(belay::api::Temporary("CumSum", sharedTmpBuffer),
                         dstTensor, lastRowTensor, srcTensor, config,
                         cumSumInfo);
}
template <typename T, const CumSumConfig& config = defaultCumSumConfig>
BELAY_API void CumSum(const LocalTensor<T>& dstTensor,
                      const LocalTensor<T>& lastRowTensor,
                      const LocalTensor<T>& srcTensor,
                      const CumSumInfo& cumSumInfo) {
  belay::api::CallCumSum(belay::api::Temporary("CumSum"), dstTensor,
                         lastRowTensor, srcTensor, config, cumSumInfo);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_MATH_CUM_SUM_H_
