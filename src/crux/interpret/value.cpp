// SPDX-License-Identifier: Apache-2.0
#include "crux/interpret/value.h"

#include <algorithm>

namespace belay::crux::interpret {
namespace {

// Of a tile beside its elements, with what keeps it.
constexpr uint64_t kTileBytes = sizeof(Tile) + 128;

}  // namespace

uint64_t RequireElements(const Context& context, const Shape& shape) {
  uint64_t elements = 1;
  bool empty = false;
  for (const int64_t size : shape) {
    if (size == 0) empty = true;
  }
  if (empty) return 0;
  for (const int64_t size : shape) {
    // Stops far below overflow: no factor exceeds 2^63, the product 2^64.
    if (__builtin_mul_overflow(elements, static_cast<uint64_t>(size),
                               &elements)) {
      elements = std::numeric_limits<uint64_t>::max();
      break;
    }
  }
  context.budget->RequireTile(elements);
  return elements;
}

std::shared_ptr<Tile> NewTile(const Context& context, DType dtype,
                              Shape shape) {
  const uint64_t elements = RequireElements(context, shape);
  context.budget->Spend(elements + 1);
  auto tile = std::make_shared<Tile>();
  tile->dtype = dtype;
  tile->shape = std::move(shape);
  const bool floating = IsFloating(dtype);
  const uint64_t values = floating && context.carries_bounds() ? 2 : 1;
  tile->memory = Reservation(*context.budget,
                             kTileBytes + elements * sizeof(double) * values);
  if (floating) {
    tile->real.resize(elements);
  } else {
    tile->whole.resize(elements);
  }
  return tile;
}

TilePtr ScalarOf(const Context& context, DType dtype, double value) {
  auto tile = NewTile(context, dtype, {});
  if (!IsFloating(dtype)) {
    tile->whole[0] = ToWhole(dtype, value, Round::kTrunc);
    return tile;
  }
  tile->real[0] = context.exact() ? RoundTo(dtype, value) : value;
  if (context.carries_bounds() && tile->real[0] != value) {
    tile->error = {DistanceOf(tile->real[0], value)};
  }
  return tile;
}

TilePtr WholeScalar(const Context& context, DType dtype, int64_t value) {
  auto tile = NewTile(context, dtype, {});
  tile->whole[0] = WrapTo(dtype, static_cast<uint64_t>(value));
  return tile;
}

void CarryErrors(Tile& tile) {
  if (tile.error.empty()) tile.error.resize(tile.size());
}

void CopyElement(const Tile& source, size_t from, Tile& tile, size_t to) {
  if (source.floating()) {
    tile.real[to] = source.real[from];
  } else {
    tile.whole[to] = source.whole[from];
  }
  if (source.error.empty()) return;
  CarryErrors(tile);
  tile.error[to] = source.error[from];
}

bool HasErrors(const Tile& tile) {
  return std::any_of(tile.error.begin(), tile.error.end(),
                     [](double error) { return error > 0; });
}

}  // namespace belay::crux::interpret
