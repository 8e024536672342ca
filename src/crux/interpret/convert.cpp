// SPDX-License-Identifier: Apache-2.0
// Conversions of tiles between dtypes.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.h"
#include "base/float16.h"
#include "crux/interpret/elementwise.h"

namespace belay::crux::interpret {
namespace {

bool Widens(DType from, DType to) {
  return to == DType::kDouble || to == from ||
         (to == DType::kFloat && from != DType::kDouble);
}

// Conversions to integers are monotone and to bool a comparison with zero.
double WholeReach(const Tile& x, size_t i, DType dtype, Round mode) {
  const double error = x.ErrorAt(i);
  if (error == 0) return 0;
  const double at = x.NumberAt(i);
  if (dtype == DType::kBool) return std::fabs(at) <= error ? 1 : 0;
  const auto number = [&](double value) {
    return FromWhole(dtype, ToWhole(dtype, value, mode));
  };
  if (!std::isfinite(error) || std::isnan(at)) {
    return FromWhole(dtype, LargestWhole(dtype)) -
           FromWhole(dtype, SmallestWhole(dtype));
  }
  const double middle = number(at);
  return std::max(std::fabs(number(at + error) - middle),
                  std::fabs(number(at - error) - middle));
}

void FloatingToFloating(const Context& context, const Tile& x, Round mode,
                        Tile& tile) {
  if (!context.exact() || Widens(x.dtype, tile.dtype)) {
    tile.real = x.real;
    tile.error = x.error;
    return;
  }
  if (context.bounds) CarryErrors(tile);
  for (size_t i = 0; i < x.size(); ++i) {
    tile.real[i] = RoundTo(tile.dtype, x.real[i], mode);
    if (!context.bounds) continue;
    // An infinity or NaN stays what it was.
    const bool exact = !std::isfinite(x.real[i]);
    tile.error[i] =
        Settled(x.ErrorAt(i) + (exact ? 0 : UnitOf(tile.dtype, tile.real[i])));
  }
}

void WholeToFloating(const Context& context, const Tile& x, Round mode,
                     Tile& tile) {
  for (size_t i = 0; i < x.size(); ++i) {
    const double value = FromWhole(x.dtype, x.whole[i]);
    tile.real[i] = context.exact() ? RoundTo(tile.dtype, value, mode) : value;
    const double made = DistanceOf(tile.real[i], value);
    if (!context.carries_bounds() || x.ErrorAt(i) + made == 0) continue;
    CarryErrors(tile);
    tile.error[i] = x.ErrorAt(i) + UnitOf(tile.dtype, tile.real[i]);
  }
}

void ToWholes(const Tile& x, Round mode, Tile& tile) {
  if (!x.error.empty()) CarryErrors(tile);
  for (size_t i = 0; i < x.size(); ++i) {
    if (x.floating()) {
      tile.whole[i] = ToWhole(tile.dtype, x.real[i], mode);
      if (!x.error.empty()) {
        tile.error[i] = WholeReach(x, i, tile.dtype, mode);
      }
      continue;
    }
    tile.whole[i] = WrapTo(tile.dtype, static_cast<uint64_t>(x.whole[i]));
    if (x.ErrorAt(i) == 0) continue;
    const double value = x.NumberAt(i);
    const bool wraps = !Fits(tile.dtype, value - x.error[i]) ||
                       !Fits(tile.dtype, value + x.error[i]);
    tile.error[i] = tile.dtype == DType::kBool ? 1
                    : wraps                    ? kUnbounded
                                               : x.error[i];
  }
}

uint64_t BitsOfElement(const Tile& x, size_t i) {
  if (!x.floating()) return static_cast<uint64_t>(x.whole[i]);
  const double value = RoundTo(x.dtype, x.real[i]);
  switch (x.dtype) {
    case DType::kHalf:
      return HalfFromFloat(static_cast<float>(value)).bits;
    case DType::kBfloat16:
      return BfloatFromFloat(static_cast<float>(value)).bits;
    case DType::kFloat:
      return std::bit_cast<uint32_t>(static_cast<float>(value));
    default:
      return std::bit_cast<uint64_t>(value);
  }
}

double RealOfBits(DType dtype, uint64_t bits) {
  switch (dtype) {
    case DType::kHalf:
      return ToFloat(Half{static_cast<uint16_t>(bits)});
    case DType::kBfloat16:
      return ToFloat(Bfloat16{static_cast<uint16_t>(bits)});
    case DType::kFloat:
      return std::bit_cast<float>(static_cast<uint32_t>(bits));
    default:
      return std::bit_cast<double>(bits);
  }
}

}  // namespace

TilePtr Convert(const Context& context, const Tile& x, DType dtype,
                Round mode) {
  auto tile = NewTile(context, dtype, x.shape);
  if (!IsFloating(dtype)) {
    ToWholes(x, mode, *tile);
  } else if (x.floating()) {
    FloatingToFloating(context, x, mode, *tile);
  } else {
    WholeToFloating(context, x, mode, *tile);
  }
  return tile;
}

TilePtr Bitcast(const Context& context, const Tile& x, DType dtype) {
  if (BitsOf(dtype) != BitsOf(x.dtype)) {
    throw InternalError(fmt::format("[interpret] bitcast of {} to {}",
                                    belay::NameOf(x.dtype),
                                    belay::NameOf(dtype)));
  }
  auto tile = NewTile(context, dtype, x.shape);
  for (size_t i = 0; i < x.size(); ++i) {
    const uint64_t bits = BitsOfElement(x, i);
    if (tile->floating()) {
      tile->real[i] = RealOfBits(dtype, bits);
    } else {
      tile->whole[i] = WrapTo(dtype, bits);
    }
    // Which NaN it is, nothing says.
    const bool nan = x.floating() && std::isnan(x.real[i]);
    if (x.ErrorAt(i) == 0 && !nan) continue;
    CarryErrors(*tile);
    tile->error[i] = kUnbounded;
  }
  return tile;
}

}  // namespace belay::crux::interpret
