// SPDX-License-Identifier: Apache-2.0
#include "crux/interpret/matmul.h"

#include <fmt/format.h>

#include <cmath>

#include "base/catalogue.h"

namespace belay::crux::interpret {
namespace {

struct Sizes {
  size_t rows, inner, columns;
};

void WholeProduct(const Tile& a, const Tile& b, const Sizes& sizes,
                  Tile& tile) {
  for (size_t i = 0; i < sizes.rows; ++i) {
    for (size_t k = 0; k < sizes.inner; ++k) {
      const auto left = static_cast<uint64_t>(a.whole[i * sizes.inner + k]);
      for (size_t j = 0; j < sizes.columns; ++j) {
        int64_t& sum = tile.whole[i * sizes.columns + j];
        const auto right =
            static_cast<uint64_t>(b.whole[k * sizes.columns + j]);
        sum = WrapTo(tile.dtype, static_cast<uint64_t>(sum) + left * right);
      }
    }
  }
  if (HasErrors(a) || HasErrors(b)) {
    tile.error.assign(tile.size(), kUnbounded);
  }
}

void RealProduct(const Context& context, const Tile& a, const Tile& b,
                 const Sizes& sizes, Tile& tile) {
  for (size_t i = 0; i < sizes.rows; ++i) {
    double* row = tile.real.data() + i * sizes.columns;
    for (size_t k = 0; k < sizes.inner; ++k) {
      const double left = a.real[i * sizes.inner + k];
      const double* right = b.real.data() + k * sizes.columns;
      if (context.exact()) {
        for (size_t j = 0; j < sizes.columns; ++j) {
          row[j] = static_cast<float>(row[j] + left * right[j]);
        }
      } else {
        for (size_t j = 0; j < sizes.columns; ++j) row[j] += left * right[j];
      }
    }
  }
}

void RealBounds(const Tile& a, const Tile& b, const Sizes& sizes, Tile& tile) {
  CarryErrors(tile);
  std::vector<double> magnitudes(sizes.columns);
  const bool exact = a.error.empty() && b.error.empty();
  const auto steps = static_cast<double>(sizes.inner);
  for (size_t i = 0; i < sizes.rows; ++i) {
    double* errors = tile.error.data() + i * sizes.columns;
    std::fill(magnitudes.begin(), magnitudes.end(), 0.0);
    for (size_t k = 0; k < sizes.inner; ++k) {
      const size_t left = i * sizes.inner + k;
      const double size = std::fabs(a.real[left]);
      for (size_t j = 0; j < sizes.columns; ++j) {
        const size_t right = k * sizes.columns + j;
        magnitudes[j] += size * std::fabs(b.real[right]);
        if (exact) continue;
        const double a_error = a.ErrorAt(left);
        const double b_error = b.ErrorAt(right);
        errors[j] += size * b_error + std::fabs(b.real[right]) * a_error +
                     a_error * b_error;
      }
    }
    for (size_t j = 0; j < sizes.columns; ++j) {
      const double result = tile.real[i * sizes.columns + j];
      const double rounding = steps * 0x1p-23 * (magnitudes[j] + errors[j]) +
                              steps * UnitOf(DType::kFloat, 0);
      // What an infinite or NaN factor made is not followed further.
      errors[j] = std::isfinite(result)
                      ? Settled((errors[j] + rounding) * kSlack)
                      : kUnbounded;
    }
  }
}

}  // namespace

TilePtr Matmul(const Context& context, const Tile& a, const Tile& b) {
  if (a.shape[1] != b.shape[0]) {
    throw Fault(code::kX187,
                fmt::format("matrices of shapes ({}) and ({}) cannot be "
                            "multiplied",
                            belay::ToText(a.shape), belay::ToText(b.shape)),
                "the columns of the first must be the rows of the second");
  }
  const Sizes sizes{static_cast<size_t>(a.shape[0]),
                    static_cast<size_t>(a.shape[1]),
                    static_cast<size_t>(b.shape[1])};
  auto tile = NewTile(context, a.floating() ? DType::kFloat : DType::kInt32,
                      {a.shape[0], b.shape[1]});
  // Neither factor exceeds the limit on tiles.
  context.budget->Spend(tile->size() * sizes.inner / 8);
  if (!a.floating()) {
    WholeProduct(a, b, sizes, *tile);
    return tile;
  }
  RealProduct(context, a, b, sizes, *tile);
  if (context.carries_bounds()) RealBounds(a, b, sizes, *tile);
  return tile;
}

}  // namespace belay::crux::interpret
