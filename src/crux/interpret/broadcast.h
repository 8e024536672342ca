// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_BROADCAST_H_
#define BELAY_CRUX_INTERPRET_BROADCAST_H_

// NumPy's trailing broadcast of shapes and loops over it.

#include <array>
#include <cstddef>
#include <vector>

#include "base/shape.h"

namespace belay::crux::interpret {

// Throws Fault (BLY-X187) when two sizes differ and neither is 1.
Shape BroadcastShape(const Shape& a, const Shape& b);

// How far an operand moves for each dimension of `result`: 0 where it is
// repeated.
std::vector<size_t> BroadcastStrides(const Shape& operand, const Shape& result);

// In C order: 1 for the last dimension.
std::vector<size_t> StridesOf(const Shape& shape);

// Calls body(i, at) for each element i of `result` in C order, at[k] being the
// element of operand k.
template <size_t kOperands, typename Body>
void ForEachBroadcast(const Shape& result,
                      const std::array<const Shape*, kOperands>& operands,
                      Body&& body) {
  for (const int64_t size : result) {
    if (size == 0) return;
  }
  std::array<std::vector<size_t>, kOperands> strides;
  for (size_t k = 0; k < kOperands; ++k) {
    strides[k] = BroadcastStrides(*operands[k], result);
  }
  std::array<size_t, kOperands> at{};
  const size_t rank = result.size();
  if (rank == 0) {
    body(size_t{0}, at);
    return;
  }
  std::vector<int64_t> index(rank, 0);
  const auto inner = static_cast<size_t>(result[rank - 1]);
  for (size_t i = 0;;) {
    const auto row = at;
    for (size_t c = 0; c < inner; ++c, ++i) {
      body(i, at);
      for (size_t k = 0; k < kOperands; ++k) at[k] += strides[k][rank - 1];
    }
    at = row;
    size_t d = rank - 1;
    while (d > 0) {
      --d;
      if (++index[d] < result[d]) {
        for (size_t k = 0; k < kOperands; ++k) at[k] += strides[k][d];
        break;
      }
      for (size_t k = 0; k < kOperands; ++k) {
        at[k] -= strides[k][d] * static_cast<size_t>(result[d] - 1);
      }
      index[d] = 0;
      if (d == 0) return;
    }
    if (rank == 1) return;
  }
}

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_BROADCAST_H_
