// SPDX-License-Identifier: Apache-2.0
#include "crux/select/overlaps.h"

#include <set>

#include "crux/ir/bounds.h"
#include "crux/passes/walk.h"
#include "crux/select/work.h"

namespace belay::crux::select {
namespace {

using ir::Index;
using ir::IndexKind;
using ir::Int;

// The index of the rows, of a tile that has rows and nothing around them.
const Index* RowsOf(const ir::Stmt& load, const Layout& layout) {
  const Index* rows = nullptr;
  int axes = 0;
  for (const Index& index : load.access.indices) {
    if (index.kind == IndexKind::kTile) return nullptr;
    if (index.kind != IndexKind::kRange || index.extent.is_one()) continue;
    if (axes++ == 0) rows = &index;
    if (!index.step.Is(1)) return nullptr;
  }
  const bool plain = axes == 2 && layout.last == rows->axis + 1;
  return plain && !layout.on_lanes ? rows : nullptr;
}

}  // namespace

std::optional<Overlap> OverlapOf(const ir::Kernel& kernel,
                                 const Layouts& layouts, const ir::Loop& loop,
                                 const ir::Stmt& load) {
  const int tile = load.results[0];
  const ir::Tensor& tensor = kernel.tensors[load.access.tensor];
  if (loop.extent.empty() || loop.reverse || tensor.list ||
      tensor.role != ir::TensorRole::kIn) {
    return std::nullopt;
  }
  const Index* rows = RowsOf(load, layouts[tile]);
  if (rows == nullptr) return std::nullopt;
  const auto moves = ir::Slope(rows->start, loop.name);
  const auto grows = ir::Slope(rows->extent.size, loop.extent);
  if (!moves || !moves->Is(1) || !grows || !grows->Is(1) ||
      Mentions(rows->start, loop.extent)) {
    return std::nullopt;
  }
  const Int common =
      Substitute(rows->extent.size, [&](const std::string& name) {
        return name == loop.extent ? std::optional(Int(0)) : std::nullopt;
      });
  const std::set<std::string> own = passes::NamesDefinedIn(loop.body);
  if (common.Is(0) || !passes::IsHost(kernel, common) ||
      !passes::NamesUsedBy(kernel, load, own).empty()) {
    return std::nullopt;
  }
  for (const Index& index : load.access.indices) {
    if (&index == rows) continue;
    for (const std::string& name : {loop.name, loop.extent}) {
      if (Mentions(index.start, name) || Mentions(index.extent.size, name)) {
        return std::nullopt;
      }
    }
  }
  if (IsHeldByVectors(kernel, layouts, loop.body, tile)) return std::nullopt;
  Overlap overlap;
  overlap.rows = common;
  overlap.next = Int::Name(loop.extent);
  overlap.pitch = layouts[tile].strides[rows->axis];
  return overlap;
}

}  // namespace belay::crux::select
