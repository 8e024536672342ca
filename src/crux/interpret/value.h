// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_VALUE_H_
#define BELAY_CRUX_INTERPRET_VALUE_H_

// Tiles and ranges: what expressions of a running program are.
//
// A tile's shape is its valid extent: the short last piece of a range, or the
// elements that `compress` kept. Lanes beyond it do not exist.
//
// Each element carries an error bound: |value - real value|, where the real
// value is what real arithmetic without any rounding would have given. Bounds
// hold for exact arithmetic; docs/crux.md says how operations carry them on.

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "base/shape.h"
#include "crux/interpret/budget.h"
#include "crux/interpret/numbers.h"

namespace belay::crux::interpret {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// Bounds are widened by this factor for the roundings of the double arithmetic
// that values and bounds are computed in.
inline constexpr double kSlack = 1 + 0x1p-20;

// What every operation needs to know.
struct Context {
  Arithmetic arithmetic = Arithmetic::kExact;
  bool bounds = true;  // whether error bounds are carried
  Budget* budget = nullptr;

  bool exact() const { return arithmetic == Arithmetic::kExact; }
  bool carries_bounds() const { return bounds && exact(); }
};

// A rank-0 tile is a scalar.
struct Tile {
  DType dtype = DType::kNone;
  Shape shape;
  std::vector<double> real;    // elements of floating dtypes
  std::vector<int64_t> whole;  // elements of integers and bool
  std::vector<double> error;   // bounds; empty: all are zero
  Reservation memory;

  size_t size() const { return real.size() + whole.size(); }
  // As IsFloating(dtype) says, in line: asked for every element.
  bool floating() const {
    return dtype == DType::kFloat || dtype == DType::kHalf ||
           dtype == DType::kBfloat16 || dtype == DType::kDouble;
  }
  double ErrorAt(size_t i) const { return error.empty() ? 0 : error[i]; }
  // Any element as a real number.
  double NumberAt(size_t i) const {
    return floating() ? real[i] : FromWhole(dtype, whole[i]);
  }
};

// Tiles are never changed once made.
using TilePtr = std::shared_ptr<const Tile>;

// A tile of zeros. Counts its elements as steps and its bytes as held; throws
// Fault beyond the limits.
std::shared_ptr<Tile> NewTile(const Context& context, DType dtype, Shape shape);

// A scalar of a dtype from a number of the host (a literal, an attribute): a
// floating one is rounded, with the error this makes.
TilePtr ScalarOf(const Context& context, DType dtype, double value);
TilePtr WholeScalar(const Context& context, DType dtype, int64_t value);

// Makes room for bounds, all zero.
void CarryErrors(Tile& tile);

// Copies element `from` of `source` with its bound.
void CopyElement(const Tile& source, size_t from, Tile& tile, size_t to);

// The product of the sizes without overflow: beyond the limits a Fault.
uint64_t RequireElements(const Context& context, const Shape& shape);

// Whether some element has a bound above zero.
bool HasErrors(const Tile& tile);

// start, start + step, …: `count` integers.
struct Range {
  int64_t start = 0;
  int64_t count = 0;
  int64_t step = 1;

  int64_t at(int64_t i) const { return start + i * step; }
};

// A bound that is not a number bounds nothing.
inline double Settled(double bound) {
  return std::isnan(bound) ? kUnbounded : bound;
}

// How far two results are apart; equal infinities and two NaNs are not apart,
// a NaN and a number are infinitely far.
inline double DistanceOf(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  return Settled(std::fabs(a - b));
}

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_VALUE_H_
