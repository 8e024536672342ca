// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_CUBE_OTHER_CHIPS_H_
#define BELAY_ASCENDC_CUBE_OTHER_CHIPS_H_

// Names of the cube that only other chips of the family have. Code that
// mentions them compiles; a call that is reached ends the block.

#include "ascendc/cube/fixpipe.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

struct LoadData2DParamsV2 {
  BELAY_API constexpr LoadData2DParamsV2() {}

  uint32_t mStartPosition = 0;
  uint32_t kStartPosition = 0;
  uint16_t mStep = 0;
  uint16_t kStep = 0;
  int32_t srcStride = 0;
  uint16_t dstStride = 0;
  bool ifTranspose = false;
  uint8_t sid = 0;
};
template <typename T>
BELAY_API void LoadData(const LocalTensor<T>&, const LocalTensor<T>&,
                        const LoadData2DParamsV2&) {
  belay_not_on_chip("LoadData with LoadData2DParamsV2");
}
template <typename T>
BELAY_API void LoadData(const LocalTensor<T>&, const GlobalTensor<T>&,
                        const LoadData2DParamsV2&) {
  belay_not_on_chip("LoadData with LoadData2DParamsV2");
}

template <typename T>
struct LoadData3DParamsV1 {
  BELAY_API constexpr LoadData3DParamsV1() {}

  uint8_t padList[PAD_SIZE] = {0, 0, 0, 0};
  uint16_t l1H = 0;
  uint16_t l1W = 0;
  uint16_t c1Index = 0;
  uint8_t fetchFilterW = 0;
  uint8_t fetchFilterH = 0;
  int16_t leftTopW = 0;
  int16_t leftTopH = 0;
  uint8_t strideW = 1;
  uint8_t strideH = 1;
  uint8_t filterW = 1;
  uint8_t filterH = 1;
  uint8_t dilationFilterW = 1;
  uint8_t dilationFilterH = 1;
  uint8_t jumpStride = 1;
  uint8_t repeatMode = 0;
  uint8_t repeatTime = 1;
  uint8_t cSize = 0;
  T padValue = T();
};
template <
    typename T,
    const IsResetLoad3dConfig& defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG,
    typename U = PrimT<T>>
BELAY_API void LoadData(const LocalTensor<T>&, const LocalTensor<T>&,
                        const LoadData3DParamsV1<U>&) {
  belay_not_on_chip("LoadData with LoadData3DParamsV1");
}

struct LoadDataRepeatParamWithStride {
  uint16_t repeatStride = 0;
  uint8_t repeatTime = 1;
  uint8_t repeatMode = 0;
  uint16_t dstStride = 0;
};
BELAY_API void SetLoadDataRepeatWithStride(
    const LoadDataRepeatParamWithStride&) {
  belay_not_on_chip("SetLoadDataRepeatWithStride");
}
template <
    typename T,
    const IsResetLoad3dConfig& defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG,
    typename U = PrimT<T>>
BELAY_API void LoadDataWithStride(const LocalTensor<T>&, const LocalTensor<T>&,
                                  const LoadData3DParamsV2<U>&) {
  belay_not_on_chip("LoadDataWithStride");
}

template <typename T>
BELAY_API void LoadUnzipIndex(const GlobalTensor<T>&, uint32_t) {
  belay_not_on_chip("LoadUnzipIndex");
}
template <typename T>
BELAY_API void LoadDataUnzip(const LocalTensor<T>&, const GlobalTensor<T>&) {
  belay_not_on_chip("LoadDataUnzip");
}
template <typename T, typename U>
BELAY_API void BroadCastVecToMM(const LocalTensor<T>&, const LocalTensor<U>&,
                                int32_t, uint8_t, uint8_t, uint8_t) {
  belay_not_on_chip("BroadCastVecToMM");
}
template <typename T, uint8_t subBlockId = 0, typename How>
BELAY_API void DataCopyL1ToUB(const LocalTensor<T>&, const LocalTensor<T>&,
                              const How&) {
  belay_not_on_chip("DataCopyL1ToUB");
}

template <typename T, typename U, typename S>
BELAY_API void MmadMx(const LocalTensor<T>&, const LocalTensor<U>&,
                      const LocalTensor<S>&, const MmadParams&) {
  belay_not_on_chip("MmadMx");
}
template <typename T, typename U, typename S, typename V>
BELAY_API void MmadMx(const LocalTensor<T>&, const LocalTensor<U>&,
                      const LocalTensor<S>&, const LocalTensor<V>&,
                      const MmadParams&) {
  belay_not_on_chip("MmadMx");
}

BELAY_API void SetFixPipeClipRelu(uint64_t) {
  belay_not_on_chip("SetFixPipeClipRelu");
}
template <typename T>
BELAY_API void SetFixPipeAddr(const LocalTensor<T>&, uint16_t) {
  belay_not_on_chip("SetFixPipeAddr");
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_CUBE_OTHER_CHIPS_H_
