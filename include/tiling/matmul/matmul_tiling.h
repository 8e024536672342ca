// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_MATMUL_MATMUL_TILING_H_
#define BELAY_TILING_MATMUL_MATMUL_TILING_H_

// matmul_tiling::MatmulApiTiling, for one core, MultiCoreMatmulTiling and
// BatchMatmulTiling.

#include "tiling/matmul/matmul_tiling_base.h"

namespace matmul_tiling {

// The shape of SetShape is what one core computes.
class MatmulApiTiling : public MatmulApiTilingBase {
 public:
  using MatmulApiTilingBase::MatmulApiTilingBase;
};

class MultiCoreMatmulTiling : public MatmulApiTilingBase {
 public:
  using MatmulApiTilingBase::MatmulApiTilingBase;

  // The cores there are: vector cores where these start the products.
  int32_t SetDim(int32_t dim) {
    if (dim <= 0) return -1;
    request_.cores = dim;
    return 0;
  }
  int32_t SetSingleShape(int32_t singleMIn = -1, int32_t singleNIn = -1,
                         int32_t singleKIn = -1) {
    return SetLimits(singleMIn, singleNIn, singleKIn, request_.single);
  }
  int32_t SetSingleRange(int32_t maxM = -1, int32_t maxN = -1,
                         int32_t maxK = -1, int32_t minM = -1,
                         int32_t minN = -1, int32_t minK = -1) {
    return SetRange({minM, minN, minK}, {maxM, maxN, maxK},
                    request_.least_single, request_.most_single);
  }
  // 0 and -1 leave the alignment to tiling.
  int32_t SetAlignSplit(int32_t alignM, int32_t alignN, int32_t alignK) {
    const auto step = [](int32_t value) { return value == 0 ? -1 : value; };
    return SetLimits(step(alignM), step(alignN), step(alignK),
                     request_.single_step);
  }
  void EnableMultiCoreSplitK(bool flag) { request_.may_split_k = flag ? 1 : 0; }
  void SetSplitK(bool flag) { EnableMultiCoreSplitK(flag); }

  // After GetTiling.
  int32_t GetSingleShape(int32_t& shapeM, int32_t& shapeN,
                         int32_t& shapeK) const {
    if (tiling_.usedCoreNum == 0) return -1;
    shapeM = tiling_.singleCoreM;
    shapeN = tiling_.singleCoreN;
    shapeK = tiling_.singleCoreK;
    return 0;
  }
  int32_t GetCoreNum(int32_t& dim, int32_t& mDim, int32_t& nDim) const {
    if (tiling_.usedCoreNum == 0) return -1;
    dim = tiling_.usedCoreNum;
    mDim = cores_.m;
    nDim = cores_.n;
    return 0;
  }
};

// One core computes whole batches.
class BatchMatmulTiling : public MatmulApiTilingBase {
 public:
  using MatmulApiTilingBase::MatmulApiTilingBase;

  int32_t SetSingleShape(int32_t singleMIn = -1, int32_t singleNIn = -1,
                         int32_t singleKIn = -1) {
    return SetLimits(singleMIn, singleNIn, singleKIn, request_.single);
  }
  // After GetTiling.
  int32_t GetCoreNum(int32_t& dim, int32_t& mDim, int32_t& nDim,
                     int32_t& batchCoreM, int32_t& batchCoreN) const {
    if (tiling_.usedCoreNum == 0) return -1;
    dim = tiling_.usedCoreNum;
    mDim = cores_.m;
    nDim = cores_.n;
    batchCoreM = 1;
    batchCoreN = 1;
    return 0;
  }
};

}  // namespace matmul_tiling

// What the objects of a tiling take of UB, L1 and L0C, in bytes.
inline int32_t MatmulGetTmpBufSizeV2(
    AscendC::tiling::TCubeTiling& tiling,
    matmul_tiling::SysTilingTempBufSize& bufSize) {
  bufSize = {tiling.shareUbSize, tiling.shareL1Size, tiling.shareL0CSize};
  return tiling.usedCoreNum == 0 ? -1 : 0;
}
inline int32_t MultiCoreMatmulGetTmpBufSizeV2(
    AscendC::tiling::TCubeTiling& tiling,
    matmul_tiling::SysTilingTempBufSize& bufSize) {
  return MatmulGetTmpBufSizeV2(tiling, bufSize);
}
inline int32_t BatchMatmulGetTmpBufSizeV2(
    AscendC::tiling::TCubeTiling& tiling,
    matmul_tiling::SysTilingTempBufSize& bufSize) {
  return MatmulGetTmpBufSizeV2(tiling, bufSize);
}
inline int32_t MatmulGetTmpBufSize(
    optiling::TCubeTiling& tiling,
    matmul_tiling::SysTilingTempBufSize& bufSize) {
  AscendC::tiling::TCubeTiling plain;
  tiling.SaveToBuffer(&plain, sizeof(plain));
  return MatmulGetTmpBufSizeV2(plain, bufSize);
}
inline int32_t MultiCoreMatmulGetTmpBufSize(
    optiling::TCubeTiling& tiling,
    matmul_tiling::SysTilingTempBufSize& bufSize) {
  return MatmulGetTmpBufSize(tiling, bufSize);
}
inline int32_t BatchMatmulGetTmpBufSize(
    optiling::TCubeTiling& tiling,
    matmul_tiling::SysTilingTempBufSize& bufSize) {
  return MatmulGetTmpBufSize(tiling, bufSize);
}

#endif  // BELAY_TILING_MATMUL_MATMUL_TILING_H_
