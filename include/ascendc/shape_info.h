// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_SHAPE_INFO_H_
#define BELAY_ASCENDC_SHAPE_INFO_H_

// The shape a kernel may attach to a tensor. No instruction reads it.

#include <stdint.h>

#include "ascendc/inline.h"
#include "ascendc/types.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

struct ShapeInfo {
  ShapeInfo() = default;
  BELAY_API ShapeInfo(uint8_t rank, const uint32_t dims[],
                      uint8_t original_rank, const uint32_t original_dims[],
                      DataFormat format)
      : shapeDim(rank), originalShapeDim(original_rank), dataFormat(format) {
    for (int i = 0; i < rank && i < K_MAX_DIM; ++i) shape[i] = dims[i];
    for (int i = 0; i < original_rank && i < K_MAX_DIM; ++i) {
      originalShape[i] = original_dims[i];
    }
  }
  BELAY_API ShapeInfo(uint8_t rank, const uint32_t dims[], DataFormat format)
      : ShapeInfo(rank, dims, rank, dims, format) {}
  BELAY_API ShapeInfo(uint8_t rank, const uint32_t dims[])
      : ShapeInfo(rank, dims, rank, dims, DataFormat::ND) {}

  uint8_t shapeDim = 0;
  uint8_t originalShapeDim = 0;
  uint32_t shape[K_MAX_DIM] = {};
  uint32_t originalShape[K_MAX_DIM] = {};
  DataFormat dataFormat = DataFormat::ND;
};

BELAY_API int GetShapeSize(const ShapeInfo& info) {
  int size = 1;
  for (int i = 0; i < info.shapeDim; ++i) size *= info.shape[i];
  return size;
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_SHAPE_INFO_H_
