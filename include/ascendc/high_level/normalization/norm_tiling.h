// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_NORM_TILING_H_
#define BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_NORM_TILING_H_

// What the host tells the normalisation functions, and how much temporary
// memory they need: shared by kernel and host code. Kernels read the shape
// from these structs and split it by the memory they get.

#include <stdint.h>

#include "ascendc/high_level/row_space.h"
#include "ascendc/types.h"
#include "belay/tiling_struct.h"

// What LayerNorm, DeepNorm and GroupNorm have in common.
#define BELAY_NORM_SPLIT(FIELD)          \
  FIELD(uint32_t, inputXSize)            \
  FIELD(uint32_t, meanVarSize)           \
  FIELD(uint32_t, numberOfTmpBuf)        \
  FIELD(uint32_t, meanTmpTensorPos)      \
  FIELD(uint32_t, meanTmpTensorSize)     \
  FIELD(uint32_t, varianceTmpTensorPos)  \
  FIELD(uint32_t, varianceTmpTensorSize) \
  FIELD(uint32_t, tmpBufSize)            \
  FIELD(uint32_t, oneTmpSize)            \
  FIELD(uint32_t, firstTmpStartPos)      \
  FIELD(uint32_t, secondTmpStartPos)     \
  FIELD(uint32_t, thirdTmpStartPos)      \
  FIELD(uint32_t, loopRound)             \
  FIELD(uint32_t, inputRoundSize)        \
  FIELD(uint32_t, inputTailSize)         \
  FIELD(uint32_t, inputTailPos)          \
  FIELD(uint32_t, meanVarRoundSize)      \
  FIELD(uint32_t, meanVarTailSize)       \
  FIELD(uint32_t, meanVarTailPos)        \
  FIELD(uint32_t, bshCurLength)          \
  FIELD(uint32_t, bsCurLength)

#define BELAY_LAYER_NORM_TILING(FIELD) \
  FIELD(uint32_t, bLength)             \
  FIELD(uint32_t, sLength)             \
  FIELD(uint32_t, hLength)             \
  FIELD(uint32_t, originalHLength)     \
  BELAY_NORM_SPLIT(FIELD)              \
  FIELD(float, lastDimValueBack)

#define BELAY_LAYER_NORM_SEPARATE_TILING(FIELD) \
  FIELD(uint32_t, aLength)                      \
  FIELD(uint32_t, rLength)                      \
  FIELD(uint32_t, halfAddRepeatTimes)           \
  FIELD(uint32_t, rHeadLength)                  \
  FIELD(float, k2Rec)                           \
  FIELD(float, k2RRec)                          \
  FIELD(uint32_t, inputXSize)                   \
  FIELD(uint32_t, meanVarSize)                  \
  FIELD(uint32_t, numberOfTmpBuf)               \
  FIELD(uint32_t, varianceTmpTensorPos)         \
  FIELD(uint32_t, varianceTmpTensorSize)        \
  FIELD(uint32_t, tmpBufSize)                   \
  FIELD(uint32_t, oneTmpSize)                   \
  FIELD(uint32_t, firstTmpStartPos)             \
  FIELD(uint32_t, secondTmpStartPos)            \
  FIELD(uint32_t, thirdTmpStartPos)             \
  FIELD(uint32_t, loopRound)                    \
  FIELD(uint32_t, inputRoundSize)               \
  FIELD(uint32_t, inputTailSize)                \
  FIELD(uint32_t, inputTailPos)                 \
  FIELD(uint32_t, meanVarRoundSize)             \
  FIELD(uint32_t, meanVarTailSize)              \
  FIELD(uint32_t, meanVarTailPos)               \
  FIELD(uint32_t, arCurLength)                  \
  FIELD(uint32_t, aCurLength)                   \
  FIELD(float, rValueBack)

