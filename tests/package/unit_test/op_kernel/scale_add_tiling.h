// SPDX-License-Identifier: Apache-2.0
#ifndef SCALE_ADD_TILING_H_
#define SCALE_ADD_TILING_H_

// What the host tells the kernel.

#include <cstdint>

struct ScaleAddTiling {
  uint32_t length;  // elements of each block
  uint32_t tile;    // elements of one round
  float scale;
};

#endif  // SCALE_ADD_TILING_H_
