// SPDX-License-Identifier: Apache-2.0
#ifndef CAST_COLUMNS_TILING_H_
#define CAST_COLUMNS_TILING_H_

// What tiling hands to the kernel: a plain struct that both sides include.

#include <cstdint>

// The tensor is cut into tiles, core i takes tiles i, i + cores, …
struct CastColumnsTilingData {
  uint64_t elements;
  uint32_t tileElements;
  uint32_t cores;
};

#endif  // CAST_COLUMNS_TILING_H_
