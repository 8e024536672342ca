// SPDX-License-Identifier: Apache-2.0
#include "crux/interpret/reshape.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/catalogue.h"
#include "crux/interpret/broadcast.h"

namespace belay::crux::interpret {

Shape CompletedShape(const Shape& asked, int64_t elements) {
  Shape shape = asked;
  int64_t product = 1;
  int64_t* open = nullptr;
  bool fits = true;
  for (int64_t& size : shape) {
    if (size == -1 && open == nullptr) {
      open = &size;
    } else if (size < 0 || __builtin_mul_overflow(product, size, &product)) {
      fits = false;
    }
  }
  if (fits && open != nullptr) {
    fits = product != 0 && elements % product == 0;
    if (fits) *open = elements / product;
  } else if (product != elements) {
    fits = false;
  }
  if (!fits) {
    throw Fault(code::kX193,
                fmt::format("{} elements cannot be seen as shape ({})",
                            elements, belay::ToText(asked)),
                "the sizes must multiply to the number of elements");
  }
  return shape;
}

TilePtr Reshape(const Context& context, const Tile& x, const Shape& asked) {
  auto tile = NewTile(context, x.dtype,
                      CompletedShape(asked, static_cast<int64_t>(x.size())));
  tile->real = x.real;
  tile->whole = x.whole;
  tile->error = x.error;
  return tile;
}

TilePtr Transpose(const Context& context, const Tile& x,
                  const std::vector<int>& order) {
  const std::vector<size_t> strides = StridesOf(x.shape);
  Shape shape;
  std::vector<size_t> moved;
  for (const int axis : order) {
    shape.push_back(x.shape[static_cast<size_t>(axis)]);
    moved.push_back(strides[static_cast<size_t>(axis)]);
  }
  auto tile = NewTile(context, x.dtype, shape);
  for (size_t i = 0; i < tile->size(); ++i) {
    const Shape index = IndexOf(i, shape);
    size_t from = 0;
    for (size_t d = 0; d < index.size(); ++d) {
      from += static_cast<size_t>(index[d]) * moved[d];
    }
    CopyElement(x, from, *tile, i);
  }
  return tile;
}

TilePtr Concat(const Context& context, const std::vector<TilePtr>& tiles,
               int axis) {
  const auto along = static_cast<size_t>(axis);
  Shape shape = tiles.front()->shape;
  shape[along] = 0;
  for (const TilePtr& tile : tiles) {
    Shape rest = tile->shape;
    rest[along] = shape[along];
    if (rest != shape) {
      throw Fault(code::kX187,
                  fmt::format("concat of tiles of shapes ({}) and ({}) along "
                              "axis {}",
                              belay::ToText(tiles.front()->shape),
                              belay::ToText(tile->shape), axis),
                  "all other sizes must be equal");
    }
    shape[along] += tile->shape[along];
  }
  auto result = NewTile(context, tiles.front()->dtype, shape);
  if (result->size() == 0) return result;
  size_t outer = 1;
  for (size_t d = 0; d < along; ++d) outer *= static_cast<size_t>(shape[d]);
  size_t to = 0;
  for (size_t o = 0; o < outer; ++o) {
    for (const TilePtr& tile : tiles) {
      const size_t piece = tile->size() / outer;
      for (size_t i = 0; i < piece; ++i) {
        CopyElement(*tile, o * piece + i, *result, to++);
      }
    }
  }
  return result;
}

TilePtr Last(const Context& context, const Tile& x, int axis) {
  if (x.size() == 0) {
    Shape shape = x.shape;
    shape.erase(shape.begin() + axis);
    auto tile = NewTile(context, x.dtype, shape);
    if (tile->size() == 0) return tile;
    throw Fault(
        code::kX191,
        fmt::format("last of a tile of shape ({}), which is empty along "
                    "axis {}",
                    belay::ToText(x.shape), axis),
        "skip empty pieces with `if`");
  }
  std::vector<Selection> selections;
  for (size_t d = 0; d < x.shape.size(); ++d) {
    Selection selection;
    if (d == static_cast<size_t>(axis)) {
      selection.where = {x.shape[d] - 1};
    } else {
      selection.shape = {x.shape[d]};
      for (int64_t i = 0; i < x.shape[d]; ++i) selection.where.push_back(i);
    }
    selections.push_back(std::move(selection));
  }
  return Select(context, x, selections);
}

std::vector<size_t> SelectedElements(const Context& context, const Shape& shape,
                                     const std::vector<Selection>& selections) {
  const std::vector<size_t> strides = StridesOf(shape);
  RequireElements(context, Window{shape, selections}.ResultShape());
  const bool empty =
      std::any_of(selections.begin(), selections.end(),
                  [](const Selection& s) { return s.where.empty(); });
  if (empty) return {};
  std::vector<size_t> elements = {0};
  for (size_t d = 0; d < selections.size(); ++d) {
    std::vector<size_t> next;
    next.reserve(elements.size() * selections[d].where.size());
    for (const size_t element : elements) {
      for (const int64_t position : selections[d].where) {
        if (position < 0 || position >= shape[d]) {
          throw Fault(code::kX191,
                      fmt::format("element {} along axis {} of a tile of shape "
                                  "({})",
                                  position, d, belay::ToText(shape)),
                      "indices never wrap and slices are not cut: stay "
                      "between 0 and the extent");
        }
        next.push_back(element + static_cast<size_t>(position) * strides[d]);
      }
    }
    elements = std::move(next);
  }
  return elements;
}

TilePtr Select(const Context& context, const Tile& x,
               const std::vector<Selection>& selections) {
  const std::vector<size_t> elements =
      SelectedElements(context, x.shape, selections);
  auto tile =
      NewTile(context, x.dtype, Window{x.shape, selections}.ResultShape());
  for (size_t i = 0; i < elements.size(); ++i) {
    CopyElement(x, elements[i], *tile, i);
  }
  const bool doubtful =
      std::any_of(selections.begin(), selections.end(),
                  [](const Selection& s) { return !s.doubtful.empty(); });
  if (doubtful && context.carries_bounds()) {
    tile->error.assign(tile->size(), kUnbounded);
  }
  return tile;
}

}  // namespace belay::crux::interpret
