// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_TRANSFORM_TRANS_DATA_CONFIG_H_
#define BELAY_ASCENDC_HIGH_LEVEL_TRANSFORM_TRANS_DATA_CONFIG_H_

// From which layout to which TransData goes.

#include "ascendc/types.h"

namespace AscendC {

struct TransDataConfig {
  DataFormat srcFormat;
  DataFormat dstFormat;
};

}  // namespace AscendC

namespace belay::api {

// Elements of h × w pixels in NCDHW, in whole blocks of 16.
constexpr uint32_t PaddedPixels(uint32_t pixels) {
  return (pixels + 15) / 16 * 16;
}

// Bytes TransData works in: one tile of all pixels and 16 channels, and a row
// of a channel that is not there. Elements have two bytes.
constexpr uint32_t TransDataTemporaryBytes(uint32_t pixels) {
  return PaddedPixels(pixels) * (16 + 1) * 2;
}

}  // namespace belay::api

#endif  // BELAY_ASCENDC_HIGH_LEVEL_TRANSFORM_TRANS_DATA_CONFIG_H_