#define BELAY_LAYER_NORM_GRAD_TILING(FIELD) \
  FIELD(uint32_t, stackBufferSize)          \
  FIELD(uint32_t, bLength)                  \
  FIELD(uint32_t, sLength)                  \
  FIELD(uint32_t, hLength)                  \
  FIELD(uint32_t, originalHLength)          \
  FIELD(uint32_t, oneCalSize)               \
  FIELD(uint32_t, nohCalSize)               \
  FIELD(uint32_t, loopNum)                  \
  FIELD(uint32_t, tailSize)                 \
  FIELD(uint32_t, nohTailSize)              \
  FIELD(uint32_t, tmpTensorBSHPos)          \
  FIELD(uint32_t, tmpTensorBSHSize)         \
  FIELD(uint32_t, pdVarTensorPos)           \
  FIELD(uint32_t, pdVarTensorSize)          \
  FIELD(uint32_t, pdMeanTensorPos)          \
  FIELD(uint32_t, pdMeanTensorSize)         \
  FIELD(uint32_t, x1TensorPos)              \
  FIELD(uint32_t, x1TensorSize)             \
  FIELD(uint32_t, x2TensorPos)              \
  FIELD(uint32_t, x2TensorSize)             \
  FIELD(uint32_t, x3TensorPos)              \
  FIELD(uint32_t, x3TensorSize)             \
  FIELD(uint32_t, tmpTensorPos)             \
  FIELD(uint32_t, tmpTensorSize)            \
  FIELD(uint32_t, tmpTensor1Pos)            \
  FIELD(uint32_t, tmpTensor1Size)           \
  FIELD(uint32_t, tmpTensor2Pos)            \
  FIELD(uint32_t, tmpTensor2Size)           \
  FIELD(uint32_t, lastDimValueBack)         \
  FIELD(uint32_t, lastDimValueBackMulTwo)

#define BELAY_LAYER_NORM_GRAD_BETA_TILING(FIELD) \
  FIELD(uint32_t, stackBufferSize)               \
  FIELD(uint32_t, bLength)                       \
  FIELD(uint32_t, sLength)                       \
  FIELD(uint32_t, hLength)                       \
  FIELD(uint32_t, originalHLength)               \
  FIELD(uint32_t, bshLength)                     \
  FIELD(uint32_t, bsLength)                      \
  FIELD(uint32_t, oneCalSize)                    \
  FIELD(uint32_t, numberOfTmpBuf)                \
  FIELD(uint32_t, loopRound)                     \
  FIELD(uint32_t, inputTailSize)                 \
  FIELD(uint32_t, inputTailPos)                  \
  FIELD(uint32_t, bsTailSize)                    \
  FIELD(uint32_t, bshCurLength)                  \
  FIELD(uint32_t, bsCurLength)                   \
  FIELD(uint32_t, gammaTempTensorPos)            \
  FIELD(uint32_t, betaTempTensorPos)             \
  FIELD(uint32_t, inputDyTmpTensorPos)           \
  FIELD(uint32_t, resForGammaTmpTensorPos)       \
  FIELD(uint32_t, reserved)

#define BELAY_RMS_NORM_TILING(FIELD) \
  FIELD(uint32_t, bLength)           \
  FIELD(uint32_t, sLength)           \
  FIELD(uint32_t, hLength)           \
  FIELD(uint32_t, originalHLength)   \
  FIELD(float, reciprocalOfHLength)  \
  FIELD(uint32_t, mainBshLength)     \
  FIELD(uint32_t, mainBsLength)      \
  FIELD(uint32_t, mainBsLengthAlign) \
  FIELD(uint32_t, loopRound)         \
  FIELD(uint32_t, inputTailPos)      \
  FIELD(uint32_t, tailBshLength)     \
  FIELD(uint32_t, tailBsLength)

#define BELAY_BATCH_NORM_TILING(FIELD)  \
  FIELD(uint32_t, originalBLength)      \
  FIELD(uint32_t, meanVarSize)          \
  FIELD(uint32_t, meanTmpTensorPos)     \
  FIELD(uint32_t, varianceTmpTensorPos) \
  FIELD(uint32_t, tmpBufSize)           \
  FIELD(uint32_t, oneTmpSize)           \
  FIELD(uint32_t, firstTmpStartPos)     \
  FIELD(uint32_t, secondTmpStartPos)    \
  FIELD(uint32_t, thirdTmpStartPos)     \
  FIELD(uint32_t, loopRound)            \
  FIELD(uint32_t, inputTailSize)        \
  FIELD(uint32_t, inputTailPos)         \
  FIELD(uint32_t, meanVarTailSize)      \
  FIELD(uint32_t, meanVarTailPos)       \
  FIELD(uint32_t, bshCurLength)         \
  FIELD(uint32_t, shCurLength)          \
  FIELD(float, firstDimValueBack)       \
  FIELD(uint32_t, castHalfRepStride)    \
  FIELD(uint32_t, shCurLengthBlockNum)  \
  FIELD(uint32_t, castHalfOutRepStride)

#define BELAY_GROUP_NORM_TILING(FIELD) \
  FIELD(uint32_t, n)                   \
  FIELD(uint32_t, c)                   \
  FIELD(uint32_t, hw)                  \
  FIELD(uint32_t, g)                   \
  FIELD(uint32_t, d)                   \
  FIELD(uint32_t, hwAlignSize)         \
  FIELD(uint32_t, dhwAlignSize)        \
  BELAY_NORM_SPLIT(FIELD)              \
  FIELD(float, factor)                 \
  FIELD(bool, smallShape)

