// SPDX-License-Identifier: Apache-2.0
// Checker: x[r, c]: views of tensors, parts of tiles, elements of lists.

#include <fmt/format.h>

#include "crux/checker.h"

namespace belay::crux {

using syntax::ExprKind;
using typed::Subscript;
using typed::SubscriptKind;

const typed::Expr* Checker::EvalSubscript(const syntax::Expr& expr) {
  const syntax::Expr& base = *expr.items[0];
  if (IsTypeName(base)) return EvalType(expr);
  if (expr.items.size() == 1) {
    return Fail(code::kX142, expr.range, "the brackets are empty",
                "write an index, or `:` for all");
  }
  if (base.kind == ExprKind::kName) {
    const Binding* binding = scope_.Find(base.text);
    if (binding && binding->kind == BindingKind::kVariable &&
        binding->variable->type.kind == TypeKind::kAcross) {
      return SubscriptAcross(*binding->variable, expr);
    }
  }
  // x.shape[0]
  if (base.kind == ExprKind::kAttribute && base.text == "shape") {
    const Expr* owner = Eval(*base.items[0]);
    if (owner->type.is_error()) return owner;
    if (owner->type.kind == TypeKind::kTensor) {
      return DimensionOf(owner, expr);
    }
  }
  const Expr* value = Eval(base);
  switch (value->type.kind) {
    case TypeKind::kError:
      return value;
    case TypeKind::kTensor:
      return SubscriptTensor(value, expr);
    case TypeKind::kTile:
      return SubscriptTile(value, expr);
    case TypeKind::kTensorList:
      return SubscriptList(value, expr);
    case TypeKind::kHostList:
      return SubscriptHost(value, expr);
    case TypeKind::kView:
      return Fail(code::kX142, expr.range,
                  fmt::format("{} is a view already", Quote(base)),
                  "write all subscripts in one pair of brackets: x[r, c]");
    case TypeKind::kTuple:
      return Fail(code::kX129, expr.range,
                  fmt::format("{} gives several values", Quote(base)),
                  "unpack them: values, positions = …");
    default:
      return Fail(code::kX142, expr.range,
                  fmt::format("{} is {} and has no parts", Quote(base),
                              ToText(value->type)),
                  value->type.kind == TypeKind::kRange
                      ? "a range is moved with + and stretched with *"
                      : "tensors, tiles and lists have parts");
  }
}

bool Checker::CheckPoint(const Expr* index, const Size& dim,
                         std::string_view what) {
  const auto constant = index->value.constant();
  if (!constant) return true;
  if (*constant < 0) {
    Report(code::kX144, index->range,
           fmt::format("index {} of {}: indices never wrap", *constant, what),
           "count from the front: N - 1; the last element of a tile is "
           "last(t)");
    return false;
  }
  const auto size = dim.constant();
  if (size && *constant >= *size) {
    Report(code::kX144, index->range,
           fmt::format("index {} of {}, whose size there is {}", *constant,
                       what, *size),
           fmt::format("indices are 0 to {}", *size - 1));
    return false;
  }
  return true;
}

bool Checker::ReadSlice(const syntax::Expr& expr, const Size& dim,
                        Subscript* subscript, Size* extent) {
  const Expr** parts[] = {&subscript->low, &subscript->high, &subscript->step};
  constexpr std::string_view kNames[] = {
      "the begin of a slice", "the end of a slice", "the step of a slice"};
  for (int i = 0; i < 3; ++i) {
    if (!expr.items[i]) continue;
    *parts[i] = EvalInteger(*expr.items[i], kNames[i], i == 2);
    if ((*parts[i])->type.is_error()) return false;
    const auto constant = (*parts[i])->value.constant();
    if (constant && *constant < (i == 2 ? 1 : 0)) {
      Report(i == 2 ? code::kX177 : code::kX144, expr.items[i]->range,
             i == 2 ? fmt::format("{} is {}", kNames[i], *constant)
                    : fmt::format("{} is {}: indices never wrap", kNames[i],
                                  *constant),
             i == 2 ? "steps are positive; a loop runs backwards with "
                      "reverse=True"
                    : "count from the front: N - 1");
      return false;
    }
  }
  const Size low = subscript->low ? subscript->low->value : Size(0);
  const Size high = subscript->high ? subscript->high->value : dim;
  Size length = high - low;
  if (!length.known()) {
    Report(code::kX147, expr.range,
           fmt::format("the length of the slice {} is not known", Quote(expr)),
           "give the device integer a name first: n = load(…), then t[:n]; "
           "long pieces are `for c in tiles(low, high, tile=auto):`");
    return false;
  }
  if (subscript->step) {
    length = sizes_.CeilDiv(length, subscript->step->value);
  }
  if (const auto constant = length.constant(); constant && *constant < 0) {
    Report(code::kX144, expr.range,
           fmt::format("the slice {} ends before it begins", Quote(expr)),
           "write low:high with low <= high");
    return false;
  }
  const auto end = high.constant();
  const auto size = dim.constant();
  if (end && size && *end > *size) {
    Report(
        code::kX144, expr.range,
        fmt::format("the slice {} ends behind the size {}", Quote(expr), *size),
        "slices are not cut to the size");
    return false;
  }
  *extent = length;
  return true;
}

bool Checker::ReadSubscripts(const syntax::Expr& expr, const Type& type,
                             bool tile, std::string_view what,
                             std::vector<Subscript>* subscripts,
                             std::vector<Size>* dims) {
  const int rank = type.rank();
  int given = 0;
  for (size_t i = 1; i < expr.items.size(); ++i) {
    const ExprKind kind = expr.items[i]->kind;
    if (kind != ExprKind::kNone && kind != ExprKind::kEllipsis) ++given;
  }
  if (given > rank) {
    Report(code::kX142, expr.range,
           fmt::format("{} has rank {}, here are {} subscripts", what, rank,
                       given),
           rank == 0
               ? "a scalar has no parts"
               : fmt::format("write {}, one for each size of {}",
                             rank == 1 ? "one subscript"
                                       : fmt::format("{} subscripts", rank),
                             ToText(type)));
    return false;
  }
  int next = 0;
  bool gathered = false;
  const auto whole = [&](int count, const SourceRange& range) {
    for (int i = 0; i < count; ++i) {
      Subscript all;
      all.kind = SubscriptKind::kSlice;
      all.range = range;
      subscripts->push_back(all);
      dims->push_back(type.dims[next++]);
    }
  };
  for (size_t i = 1; i < expr.items.size(); ++i) {
    const syntax::Expr& item = *expr.items[i];
    Subscript subscript;
    subscript.range = item.range;
    if (item.kind == ExprKind::kEllipsis) {
      whole(rank - given, item.range);
      given = rank;
      continue;
    }
    if (item.kind == ExprKind::kNone) {
      if (!tile) {
        Report(code::kX143, item.range,
               "None adds an axis to a tile, not to a view of a tensor",
               "load first: load(x[r, :])[:, None]");
        return false;
      }
      subscript.kind = SubscriptKind::kNewAxis;
      subscripts->push_back(subscript);
      dims->emplace_back(1);
      continue;
    }
    const Size& dim = type.dims[next++];
    if (item.kind == ExprKind::kSlice) {
      subscript.kind = SubscriptKind::kSlice;
      Size extent;
      if (!ReadSlice(item, dim, &subscript, &extent)) return false;
      subscripts->push_back(subscript);
      dims->push_back(extent);
      continue;
    }
    const Expr* value = EvalOperand(item, "a subscript");
    if (value->type.is_error()) return false;
    subscript.value = value;
    if (IsIntegerScalar(value->type)) {
      if (!CheckPoint(value, dim, what)) return false;
    } else if (value->type.kind == TypeKind::kRange) {
      subscript.kind = SubscriptKind::kRange;
      dims->push_back(value->type.dims[0]);
    } else if (value->type.is_tile() &&
               !FirstRefused(value->type.element, OpDtypes::kInteger)) {
      if (gathered) {
        Report(code::kX143, item.range, "two subscripts are tiles; one may be",
               "compute one index into x.flat, or loop over the other axis");
        return false;
      }
      gathered = true;
      subscript.kind = SubscriptKind::kGather;
      dims->insert(dims->end(), value->type.dims.begin(),
                   value->type.dims.end());
    } else {
      const bool mask = value->type.is_tile() &&
                        !FirstRefused(value->type.element, OpDtypes::kBool);
      Report(code::kX143, item.range,
             fmt::format("a subscript is an integer, a range, a slice or a "
                         "tile of integers, {} is {}",
                         Quote(item), ToText(value->type)),
             mask ? "elements under a mask are compress(t, mask) or "
                    "where(mask, a, b)"
             : value->type.kind == TypeKind::kHostFloat
                 ? "divide with //"
                 : "convert it: .to(i32)");
      return false;
    }
    subscripts->push_back(subscript);
  }
  whole(rank - next, expr.range);
  return true;
}

const typed::Expr* Checker::SubscriptTensor(const Expr* tensor,
                                            const syntax::Expr& expr) {
  const std::string what = Quote(*expr.items[0]);
  for (const Size& dim : tensor->type.dims) {
    const SizeAtom* atom = dim.atom();
    if (!atom || atom->kind != SizeAtomKind::kPack) continue;
    return Fail(code::kX119, expr.range,
                fmt::format("{} has any rank ({}) and no subscripts of its own",
                            what, ToText(tensor->type)),
                "write x.flat[c], x.view(A, B)[a, b] or x.around(dim)[a, d, "
                "b]");
  }
  Expr* view = New(typed::ExprKind::kView, TypeKind::kView, expr.range);
  view->type.element = tensor->type.element;
  view->args = {tensor};
  if (!ReadSubscripts(expr, tensor->type, false, what, &view->subscripts,
                      &view->type.dims)) {
    return Error(expr.range);
  }
  return view;
}

const typed::Expr* Checker::SubscriptTile(const Expr* tile,
                                          const syntax::Expr& expr) {
  Expr* part = New(typed::ExprKind::kSubscript, TypeKind::kTile, expr.range);
  part->type.element = tile->type.element;
  part->args = {tile};
  if (!ReadSubscripts(expr, tile->type, true, Quote(*expr.items[0]),
                      &part->subscripts, &part->type.dims)) {
    return Error(expr.range);
  }
  return part;
}

const typed::Expr* Checker::SubscriptList(const Expr* list,
                                          const syntax::Expr& expr) {
  if (expr.items.size() != 2 || expr.items[1]->kind == ExprKind::kSlice) {
    return Fail(code::kX169, expr.range,
                fmt::format("{} is a list of tensors and takes one index",
                            Quote(*expr.items[0])),
                "write x[i][r, c]: first the tensor, then its elements");
  }
  const Expr* index = EvalInteger(*expr.items[1], "the index of a list", false);
  if (index->type.is_error()) return index;
  const bool each = index->kind == typed::ExprKind::kLoopIndex &&
                    index->loop->kind == typed::LoopKind::kEach;
  if (!each && index->type.kind != TypeKind::kHostInt) {
    return Fail(code::kX169, expr.items[1]->range,
                fmt::format("the index of a list is the variable of an `each` "
                            "loop or a host integer, {} is {}",
                            Quote(*expr.items[1]), ToText(index->type)),
                "write `for i in each(x):`");
  }
  if (!CheckPoint(index, Size::Unknown(), "a list")) return Error(expr.range);
  Expr* element =
      New(typed::ExprKind::kListElement, TypeKind::kTensor, expr.range);
  element->type.element = list->type.element;
  element->args = {list, index};
  // Sizes that belong to the element are told apart by its index.
  const std::string suffix = fmt::format("[{}]", ToText(index->value));
  const auto own = [&](const SizeAtom& atom) -> std::optional<Size> {
    if (atom.kind != SizeAtomKind::kName && atom.kind != SizeAtomKind::kPack) {
      return std::nullopt;
    }
    if (!element_sizes_.contains(atom.text)) return std::nullopt;
    const SizeAtom* position = index->value.atom();
    const std::string key =
        position ? std::to_string(position->id) : ToText(index->value);
    return sizes_.Atom(atom.kind, fmt::format("{}@{}", atom.id, key),
                       atom.text + suffix);
  };
  for (const Size& dim : list->type.dims) {
    element->type.dims.push_back(Substituted(dim, own));
  }
  return element;
}

const typed::Expr* Checker::SubscriptHost(const Expr* list,
                                          const syntax::Expr& expr) {
  if (expr.items.size() != 2 || expr.items[1]->kind == ExprKind::kSlice) {
    return Fail(code::kX142, expr.range,
                fmt::format("{} is a list of integers and takes one index",
                            Quote(*expr.items[0])),
                "write k[0]");
  }
  const Expr* index = EvalInteger(*expr.items[1], "the index of a list", false);
  if (index->type.is_error()) return index;
  if (index->type.is_tile()) {
    return Fail(code::kX170, expr.items[1]->range,
                fmt::format("the index of a host list is a host integer or a "
                            "loop index, {} is {}",
                            Quote(*expr.items[1]), ToText(index->type)),
                "pass the list as a tensor of integers and load from it");
  }
  if (!CheckPoint(index, Size::Unknown(), "a list")) return Error(expr.range);
  Expr* element =
      New(typed::ExprKind::kHostElement, index->type.kind, expr.range);
  element->args = {list, index};
  const SizeAtom* position = index->value.atom();
  element->value = sizes_.Atom(
      index->type.kind == TypeKind::kHostInt ? SizeAtomKind::kOpaque
                                             : SizeAtomKind::kDevice,
      fmt::format(
          "{}.{}[{}]", kernel_->name,
          list->parameter ? list->parameter->name : "",
          position ? std::to_string(position->id) : ToText(index->value)),
      source_.Text(expr.range));
  return element;
}

}  // namespace belay::crux
