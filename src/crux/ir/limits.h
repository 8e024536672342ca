// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_LIMITS_H_
#define BELAY_CRUX_IR_LIMITS_H_

// The ends of integer dtypes, as the bits of an int64_t.

#include <cstdint>
#include <limits>

#include "base/dtype.h"

namespace belay::crux::ir {

inline int64_t LowestOf(DType dtype) {
  if (!IsSigned(dtype)) return 0;
  const int bits = BitsOf(dtype);
  return bits == 64 ? std::numeric_limits<int64_t>::min()
                    : -(int64_t{1} << (bits - 1));
}

inline int64_t HighestOf(DType dtype) {
  const int bits = BitsOf(dtype) - (IsSigned(dtype) ? 1 : 0);
  if (bits == 64) return -1;  // all bits set
  return bits == 63 ? std::numeric_limits<int64_t>::max()
                    : (int64_t{1} << bits) - 1;
}

}  // namespace belay::crux::ir

#endif  // BELAY_CRUX_IR_LIMITS_H_
