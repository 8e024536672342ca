// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASE_SHAPE_H_
#define BELAY_BASE_SHAPE_H_

// Shapes of tensors: sizes of the dimensions, outermost first.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace belay {

// Empty for a scalar. Sizes are never negative.
using Shape = std::vector<int64_t>;

// The product of the sizes: 1 for a scalar, 0 if any size is 0. Throws
// UserError when a size is negative or the product exceeds 2^63 - 1.
int64_t ElementCount(const Shape& shape);

// "8,16"; "" for a scalar.
std::string ToText(const Shape& shape);

// The inverse of ToText. Throws UserError naming the part that is not a size.
Shape ParseShape(std::string_view text);

}  // namespace belay

#endif  // BELAY_BASE_SHAPE_H_
