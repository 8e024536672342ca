// SPDX-License-Identifier: Apache-2.0
#include "crux/interpret/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/catalogue.h"
#include "crux/interpret/elementwise.h"
#include "crux/interpret/lines.h"

namespace belay::crux::interpret {
namespace {

bool Less(const Tile& x, size_t a, size_t b) {
  if (!x.floating()) return LessWhole(x.dtype, x.whole[a], x.whole[b]);
  if (std::isnan(x.real[a])) return false;
  return std::isnan(x.real[b]) || x.real[a] < x.real[b];
}

void SpendOnSorting(const Context& context, const Tile& x, size_t line) {
  context.budget->Spend(x.size() * std::bit_width(line));
}

// Places 0…count-1 of a line, sorted.
std::vector<size_t> SortedLine(const Tile& x, const Line& line,
                               bool descending) {
  std::vector<size_t> order(line.count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return descending ? Less(x, line.at(b), line.at(a))
                      : Less(x, line.at(a), line.at(b));
  });
  return order;
}

double LargestError(const Tile& x, const Line& line) {
  double largest = 0;
  if (x.error.empty()) return 0;
  for (size_t k = 0; k < line.count; ++k) {
    largest = std::max(largest, x.error[line.at(k)]);
  }
  return largest;
}

void SetError(Tile& tile, size_t i, double error) {
  if (error == 0 && tile.error.empty()) return;
  CarryErrors(tile);
  tile.error[i] = error;
}

double PositionError(double value_error) {
  return value_error == 0 ? 0 : kUnbounded;
}

Shape WithSize(Shape shape, int axis, int64_t size) {
  shape[static_cast<size_t>(axis)] = size;
  return shape;
}

}  // namespace

TilePtr Sort(const Context& context, const Tile& x, int axis, bool descending) {
  return Topk(context, x, x.shape[static_cast<size_t>(axis)], axis, descending)
      .first;
}

TilePtr Argsort(const Context& context, const Tile& x, int axis,
                bool descending) {
  return Topk(context, x, x.shape[static_cast<size_t>(axis)], axis, descending)
      .second;
}

TilePair Topk(const Context& context, const Tile& x, int64_t k, int axis,
              bool largest) {
  const int64_t length = x.shape[static_cast<size_t>(axis)];
  if (k > length || k < 0) {
    throw Fault(code::kX193,
                fmt::format("topk of {} elements of a tile that has {} along "
                            "axis {} (shape ({}))",
                            k, length, axis, belay::ToText(x.shape)),
                "k must be between 0 and the extent of the axis");
  }
  SpendOnSorting(context, x, static_cast<size_t>(length));
  const Shape shape = WithSize(x.shape, axis, k);
  auto values = NewTile(context, x.dtype, shape);
  auto positions = NewTile(context, DType::kInt32, shape);
  if (values->size() == 0) return {values, positions};
  size_t n = 0;
  ForEachLine(x.shape, axis, [&](const Line& line) {
    const std::vector<size_t> order = SortedLine(x, line, largest);
    const double error = LargestError(x, line);
    const Line to{StartOfLine(shape, axis, n++), line.stride,
                  static_cast<size_t>(k)};
    for (size_t i = 0; i < to.count; ++i) {
      CopyElement(x, line.at(order[i]), *values, to.at(i));
      positions->whole[to.at(i)] = static_cast<int64_t>(order[i]);
      SetError(*values, to.at(i), error);
      SetError(*positions, to.at(i), PositionError(error));
    }
  });
  return {values, positions};
}

