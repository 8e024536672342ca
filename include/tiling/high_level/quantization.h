// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_HIGH_LEVEL_QUANTIZATION_H_
#define BELAY_TILING_HIGH_LEVEL_QUANTIZATION_H_

// Temporary memory of AscendQuant, AscendDequant and AscendAntiQuant, in bytes:
// with the least they work, with the most they work in one pass.

#include "tiling/high_level/shape.h"

namespace AscendC {

// Scales and offsets of a row as half, and a half for each element.
inline void GetAscendQuantMaxMinTmpSize(const TensorShape& srcShape,
                                        const uint32_t,  // typeSize
                                        uint32_t& maxValue,
                                        uint32_t& minValue) {
  const auto count = static_cast<uint32_t>(srcShape.GetShapeSize());
  const uint32_t parameters = 2 * (LastDimension(srcShape) * 2 + 32);
  maxValue = parameters + count * 2 + 256;
  minValue = parameters + 256;
}
inline void GetAscendQuantTmpBufferFactorSize(uint32_t& maxLiveNodeCount,
                                              uint32_t& extraBuf) {
  maxLiveNodeCount = 3;
  extraBuf = 320;
}

// The scales of a row as float, and a float for each element of a row or more.
inline void GetAscendDequantMaxMinTmpSize(const TensorShape& srcShape,
                                          const uint32_t,  // typeSize
                                          uint32_t& maxValue,
                                          uint32_t& minValue) {
  const auto count = static_cast<uint32_t>(srcShape.GetShapeSize());
  const uint32_t row = LastDimension(srcShape);
  maxValue = (row + count) * 4 + 64;
  minValue = 2 * row * 4 + 64;
}
inline void GetAscendDequantTmpBufferFactorSize(const TensorShape& srcShape,
                                                uint32_t& maxLiveNodeCount,
                                                uint32_t& extraBuf) {
  uint32_t most = 0;
  uint32_t least = 0;
  GetAscendDequantMaxMinTmpSize(srcShape, 4, most, least);
  maxLiveNodeCount = 1;
  extraBuf = least;
}

// Results in half from src as it lies need blocks of parameters where it is
// transposed; results in bfloat16 need a float and a half for each element of
// a row or more, and parameters as float.
inline void GetAscendAntiQuantMaxMinTmpSize(const TensorShape& srcShape,
                                            const TensorShape& scaleShape,
                                            bool isTranspose,
                                            TensorDataType,  // inputDataType
                                            TensorDataType outputDataType,
                                            uint32_t& maxValue,
                                            uint32_t& minValue) {
  const auto count = static_cast<uint32_t>(srcShape.GetShapeSize());
  const auto parameters = static_cast<uint32_t>(scaleShape.GetShapeSize());
  const uint32_t row = LastDimension(srcShape);
  const uint32_t blocks = isTranspose ? 2 * 16 * 32 : 0;
  maxValue = minValue = blocks;
  if (outputDataType == TensorDataType::DT_BF16) {
    const uint32_t floats = 2 * (parameters * 4 + 32) + row * 4 + 64;
    maxValue += floats + count * 6 + 384;
    minValue += floats + row * 6 + 384;
  }
}
inline uint32_t GetAscendAntiQuantMaxTmpSize(const TensorShape& srcShape,
                                             const TensorShape& scaleShape,
                                             bool isTranspose,
                                             TensorDataType inputDataType,
                                             TensorDataType outputDataType) {
  uint32_t most = 0;
  uint32_t least = 0;
  GetAscendAntiQuantMaxMinTmpSize(srcShape, scaleShape, isTranspose,
                                  inputDataType, outputDataType, most, least);
  return most;
}
inline uint32_t GetAscendAntiQuantMinTmpSize(const TensorShape& srcShape,
                                             const TensorShape& scaleShape,
                                             bool isTranspose,
                                             TensorDataType inputDataType,
                                             TensorDataType outputDataType) {
  uint32_t most = 0;
  uint32_t least = 0;
  GetAscendAntiQuantMaxMinTmpSize(srcShape, scaleShape, isTranspose,
                                  inputDataType, outputDataType, most, least);
  return least;
}
inline void GetAscendAntiQuantTmpBufferFactorSize(const TensorShape& srcShape,
                                                  const TensorShape& scaleShape,
                                                  bool isTranspose,
                                                  TensorDataType inputDataType,
                                                  TensorDataType outputDataType,
                                                  uint32_t& maxLiveNodeCount,
                                                  uint32_t& extraBuf) {
  maxLiveNodeCount = outputDataType == TensorDataType::DT_BF16 ? 6 : 0;
  extraBuf = GetAscendAntiQuantMinTmpSize(srcShape, scaleShape, isTranspose,
                                          inputDataType, outputDataType);
}

}  // namespace AscendC

#endif  // BELAY_TILING_HIGH_LEVEL_QUANTIZATION_H_
