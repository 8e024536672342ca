// SPDX-License-Identifier: Apache-2.0
#include "crux/select/access_walk.h"

#include "base/error.h"
#include "crux/ir/bounds.h"
#include "crux/select/memory.h"

namespace belay::crux::select {

using ir::Access;
using ir::Index;
using ir::IndexKind;

namespace {

// Axes of the result that an index makes.
size_t AxesOf(const Emitter& emitter, const Index& index) {
  switch (index.kind) {
    case IndexKind::kPoint:
      return 0;
    case IndexKind::kRange:
      return 1;
    case IndexKind::kTile:
      return emitter.TileOf(index.tile).dims.size();
  }
  return 0;
}

}  // namespace

Walk WalkOf(const Emitter& emitter, const Access& access,
            const Layout& layout) {
  const ir::Tensor& tensor = emitter.kernel().tensors[access.tensor];
  Walk walk;
  walk.global = GlobalName(tensor);
  walk.dtype = GlobalDtype(tensor.dtype);
  walk.bytes = static_cast<int64_t>(BytesOf(walk.dtype));
  walk.strides.resize(access.indices.size());
  Int stride = 1;
  for (size_t i = access.indices.size(); i-- > 0;) {
    walk.strides[i] = stride;
    stride = stride * access.indices[i].dim;
  }
  for (size_t i = 0; i < access.indices.size(); ++i) {
    const Index& index = access.indices[i];
    if (index.kind == IndexKind::kRange && index.axis == layout.last &&
        walk.strides[i].Is(1) && index.step.Is(1)) {
      walk.inner = static_cast<int>(i);
    }
  }
  return walk;
}

Int PositionOf(Emitter& emitter, const Index& index,
               const std::vector<Int>& at) {
  switch (index.kind) {
    case IndexKind::kPoint:
      return index.start;
    case IndexKind::kRange:
      return index.start + at[index.axis] * index.step;
    case IndexKind::kTile: {
      const Layout layout = emitter.LayoutOf(index.tile);
      std::vector<Int> own;
      for (size_t i = 0; i < layout.dims.size(); ++i) {
        own.push_back(layout.dims[i].is_one() ? Int(0) : at[index.axis + i]);
      }
      const Int offset = layout.Offset(own);
      return emitter.LetInt(
          "position",
          Element(emitter.DtypeOf(index.tile), emitter.At(index.tile, offset)));
    }
  }
  throw InternalError("[crux] an index of no kind");
}

Clip ClipOf(const Index& index) {
  return {Max(0, CeilDiv(0 - index.start, index.step)),
          Min(index.extent.size, CeilDiv(index.dim - index.start, index.step))};
}

bool GoesByRows(const Index& index) {
  return index.kind == IndexKind::kRange && !ir::IsNeverPositive(index.step);
}

Nest NestOf(const Emitter& emitter, const Access& access, int inner) {
  Nest nest;
  for (size_t i = 0; i < access.indices.size(); ++i) {
    const int at = static_cast<int>(i);
    if (at == inner || AxesOf(emitter, access.indices[i]) == 0) continue;
    if (access.indices[i].kind == IndexKind::kRange &&
        access.indices[i].extent.is_one()) {
      continue;
    }
    nest.outer.push_back(at);
  }
  for (size_t i = nest.outer.size(); i-- > 0;) {
    if (!GoesByRows(access.indices[nest.outer[i]])) continue;
    nest.row = nest.outer[i];
    nest.outer.erase(nest.outer.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
  return nest;
}

}  // namespace belay::crux::select
