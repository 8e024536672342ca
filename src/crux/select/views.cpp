// SPDX-License-Identifier: Apache-2.0
#include "crux/select/views.h"

#include <algorithm>
#include <variant>

#include "crux/select/layout.h"
#include "crux/select/vector.h"

namespace belay::crux::select {
namespace {

using ir::Dim;
using ir::Index;
using ir::IndexKind;
using ir::Int;
using ir::StmtKind;

bool IsOne(const Index& index) {
  return index.kind == IndexKind::kPoint ||
         (index.kind == IndexKind::kRange && index.extent.is_one());
}

bool IsWhole(const Index& index, const Dim& dim) {
  return index.kind == IndexKind::kRange && index.start.Is(0) &&
         index.step.Is(1) && ir::Same(index.extent.capacity, dim.capacity) &&
         ir::Same(index.extent.size, dim.size);
}

bool TakesItsElements(const ir::Stmt& stmt) {
  if (stmt.kind != StmtKind::kCompute) return false;
  switch (stmt.op) {
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kDiv:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<Int> FirstOfRows(const ir::Kernel& kernel,
                               const ir::Stmt& slice) {
  const ir::Tile& source = kernel.tiles[std::get<int>(slice.operands[0])];
  const Layout from = LayoutOf(source.dims, PaddingOf(kernel));
  Int first = 0;
  bool rows = false;  // an axis of several has been met
  int axis = -1;      // of the result, the last one met
  for (size_t i = 0; i < slice.slice.size(); ++i) {
    const Index& index = slice.slice[i];
    const bool inner = static_cast<int>(i) == from.last;
    if (index.kind == IndexKind::kRange) {
      if (index.axis <= axis) return std::nullopt;
      axis = index.axis;
    }
    if (source.dims[i].is_one()) continue;
    if (IsOne(index)) {
      if (inner || rows) return std::nullopt;
    } else if (index.kind != IndexKind::kRange || !index.step.Is(1)) {
      return std::nullopt;
    } else {
      if ((inner || rows) && !IsWhole(index, source.dims[i])) {
        return std::nullopt;
      }
      rows = true;
    }
    first = first + index.start * from.strides[i];
  }
  if (!rows) return std::nullopt;
  return first;
}

bool MayBeView(const ir::Kernel& kernel, const Occurrences& at,
               const ir::Stmt& slice) {
  const int result = slice.results[0];
  const int source = std::get<int>(slice.operands[0]);
  if (at.Assignments(result) != 1 || at.Assignments(source) != 1 ||
      !IsFloating(kernel.tiles[result].dtype) || !FirstOfRows(kernel, slice)) {
    return false;
  }
  const Layout layout = LayoutOf(kernel.tiles[result].dims, PaddingOf(kernel));
  if (CountsRows(kernel, layout.dims[layout.last].capacity)) return false;
  const std::span<const Occurrence> seen = at.Of(result);
  return std::all_of(seen.begin(), seen.end(), [](const Occurrence& one) {
    return one.assigns || TakesItsElements(*one.stmt);
  });
}

}  // namespace belay::crux::select