BELAY_KERNEL_CODE_BEGIN

BELAY_TILING_STRUCT(LayerNormTiling, BELAY_LAYER_NORM_TILING)
BELAY_TILING_STRUCT(LayerNormSeparateTiling, BELAY_LAYER_NORM_SEPARATE_TILING)
BELAY_TILING_STRUCT(LayerNormGradTiling, BELAY_LAYER_NORM_GRAD_TILING)
BELAY_TILING_STRUCT(LayerNormGradBetaTiling, BELAY_LAYER_NORM_GRAD_BETA_TILING)
BELAY_TILING_STRUCT(RmsNormTiling, BELAY_RMS_NORM_TILING)
BELAY_TILING_STRUCT(BatchNormTiling, BELAY_BATCH_NORM_TILING)
BELAY_TILING_STRUCT(DeepNormTiling, BELAY_LAYER_NORM_TILING)
BELAY_TILING_STRUCT(GroupNormTiling, BELAY_GROUP_NORM_TILING)

namespace belay::api {

// Of functions that normalise rows: the row, its squares, and gamma and beta.
BELAY_API constexpr RowSpace SpaceOfNorm(uint32_t width) {
  const RowSpace space = SpaceOfRows(width, 2);
  return {space.fixed + 2 * (uint64_t{width} * 4 + 32), space.row};
}
// Functions that reduce columns keep four values a column and do 16 columns at
// the least; BatchNorm also has blocks of gamma and beta for each of `rows`.
inline constexpr uint32_t kLeastColumns = 16;
inline constexpr uint32_t kColumnBytes = 16;
BELAY_API constexpr uint64_t SpreadBytes(uint32_t rows) {
  return 2 * (uint64_t{rows} * 36 + 512);
}
// Of GroupNorm: the row, its squares, and a block for each of `channels`.
BELAY_API constexpr RowSpace SpaceOfGroupNorm(uint32_t width,
                                              uint32_t channels) {
  const RowSpace space = SpaceOfRows(width, 2);
  return {space.fixed + SpreadBytes(channels), space.row};
}
BELAY_API constexpr RowSpace SpaceOfNormGrad(uint32_t width) {
  const RowSpace space = SpaceOfRows(width, 3);
  return {space.fixed + uint64_t{width} * 4 + 32, space.row};
}
// For each element done at a time.
BELAY_API constexpr RowSpace SpaceOfWelfordUpdate() { return {96, 12}; }
BELAY_API constexpr RowSpace SpaceOfWelfordFinalize() { return {352, 8}; }

}  // namespace belay::api

namespace AscendC {

struct LayerNormConfig {
  bool isNoBeta = false;
  bool isNoGamma = false;
  bool isOnlyOutput = false;
  bool isOutputRstd = true;
};
inline constexpr LayerNormConfig LNCFG_NORM = {false, false, false, true};
inline constexpr LayerNormConfig LNCFG_NOBETA = {true, false, false, true};
inline constexpr LayerNormConfig LNCFG_NOGAMMA = {false, true, false, true};
inline constexpr LayerNormConfig LNCFG_NOOPT = {true, true, false, true};

struct LayerNormPara {
  BELAY_API constexpr LayerNormPara() {}
  BELAY_API constexpr LayerNormPara(uint32_t a, uint32_t r, uint32_t padded)
      : aLength(a), rLength(r), rLengthWithPadding(padded) {}

  uint32_t aLength = 0;
  uint32_t rLength = 0;
  uint32_t rLengthWithPadding = 0;
};
using NormalizePara = LayerNormPara;

struct LayerNormGradShapeInfo {
  DataFormat dataFormat = DataFormat::ND;
};

struct WelfordUpdateConfig {
  bool isInplace = false;
};
inline constexpr WelfordUpdateConfig WFUPDATE_DEFAULT_CFG = {false};

struct WelfordUpdateParam {
  uint32_t rnLength;
  uint32_t abLength;
  uint32_t abComputeLength;
  float nRec;
};

struct WelfordFinalizeConfig {
  bool isCorrection = false;
};
inline constexpr WelfordFinalizeConfig WFFINALIZE_DEFAULT_CFG = {false};

struct WelfordFinalizePara {
  uint32_t rnLength;
  uint32_t abLength;
  uint32_t headCount;
  uint32_t headCountLength;
  uint32_t tailCount;
  uint32_t tailCountLength;
  float abRec;
  float rRec;
  float rRecWithCorrection = 0;
};

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_NORMALIZATION_NORM_TILING_H_
