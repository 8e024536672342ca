// SPDX-License-Identifier: Apache-2.0
#include "base/shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace belay {

int64_t ElementCount(const Shape& shape) {
  for (const int64_t size : shape) {
    if (size < 0) {
      throw UserError(
          fmt::format("[shape] sizes must not be negative, got {} in ({})",
                      size, ToText(shape)));
    }
  }
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  int64_t count = 1;
  for (const int64_t size : shape) {
    if (__builtin_mul_overflow(count, size, &count)) {
      throw UserError(fmt::format(
          "[shape] the number of elements must be below 2^63, got shape ({})",
          ToText(shape)));
    }
  }
  return count;
}

std::string ToText(const Shape& shape) {
  return fmt::format("{}", fmt::join(shape, ","));
}

Shape ParseShape(std::string_view text) {
  Shape shape;
  if (text.empty()) return shape;
  size_t begin = 0;
  while (true) {
    const size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    int64_t size = 0;
    const auto [stop, error] =
        std::from_chars(part.data(), part.data() + part.size(), size);
    if (error != std::errc() || stop != part.data() + part.size() || size < 0) {
      throw UserError(fmt::format(
          "[shape] must be sizes separated by commas, like 8,16; got '{}' in "
          "'{}'",
          part, text));
    }
    shape.push_back(size);
    if (end == text.size()) return shape;
    begin = end + 1;
  }
}

}  // namespace belay
