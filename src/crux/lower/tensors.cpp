// SPDX-License-Identifier: Apache-2.0
// Tensors, views of them, and subscripts.

#include <fmt/format.h>

#include "base/error.h"
#include "crux/lower/lowering.h"

namespace belay::crux::lower {
namespace {

using ir::IndexKind;
using typed::ExprKind;
using typed::Subscript;
using typed::SubscriptKind;

Int ProductOf(const std::vector<Int>& dims, size_t first, size_t last) {
  Int product = 1;
  for (size_t i = first; i < last; ++i) product = product * dims[i];
  return product;
}

}  // namespace

ir::Index WholeIndex(const Dim& dim) {
  ir::Index index;
  index.kind = IndexKind::kRange;
  index.dim = dim.size;
  index.start = 0;
  index.extent = dim;
  return index;
}

TensorView Lowering::ListElementView(const Expr& tensor) {
  const Expr* list = Inlined(*tensor.args[0]);
  const typed::Parameter& parameter = *list->parameter;
  TensorView view;
  view.tensor = tensors_.at(&parameter);
  view.element = IntOf(*tensor.args[1]);
  for (size_t d = 0; d < parameter.dims.size(); ++d) {
    const typed::ParameterDim& dim = parameter.dims[d];
    const Size& size = tensor.type.dims[d];
    if (!dim.pack.empty()) {
      // The product is that of the tensor; parts of it have no names.
      view.pack = static_cast<int>(d);
      view.dims.emplace_back(0);
      continue;
    }
    if (const auto known = Known(size)) {
      view.dims.push_back(*known);
      continue;
    }
    Expr* axis = NewExpr(ExprKind::kLiteral, TypeKind::kHostInt);
    axis->integer = static_cast<int64_t>(d);
    if (view.pack >= 0) {
      axis->integer -= static_cast<int64_t>(parameter.dims.size());
    }
    axis->value = Size(axis->integer);
    Expr* expr = NewExpr(ExprKind::kDimension, TypeKind::kHostInt);
    expr->args = {&tensor, axis};
    expr->value = size;
    const bool named = dim.expr != nullptr && dim.expr->kind == ExprKind::kSize;
    view.dims.push_back(OpaqueInt(*expr, named ? dim.expr->text : ""));
  }
  if (view.pack < 0) {
    view.elements = Product(view.dims);
  } else {
    Expr* expr = NewExpr(ExprKind::kTensorSize, TypeKind::kHostInt);
    expr->args = {&tensor};
    view.elements = OpaqueInt(*expr, "");
  }
  return view;
}

std::optional<size_t> Lowering::PlaceAround(const TensorView& view,
                                            const Expr& tensor) const {
  const auto rank = static_cast<int64_t>(view.dims.size());
  const auto axis = tensor.args[1]->value.constant();
  const bool list =
      kernel_.tensors[static_cast<size_t>(view.tensor)].list && view.pack >= 0;
  if (!axis || list) return std::nullopt;
  if (*axis >= 0 && (view.pack < 0 ? *axis < rank : *axis < view.pack)) {
    return static_cast<size_t>(*axis);
  }
  if (*axis < 0 && rank + *axis > view.pack) {
    return static_cast<size_t>(rank + *axis);
  }
  return std::nullopt;
}

TensorView Lowering::AroundView(const Expr& tensor) {
  TensorView view = ViewOf(*tensor.args[0]);
  const auto place = PlaceAround(view, tensor);
  const std::vector<Int> dims = std::move(view.dims);
  view.dims.clear();
  view.pack = -1;
  if (place) {
    view.dims = {ProductOf(dims, 0, *place), dims[*place],
                 ProductOf(dims, *place + 1, dims.size())};
    return view;
  }
  for (int64_t i = 0; i < 3; ++i) {
    Expr* part = NewExpr(ExprKind::kLiteral, TypeKind::kHostInt);
    part->integer = i;
    part->value = Size(i);
    Expr* expr = NewExpr(ExprKind::kDimension, TypeKind::kHostInt);
    expr->args = {&tensor, part};
    expr->value = tensor.type.dims[static_cast<size_t>(i)];
    view.dims.push_back(OpaqueInt(*expr, ""));
  }
  return view;
}

TensorView Lowering::ViewOf(const Expr& tensor) {
  switch (tensor.kind) {
    case ExprKind::kParameter: {
      const typed::Parameter& parameter = *tensor.parameter;
      TensorView view;
      view.tensor = tensors_.at(&parameter);
      for (size_t d = 0; d < parameter.dims.size(); ++d) {
        const typed::ParameterDim& dim = parameter.dims[d];
        if (dim.pack.empty()) {
          view.dims.push_back(HostInt(*dim.expr));
        } else {
          view.pack = static_cast<int>(d);
          const auto size = packs_.find(dim.pack);
          if (size == packs_.end()) {
            packs_.emplace(dim.pack, PackSize(dim.pack, Size::Unknown()));
          }
          view.dims.push_back(packs_.at(dim.pack));
        }
      }
      view.elements = Product(view.dims);
      return view;
    }
    case ExprKind::kVariable: {
      const auto scratch = scratches_.find(tensor.variable);
      if (scratch != scratches_.end()) {
        TensorView view;
        view.tensor = scratch->second;
        view.dims = scratch_dims_.at(view.tensor);
        view.elements = Product(view.dims);
        return view;
      }
      const Expr* inlined = Inlined(tensor);
      if (inlined == &tensor) {
        ir::Refuse(
            code::kX301, tensor.range,
            fmt::format("`{}` has no value in this variant of the kernel",
                        tensor.variable->name),
            "assign it before it is used, on every path");
      }
      return ViewOf(*inlined);
    }
    case ExprKind::kListElement:
      return ListElementView(tensor);
    case ExprKind::kFlat: {
      TensorView view = ViewOf(*tensor.args[0]);
      view.dims = {view.elements};
      view.pack = -1;
      return view;
    }
    case ExprKind::kReshaped: {
      TensorView view = ViewOf(*tensor.args[0]);
      view.dims.clear();
      view.pack = -1;
      std::optional<size_t> open;
      Int rest = 1;
      for (size_t i = 1; i < tensor.args.size(); ++i) {
        const Int size = IntOf(*tensor.args[i]);
        if (size.Is(-1)) {
          open = i - 1;
        } else {
          rest = rest * size;
        }
        view.dims.push_back(size);
      }
      if (open) {
        const auto known = Known(tensor.type.dims[*open]);
        view.dims[*open] = known ? *known : FloorDiv(view.elements, rest);
        rest = FloorDiv(view.elements, rest) * rest;
      }
      RequireProduct(rest, view.elements, tensor.range);
      return view;
    }
    case ExprKind::kAround:
      return AroundView(tensor);
    case ExprKind::kSelect:
      return ViewOf(Decide(*tensor.args[1]) ? *tensor.args[0]
                                            : *tensor.args[2]);
    default:
      throw InternalError("[crux] an expression that is no tensor");
  }
}

ir::Index Lowering::SliceIndex(const Subscript& subscript, const Dim& dim,
                               const Size* size) {
  if (subscript.low == nullptr && subscript.high == nullptr &&
      subscript.step == nullptr) {
    return WholeIndex(dim);
  }
  ir::Index index;
  index.kind = IndexKind::kRange;
  index.dim = dim.size;
  index.start = subscript.low != nullptr ? IntOf(*subscript.low) : Int(0);
  const Int high =
      subscript.high != nullptr ? IntOf(*subscript.high) : dim.size;
  if (subscript.step != nullptr) {
    index.step = IntOf(*subscript.step);
    Require(Less(0, index.step), subscript.range,
            "the step of a slice must be positive");
  }
  RequireAtMost(index.start, high, subscript.range,
                "a slice must not end before it begins");
  const auto known = size != nullptr ? Known(*size) : std::nullopt;
  const Int count = known ? *known : CeilDiv(high - index.start, index.step);
  index.extent = BoundedDim(count, dim.capacity, subscript.range);
  return index;
}

std::vector<ir::Index> Lowering::IndicesOf(
    const std::vector<Subscript>& subscripts, const std::vector<Dim>& dims,
    const std::vector<Size>& sizes, std::vector<Dim>* result, bool falls) {
  std::vector<ir::Index> indices;
  size_t axis = 0;  // of the typed result, new axes included
  const auto keep = [&](ir::Index index) {
    if (index.kind == IndexKind::kRange) {
      index.axis = static_cast<int>(result->size());
      result->push_back(index.extent);
    }
    indices.push_back(std::move(index));
  };
  for (const Subscript& subscript : subscripts) {
    if (subscript.kind == SubscriptKind::kNewAxis) {
      ++axis;
      continue;
    }
    const Dim& dim = dims[indices.size()];
    ir::Index index;
    index.dim = dim.size;
    switch (subscript.kind) {
      case SubscriptKind::kPoint:
        index.start = IntOf(*subscript.value);
        break;
      case SubscriptKind::kRange: {
        const Range range = RangeOf(*subscript.value);
        index.kind = IndexKind::kRange;
        index.start = range.start;
        index.step = range.step;
        index.extent = range.extent;
        ++axis;
        break;
      }
      case SubscriptKind::kSlice:
        index = SliceIndex(subscript, dim,
                           axis < sizes.size() ? &sizes[axis] : nullptr);
        ++axis;
        break;
      default: {
        const int tile = TileOf(*subscript.value);
        const auto affine = affine_.find(tile);
        if (affine != affine_.end() &&
            (Less(0, affine->second.step).Is(1) ||
             (falls && &subscript == &subscripts.back() &&
              indices.size() + 1 == dims.size()))) {
          index.kind = IndexKind::kRange;
          index.start = affine->second.start;
          index.step = affine->second.step;
          index.extent = affine->second.extent;
          ++axis;
          break;
        }
        index.kind = IndexKind::kTile;
        index.tile = tile;
        index.axis = static_cast<int>(result->size());
        const std::vector<Dim>& shape = TileAt(tile).dims;
        result->insert(result->end(), shape.begin(), shape.end());
        axis += shape.size();
        break;
      }
    }
    keep(std::move(index));
  }
  while (indices.size() < dims.size()) keep(WholeIndex(dims[indices.size()]));
  return indices;
}

ir::Access Lowering::AccessOf(const Expr& view, std::vector<Dim>* dims,
                              bool falls) {
  const TensorView seen = ViewOf(*view.args[0]);
  used_tensors_.insert(seen.tensor);
  std::vector<Dim> shape;
  for (const Int& dim : seen.dims) {
    shape.push_back(BoundedDim(dim, std::nullopt, view.range));
  }
  ir::Access access;
  access.tensor = seen.tensor;
  access.element = seen.element;
  access.indices =
      IndicesOf(view.subscripts, shape, view.type.dims, dims, falls);
  return access;
}

}  // namespace belay::crux::lower
