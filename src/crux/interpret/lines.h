// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_LINES_H_
#define BELAY_CRUX_INTERPRET_LINES_H_

// The lines of a tile along one axis.

#include <cstddef>

#include "base/shape.h"
#include "crux/interpret/broadcast.h"

namespace belay::crux::interpret {

struct Line {
  size_t start = 0;
  size_t stride = 1;
  size_t count = 0;

  size_t at(size_t i) const { return start + i * stride; }
};

// None if the shape holds no elements. The n-th line of a shape and the n-th of
// another that differs along `axis` only belong together.
template <typename Body>
void ForEachLine(const Shape& shape, int axis, Body&& body) {
  for (const int64_t size : shape) {
    if (size == 0) return;
  }
  const auto along = static_cast<size_t>(axis);
  const auto count = static_cast<size_t>(shape[along]);
  const size_t stride = StridesOf(shape)[along];
  size_t outer = 1;
  for (size_t d = 0; d < along; ++d) outer *= static_cast<size_t>(shape[d]);
  size_t inner = 1;
  for (size_t d = along + 1; d < shape.size(); ++d) {
    inner *= static_cast<size_t>(shape[d]);
  }
  for (size_t o = 0; o < outer; ++o) {
    for (size_t i = 0; i < inner; ++i) {
      body(Line{o * count * stride + i, stride, count});
    }
  }
}

// Element 0 of line n of such a shape, as ForEachLine counts them.
inline size_t StartOfLine(const Shape& shape, int axis, size_t n) {
  const auto along = static_cast<size_t>(axis);
  const size_t stride = StridesOf(shape)[along];
  return n / stride * stride * static_cast<size_t>(shape[along]) + n % stride;
}

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_LINES_H_
