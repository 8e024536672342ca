// SPDX-License-Identifier: Apache-2.0
#include "crux/select/layout.h"

#include <algorithm>

#include "base/error.h"

namespace belay::crux::select {

using ir::Dim;
using ir::Int;

namespace {

// Axes that have more than one element, or may have.
std::vector<int> WideAxes(const std::vector<Dim>& dims) {
  std::vector<int> axes;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!dims[i].is_one()) axes.push_back(static_cast<int>(i));
  }
  return axes;
}

}  // namespace

bool Layout::is_flat() const {
  return std::none_of(dims.begin(), dims.begin() + std::max(last, 0),
                      [](const Dim& dim) { return !dim.is_one(); });
}

Int Layout::Count() const {
  if (last < 0) return 1;
  if (is_flat()) return dims[last].size;
  return Rows() * pitch;
}

Int Layout::Offset(const std::vector<Int>& indices) const {
  if (indices.size() != dims.size()) {
    throw InternalError("[crux] an element of a tile with other axes");
  }
  Int offset = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    offset = offset + indices[i] * strides[i];
  }
  return offset;
}

Int Layout::Rows() const {
  // Rows of outer axes are all there up to the last valid one: an outer axis
  // counts by its size, inner ones by their capacity.
  Int rows = 1;
  bool outermost = true;
  for (int i = 0; i < last; ++i) {
    if (dims[i].is_one()) continue;
    rows = rows * (outermost ? dims[i].size : dims[i].capacity);
    outermost = false;
  }
  return rows;
}

int64_t PaddingOf(const ir::Kernel& kernel) {
  int64_t smallest = 8;
  for (const ir::Tile& tile : kernel.tiles) {
    // A bool is a half on chip.
    const int64_t bytes = tile.dtype == DType::kBool
                              ? 2
                              : static_cast<int64_t>(BytesOf(tile.dtype));
    smallest = std::min(smallest, bytes);
  }
  return 32 / std::min<int64_t>(smallest, 4);
}

Layout LayoutOf(const std::vector<Dim>& dims, int64_t padding) {
  Layout layout;
  layout.dims = dims;
  layout.strides.assign(dims.size(), Int(0));
  const std::vector<int> wide = WideAxes(dims);
  if (wide.empty()) {
    layout.pitch = 1;
    layout.elements = 1;
    return layout;
  }
  layout.last = wide.back();
  layout.strides[layout.last] = 1;
  const Int columns = dims[layout.last].capacity;
  layout.pitch = wide.size() == 1 ? columns : AlignUp(columns, padding);
  Int stride = layout.pitch;
  for (size_t i = wide.size() - 1; i-- > 0;) {
    layout.strides[wide[i]] = stride;
    stride = stride * dims[wide[i]].capacity;
  }
  layout.elements = stride;
  return layout;
}

bool SamePlaces(const Layout& a, const Layout& b) {
  const auto shape = [](const Layout& layout) {
    std::vector<Int> wide;
    for (const Dim& dim : layout.dims) {
      if (!dim.is_one()) wide.push_back(dim.capacity);
    }
    return wide;
  };
  const std::vector<Int> left = shape(a);
  const std::vector<Int> right = shape(b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    ir::Same);
}

}  // namespace belay::crux::select
