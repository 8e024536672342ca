// SPDX-License-Identifier: Apache-2.0
// Which elements are a block's. The test puts the text in its place, once or
// more often.

#ifndef SHARE_OF_A_BLOCK
#define SHARE_OF_A_BLOCK

#include "kernel_operator.h"

using namespace AscendC;

// From `begin` to before `end`; none if they are not in that order.
struct Share {
  int64_t begin;
  int64_t end;
};

// Whole repeats of 64, as many for each block as for any other, but the last.
__aicore__ inline Share ShareOf(int64_t elements) {
  const int64_t share = (elements + GetBlockNum() - 1) / GetBlockNum();
  const int64_t step = (share + 63) / 64 * 64;
  const int64_t begin = GetBlockIdx() * step;
  return {begin, begin + step < elements ? begin + step : elements};
}

#endif
