// SPDX-License-Identifier: Apache-2.0
// Checker: x.size, x.flat, x.view(…), x.around(dim), c.start, t.to(f32), and
// what other libraries have behind a dot.

#include <fmt/format.h>

#include <algorithm>

#include "crux/checker.h"
#include "crux/foreign.h"

namespace belay::crux {

using syntax::ExprKind;

namespace {

bool HasPack(const Type& type) {
  return std::any_of(type.dims.begin(), type.dims.end(), [](const Size& dim) {
    const SizeAtom* atom = dim.atom();
    return atom && atom->kind == SizeAtomKind::kPack;
  });
}

Size ProductOf(SizeTable& sizes, const std::vector<Size>& dims) {
  Size product(1);
  for (const Size& dim : dims) product = product * sizes.Count(dim);
  return product;
}

std::string ShapeText(const Type& type) {
  std::string text;
  for (const Size& dim : type.dims) {
    text += (text.empty() ? "" : ", ") + ToText(dim);
  }
  return "[" + text + "]";
}

}  // namespace

const typed::Expr* Checker::EvalAttribute(const syntax::Expr& expr) {
  const syntax::Expr& base = *expr.items[0];
  if (base.kind == ExprKind::kName && !scope_.Find(base.text) &&
      !FindGlobal(base.text) && IsForeignModule(base.text)) {
    std::string_view ours = ForDtype(expr.text);
    if (ours.empty() && (expr.text == "pi" || expr.text == "inf" ||
                         expr.text == "nan" || FindOperation(expr.text))) {
      ours = expr.text;
    }
    return Fail(code::kX123, expr.range,
                fmt::format("{} is a name of another library", Quote(expr)),
                ours.empty() ? "operations of Crux are called by their name "
                               "alone"
                             : fmt::format("write {}", ours));
  }
  // S.size
  if (base.kind == ExprKind::kName) {
    const Binding* binding = scope_.Find(base.text);
    if (binding && binding->kind == BindingKind::kPack) {
      if (expr.text == "size") {
        Expr* size =
            New(typed::ExprKind::kPackSize, TypeKind::kHostInt, expr.range);
        size->text = base.text;
        size->value = sizes_.Count(binding->value);
        return size;
      }
      return Fail(code::kX122, expr.place,
                  fmt::format("a pack of sizes has no '{}'", expr.text),
                  fmt::format("write {}.size for the product", base.text));
    }
  }
  const Expr* value = Eval(base);
  if (value->type.is_error()) return value;
  const auto property = [&](typed::ExprKind kind, TypeKind type, Size known) {
    Expr* result = New(kind, type, expr.range);
    result->args = {value};
    result->value = std::move(known);
    return result;
  };
  switch (value->type.kind) {
    case TypeKind::kTensor: {
      if (expr.text == "size") {
        return property(typed::ExprKind::kTensorSize, TypeKind::kHostInt,
                        ProductOf(sizes_, value->type.dims));
      }
      if (expr.text == "rank") {
        return property(
            typed::ExprKind::kTensorRank, TypeKind::kHostInt,
            HasPack(value->type)
                ? sizes_.Atom(SizeAtomKind::kOpaque,
                              "rank" + ShapeText(value->type), Quote(expr))
                : Size(value->type.rank()));
      }
      if (expr.text == "flat") {
        Expr* flat = property(typed::ExprKind::kFlat, TypeKind::kTensor,
                              Size::Unknown());
        flat->type.element = value->type.element;
        flat->type.dims = {ProductOf(sizes_, value->type.dims)};
        return flat;
      }
      if (expr.text == "shape") return ShapeOf(value, expr.range);
      if (expr.text == "view" || expr.text == "around") {
        return Fail(
            code::kX122, expr.place, fmt::format("'{}' is called", expr.text),
            expr.text == "view" ? "write x.view(A, B)" : "write x.around(dim)");
      }
      break;
    }
    case TypeKind::kTensorList:
    case TypeKind::kHostList:
      if (expr.text == "count") {
        return property(
            typed::ExprKind::kListCount, TypeKind::kHostInt,
            sizes_.Atom(SizeAtomKind::kOpaque,
                        fmt::format("count.{}", source_.Text(base.range)),
                        source_.Text(expr.range)));
      }
      if (value->type.kind == TypeKind::kHostList) {
        return Fail(code::kX122, expr.place,
                    fmt::format("{} is a list of integers and has no '{}'",
                                Quote(base), expr.text),
                    "their number is k.count, one of them k[0]");
      }
      return Fail(code::kX169, expr.place,
                  fmt::format("{} is a list of tensors and has no '{}'",
                              Quote(base), expr.text),
                  "take one of them: x[i].size in `for i in each(x):`; their "
                  "number is x.count");
    case TypeKind::kRange: {
      const Size& start = value->value;
      const Size& extent = value->type.dims[0];
      if (expr.text == "start") {
        return property(typed::ExprKind::kRangeStart, TypeKind::kIndex, start);
      }
      if (expr.text == "stop") {
        const bool plain = value->kind == typed::ExprKind::kLoopIndex;
        return property(typed::ExprKind::kRangeStop, TypeKind::kIndex,
                        plain ? start + extent
                              : sizes_.Fresh(SizeAtomKind::kDevice,
                                             source_.Text(expr.range)));
      }
      if (expr.text == "size") {
        return property(typed::ExprKind::kRangeSize, TypeKind::kIndex, extent);
      }
      return Fail(code::kX122, expr.place,
                  fmt::format("a range has no '{}'", expr.text),
                  "a range has .start, .stop and .size");
    }
    default:
      break;
  }
  return UnknownAttribute(value, expr, false);
}

const typed::Expr* Checker::ShapeOf(const Expr* tensor,
                                    const SourceRange& range) {
  if (HasPack(tensor->type)) {
    return Fail(code::kX119, range,
                fmt::format("the rank of {} is not known ({})",
                            Quote(tensor->range), ToText(tensor->type)),
                "write x.around(dim).shape, x.shape[i] or x.rank");
  }
  Expr* shape = New(typed::ExprKind::kTuple, TypeKind::kTuple, range);
  for (int i = 0; i < tensor->type.rank(); ++i) {
    Expr* size = New(typed::ExprKind::kDimension, TypeKind::kHostInt, range);
    size->args = {tensor, Integer(i, range)};
    size->value = tensor->type.dims[i];
    shape->args.push_back(size);
    shape->type.members.push_back(size->type);
  }
  return shape;
}

// x.shape[i]
const typed::Expr* Checker::DimensionOf(const Expr* tensor,
                                        const syntax::Expr& expr) {
  if (expr.items.size() != 2) {
    return Fail(code::kX142, expr.range, "a shape takes one index",
                "write x.shape[0]");
  }
  const Expr* index = EvalInteger(*expr.items[1], "the index of a shape", true);
  if (index->type.is_error()) return index;
  Expr* size = New(typed::ExprKind::kDimension, TypeKind::kHostInt, expr.range);
  size->args = {tensor, index};
  const auto constant = index->value.constant();
  const Type& type = tensor->type;
  if (HasPack(type) || !constant) {
    size->value =
        sizes_.Part(SizeAtomKind::kDimension, ShapeText(type), index->value);
    return size;
  }
  const int64_t axis = *constant < 0 ? *constant + type.rank() : *constant;
  if (axis < 0 || axis >= type.rank()) {
    return Fail(code::kX141, expr.items[1]->range,
                fmt::format("dimension {} of {} of rank {}", *constant,
                            Quote(tensor->range), type.rank()),
                fmt::format("dimensions are 0 to {}", type.rank() - 1));
  }
  size->args[1] = Integer(axis, expr.items[1]->range);
  size->value = type.dims[axis];
  return size;
}

const typed::Expr* Checker::CallMethod(const syntax::Expr& expr) {
  const syntax::Expr& callee = *expr.items[0];
  const syntax::Expr& base = *callee.items[0];
  // torch.nn.functional.relu
  const syntax::Expr* root = &base;
  while (root->kind == ExprKind::kAttribute) root = root->items[0];
  if (root->kind == ExprKind::kName && !scope_.Find(root->text) &&
      !FindGlobal(root->text) && IsForeignModule(root->text)) {
    std::string fix(ForFunction(callee.text));
    if (fix.empty() && FindOperation(callee.text)) {
      fix = callee.text == "load"    ? "load(x[r, c]): a view by indices"
            : callee.text == "store" ? "store(y[r, c], tile)"
                                     : callee.text + "(…)";
    }
    return Fail(
        code::kX123, callee.range,
        fmt::format("{} is a function of another library", Quote(callee)),
        fix.empty() ? "the operations are listed in "
                      "docs/crux_operations.md"
                    : fmt::format("write {}", fix));
  }
  const Expr* value = Eval(base);
  if (value->type.is_error()) return value;
  if (callee.text == "to") {
    if (value->type.kind == TypeKind::kView ||
        value->type.kind == TypeKind::kTensor) {
      return Fail(
          code::kX162, base.range,
          fmt::format("{} is in global memory; tiles are converted",
                      Quote(base)),
          fmt::format("write load({}{}).to(…)", source_.Text(base.range),
                      value->type.kind == TypeKind::kView ? "" : "[…]"));
    }
    return CallOperation(InfoOf(Op::kTo), expr, value);
  }
  if (value->type.kind == TypeKind::kTensor) {
    if (callee.text == "view") return ViewTensor(value, expr);
    if (callee.text == "around") return AroundTensor(value, expr);
    if (callee.text == "size" || callee.text == "flat") {
      return Fail(code::kX122, callee.place,
                  fmt::format("'{}' is not called", callee.text),
                  fmt::format("write .{} without brackets", callee.text));
    }
  }
  return UnknownAttribute(value, callee, true);
}

const typed::Expr* Checker::ViewTensor(const Expr* tensor,
                                       const syntax::Expr& expr) {
  Expr* view = New(typed::ExprKind::kReshaped, TypeKind::kTensor, expr.range);
  view->type.element = tensor->type.element;
  view->args = {tensor};
  if (!expr.keywords.empty()) {
    return Fail(code::kX127, expr.keywords[0].range,
                "view takes sizes without names", "write x.view(A, B)");
  }
  std::vector<const syntax::Expr*> items(expr.items.begin() + 1,
                                         expr.items.end());
  if (items.size() == 1 && (items[0]->kind == ExprKind::kTuple ||
                            items[0]->kind == ExprKind::kList)) {
    items.assign(items[0]->items.begin(), items[0]->items.end());
  }
  if (items.empty()) {
    return Fail(code::kX127, expr.range, "view needs the sizes",
                "write x.view(A, B); one may be -1");
  }
  int inferred = -1;
  Size product(1);
  for (size_t i = 0; i < items.size(); ++i) {
    const Expr* size = EvalInteger(*items[i], "a size of view", true);
    if (size->type.is_error()) return size;
    view->args.push_back(size);
    const auto constant = size->value.constant();
    if (constant && *constant < 0) {
      if (*constant != -1 || inferred >= 0) {
        return Fail(code::kX145, items[i]->range,
                    fmt::format("a size cannot be {}", *constant),
                    "sizes are 0 or more; one may be -1");
      }
      inferred = static_cast<int>(i);
      view->type.dims.emplace_back(1);
      continue;
    }
    view->type.dims.push_back(size->value);
    product = product * size->value;
  }
  const Size total = ProductOf(sizes_, tensor->type.dims);
  if (inferred >= 0) {
    view->type.dims[inferred] = sizes_.FloorDiv(total, product);
    return view;
  }
  const auto have = Expanded(total).constant();
  const auto want = Expanded(product).constant();
  if (have && want && *have != *want) {
    return Fail(code::kX145, expr.range,
                fmt::format("view of {} elements as {}", *have, *want),
                "the number of elements stays");
  }
  return view;
}

const typed::Expr* Checker::AroundTensor(const Expr* tensor,
                                         const syntax::Expr& expr) {
  if (expr.items.size() != 2 || !expr.keywords.empty()) {
    return Fail(code::kX127, expr.range, "around takes one dimension",
                "write x.around(dim): it is [before, dim, after]");
  }
  const Expr* dim = EvalInteger(*expr.items[1], "the dimension", true);
  if (dim->type.is_error()) return dim;
  Expr* around = New(typed::ExprKind::kAround, TypeKind::kTensor, expr.range);
  around->type.element = tensor->type.element;
  around->args = {tensor, dim};
  const std::vector<Size>& dims = tensor->type.dims;
  const auto rank = static_cast<int64_t>(dims.size());
  const auto constant = dim->value.constant();
  int64_t pack = rank;  // where the pack stands
  for (int64_t i = 0; i < rank; ++i) {
    const SizeAtom* atom = dims[i].atom();
    if (atom && atom->kind == SizeAtomKind::kPack) pack = i;
  }
  // The place is known if the pack does not lie between it and where it is
  // counted from.
  int64_t place = -1;
  if (constant && *constant >= 0 && *constant < pack) place = *constant;
  if (constant && *constant < 0 && rank + *constant >= 0 &&
      (pack == rank || rank + *constant > pack)) {
    place = rank + *constant;
  }
  if (pack == rank && constant && (place < 0 || place >= rank)) {
    return Fail(code::kX141, expr.items[1]->range,
                fmt::format("dimension {} of {} of rank {}", *constant,
                            Quote(tensor->range), rank),
                fmt::format("dimensions are 0 to {}, or -1 to -{} from the end",
                            rank - 1, rank));
  }
  if (place >= 0) {
    around->type.dims = {
        ProductOf(sizes_, {dims.begin(), dims.begin() + place}), dims[place],
        ProductOf(sizes_, {dims.begin() + place + 1, dims.end()})};
    return around;
  }
  const std::string shape = ShapeText(tensor->type);
  for (const SizeAtomKind kind :
       {SizeAtomKind::kBefore, SizeAtomKind::kDimension,
        SizeAtomKind::kAfter}) {
    around->type.dims.push_back(sizes_.Part(kind, shape, dim->value));
  }
  return around;
}

const typed::Expr* Checker::UnknownAttribute(const Expr* value,
                                             const syntax::Expr& expr,
                                             bool called) {
  const std::string& name = expr.text;
  const std::string owner(source_.Text(expr.items[0]->range));
  const bool tile = value->type.is_tile();
  const bool tensor = value->type.kind == TypeKind::kTensor ||
                      value->type.kind == TypeKind::kView;
  std::string message =
      fmt::format("{} is {} and has no '{}'", Quote(*expr.items[0]),
                  ToText(value->type), name);
  if (const OpInfo* info = FindOperation(name); info && (tile || tensor)) {
    std::string argument = owner;
    if (tensor) {
      argument = fmt::format("load({}{})", owner,
                             value->type.kind == TypeKind::kView ? "" : "[…]");
    }
    const bool more =
        info->parameters.size() > 1 && called && !info->parameters[1].optional;
    return Fail(
        code::kX122, expr.place, std::move(message),
        fmt::format("write {}({}{})", name, argument, more ? ", …" : ""));
  }
  std::string fix;
  if (const std::string_view ours = ForAttribute(name); !ours.empty()) {
    fix = fmt::format("write {}", ours);
  } else if (const std::string_view function = ForFunction(name);
             !function.empty()) {
    fix = fmt::format("write {}", function);
  } else {
    const std::string near =
        tensor
            ? Nearest(name, {"size", "flat", "view", "around", "shape", "rank"})
            : Nearest(name, {"to", "start", "stop", "size"});
    if (!near.empty()) {
      fix = fmt::format("did you mean '{}'?", near);
    } else if (value->type.kind == TypeKind::kTensor) {
      fix =
          "a tensor has .size, .flat, .rank, .shape, .view(…) and "
          ".around(dim)";
    } else if (tile) {
      fix = "a tile has .to(dtype); operations are functions: exp(t)";
    }
  }
  return Fail(code::kX122, expr.place, std::move(message), std::move(fix));
}

}  // namespace belay::crux
