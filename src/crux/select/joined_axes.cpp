// SPDX-License-Identifier: Apache-2.0
#include "crux/select/joined_axes.h"

#include <algorithm>

namespace belay::crux::select {
namespace {

using ir::Dim;
using ir::Index;
using ir::IndexKind;

// Whether the index is a range, without steps, that is an axis of the tile.
bool IsAxis(const Index& index, const std::vector<Dim>& dims) {
  if (index.kind != IndexKind::kRange || !index.step.Is(1) ||
      static_cast<size_t>(index.axis) >= dims.size()) {
    return false;
  }
  const Dim& dim = dims[index.axis];
  return !dim.is_one() && Same(dim.size, index.extent.size) &&
         Same(dim.capacity, index.extent.capacity);
}

// Whether rows lie behind the axis.
bool HasRowsBehind(const std::vector<Dim>& dims, int axis) {
  return std::any_of(dims.begin() + axis + 1, dims.end(),
                     [](const Dim& dim) { return !dim.is_one(); });
}

bool IsWhole(const Index& index) {
  return index.start.Is(0) && Same(index.extent.size, index.dim) &&
         Same(index.extent.capacity, index.dim);
}

}  // namespace

void JoinAxes(ir::Access& access, std::vector<Dim>& dims) {
  std::vector<Index>& indices = access.indices;
  const bool plain = std::none_of(
      indices.begin(), indices.end(),
      [](const Index& one) { return one.kind == IndexKind::kTile; });
  if (!plain) return;
  for (size_t i = indices.size(); i-- > 1;) {
    Index& outer = indices[i - 1];
    const Index inner = indices[i];
    if (!IsAxis(outer, dims) || !IsAxis(inner, dims) || !IsWhole(inner) ||
        inner.axis != outer.axis + 1 || !HasRowsBehind(dims, inner.axis)) {
      continue;
    }
    outer.dim = outer.dim * inner.dim;
    outer.start = outer.start * inner.dim;
    outer.extent.size = outer.extent.size * inner.extent.size;
    outer.extent.capacity = outer.extent.capacity * inner.extent.capacity;
    dims[outer.axis] = outer.extent;
    dims.erase(dims.begin() + inner.axis);
    indices.erase(indices.begin() + static_cast<std::ptrdiff_t>(i));
    for (Index& one : indices) {
      if (one.axis > inner.axis) --one.axis;
    }
  }
}

}  // namespace belay::crux::select