TilePair MergeTopk(const Context& context, const Tile& values,
                   const Tile& positions, const Tile& more,
                   const Tile& more_positions, int axis, bool largest) {
  if (more.shape.size() != values.shape.size()) {
    throw Fault(
        code::kX187,
        fmt::format("merge_topk of tiles of shapes ({}) and ({})",
                    belay::ToText(values.shape), belay::ToText(more.shape)),
        "both must have the same number of dimensions");
  }
  const TilePtr repeated = BroadcastTo(context, more_positions, more.shape);
  const int64_t kept = values.shape[static_cast<size_t>(axis)];
  Shape expected = WithSize(more.shape, axis, kept);
  if (expected != values.shape || positions.shape != values.shape) {
    throw Fault(
        code::kX187,
        fmt::format("merge_topk of tiles of shapes ({}) and ({}), which "
                    "differ off axis {}",
                    belay::ToText(values.shape), belay::ToText(more.shape),
                    axis));
  }
  auto best = NewTile(context, values.dtype, values.shape);
  auto where = NewTile(context, positions.dtype, values.shape);
  SpendOnSorting(context, more,
                 static_cast<size_t>(more.shape[static_cast<size_t>(axis)]));
  struct Candidate {
    const Tile* value;
    const Tile* position;
    size_t at;
  };
  size_t n = 0;
  ForEachLine(values.shape, axis, [&](const Line& line) {
    std::vector<Candidate> candidates;
    for (size_t i = 0; i < line.count; ++i) {
      candidates.push_back({&values, &positions, line.at(i)});
    }
    const Line other{
        StartOfLine(more.shape, axis, n++), line.stride,
        static_cast<size_t>(more.shape[static_cast<size_t>(axis)])};
    for (size_t i = 0; i < other.count; ++i) {
      candidates.push_back({&more, repeated.get(), other.at(i)});
    }
    const auto better = [&](const Candidate& a, const Candidate& b) {
      const auto less = [](const Candidate& p, const Candidate& q) {
        if (!p.value->floating()) {
          return LessWhole(p.value->dtype, p.value->whole[p.at],
                           q.value->whole[q.at]);
        }
        const double left = p.value->real[p.at];
        const double right = q.value->real[q.at];
        if (std::isnan(left)) return false;
        return std::isnan(right) || left < right;
      };
      if (less(a, b)) return !largest;
      if (less(b, a)) return largest;
      return LessWhole(positions.dtype, a.position->whole[a.at],
                       b.position->whole[b.at]);
    };
    std::stable_sort(candidates.begin(), candidates.end(), better);
    const double error =
        std::max(LargestError(values, line), LargestError(more, other));
    for (size_t i = 0; i < line.count; ++i) {
      const Candidate& chosen = candidates[i];
      CopyElement(*chosen.value, chosen.at, *best, line.at(i));
      CopyElement(*chosen.position, chosen.at, *where, line.at(i));
      SetError(*best, line.at(i), error);
      if (error != 0) SetError(*where, line.at(i), kUnbounded);
    }
  });
  return {best, where};
}

TilePtr Take(const Context& context, const Tile& x, const Tile& indices,
             int axis) {
  const auto along = static_cast<size_t>(axis);
  Shape shape(x.shape.begin(), x.shape.begin() + axis);
  shape.insert(shape.end(), indices.shape.begin(), indices.shape.end());
  shape.insert(shape.end(), x.shape.begin() + axis + 1, x.shape.end());
  auto tile = NewTile(context, x.dtype, shape);
  const size_t inner = StridesOf(x.shape)[along];
  const auto length = static_cast<size_t>(x.shape[along]);
  const size_t outer =
      inner * indices.size() == 0 ? 0 : tile->size() / (inner * indices.size());
  size_t to = 0;
  for (size_t o = 0; o < outer; ++o) {
    for (size_t k = 0; k < indices.size(); ++k) {
      const int64_t index = indices.whole[k];
      if (index < 0 || index >= x.shape[along]) {
        throw Fault(code::kX191,
                    fmt::format("take at index {} along axis {} of a tile of "
                                "shape ({})",
                                index, axis, belay::ToText(x.shape)),
                    "indices never wrap: keep them between 0 and the extent");
      }
      for (size_t i = 0; i < inner; ++i, ++to) {
        CopyElement(x, (o * length + static_cast<size_t>(index)) * inner + i,
                    *tile, to);
        if (indices.ErrorAt(k) != 0) SetError(*tile, to, kUnbounded);
      }
    }
  }
  return tile;
}

TilePair Compress(const Context& context, const Tile& x, const Tile& mask) {
  if (x.shape != mask.shape) {
    throw Fault(code::kX187,
                fmt::format("compress of a tile of shape ({}) by a mask of "
                            "shape ({})",
                            belay::ToText(x.shape), belay::ToText(mask.shape)));
  }
  const auto count = static_cast<int64_t>(
      std::count_if(mask.whole.begin(), mask.whole.end(),
                    [](int64_t keep) { return keep != 0; }));
  auto tile = NewTile(context, x.dtype, {count});
  context.budget->Spend(x.size());
  size_t to = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    if (mask.whole[i] != 0) CopyElement(x, i, *tile, to++);
  }
  auto number = NewTile(context, DType::kInt32, {});
  number->whole[0] = count;
  if (HasErrors(mask)) {
    tile->error.assign(tile->size(), kUnbounded);
    number->error = {static_cast<double>(x.size())};
  }
  return {tile, number};
}

TilePair Deinterleave(const Context& context, const Tile& x) {
  const int64_t length = x.shape.back();
  if (length % 2 != 0) {
    throw Fault(
        code::kX193,
        fmt::format("deinterleave of {} elements along the last axis", length),
        "the number of elements must be even");
  }
  const Shape shape =
      WithSize(x.shape, static_cast<int>(x.shape.size()) - 1, length / 2);
  auto even = NewTile(context, x.dtype, shape);
  auto odd = NewTile(context, x.dtype, shape);
  for (size_t i = 0; i < even->size(); ++i) {
    CopyElement(x, 2 * i, *even, i);
    CopyElement(x, 2 * i + 1, *odd, i);
  }
  return {even, odd};
}

}  // namespace belay::crux::interpret
