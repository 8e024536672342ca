// SPDX-License-Identifier: Apache-2.0
// Checker: types as arguments (f32[i, j]) and integers where one is needed.

#include <fmt/format.h>

#include <algorithm>

#include "crux/checker.h"
#include "crux/foreign.h"

namespace belay::crux {

using syntax::ExprKind;

std::optional<Element> Checker::ElementNamed(std::string_view name) const {
  for (const DType dtype : AllDtypes()) {
    if (name == belay::NameOf(dtype)) return Element{dtype, nullptr};
  }
  const Global* global = FindGlobal(name);
  if (global && global->kind == GlobalKind::kDtype) {
    return Element{DType::kNone, global->dtype};
  }
  return std::nullopt;
}

bool Checker::IsTypeName(const syntax::Expr& expr) const {
  return expr.kind == ExprKind::kName && !scope_.Find(expr.text) &&
         ElementNamed(expr.text).has_value();
}

const typed::Expr* Checker::EvalType(const syntax::Expr& expr) {
  const bool shaped = expr.kind == ExprKind::kSubscript;
  const syntax::Expr& name = shaped ? *expr.items[0] : expr;
  if (name.kind == ExprKind::kName) {
    const Binding* local = scope_.Find(name.text);
    if (local && local->kind == BindingKind::kError) return Error(expr.range);
    const Global* global = FindGlobal(name.text);
    if (!local && global && global->kind == GlobalKind::kError) {
      return Error(expr.range);
    }
  }
  if (!IsTypeName(name)) {
    if (name.kind == ExprKind::kAttribute &&
        name.items[0]->kind == ExprKind::kName &&
        IsForeignModule(name.items[0]->text)) {
      const std::string_view ours = ForDtype(name.text);
      return Fail(code::kX123, name.range,
                  fmt::format("{} is a name of another library", Quote(name)),
                  ours.empty() ? "write f16, bf16, f32, i32 …"
                               : fmt::format("write {}", ours));
    }
    if (name.kind == ExprKind::kName && !scope_.Find(name.text)) {
      DtypeNamed(name);
      return Error(expr.range);
    }
    return Fail(code::kX134, expr.range,
                fmt::format("expected a type, got {}", Quote(expr)),
                "write a dtype and a shape: f32[N], T[c]; a scalar is f32");
  }
  Expr* type = New(typed::ExprKind::kType, TypeKind::kType, expr.range);
  type->type.element = *ElementNamed(name.text);
  if (const DtypeVariable* variable = type->type.element.variable;
      kernel_ && variable &&
      std::find(kernel_->dtypes.begin(), kernel_->dtypes.end(), variable) ==
          kernel_->dtypes.end()) {
    return Fail(code::kX117, name.range,
                fmt::format("no parameter of '{}' has the dtype '{}'",
                            kernel_->name, name.text),
                "use a dtype of the parameters, or a fixed one such as f32");
  }
  for (size_t i = 1; shaped && i < expr.items.size(); ++i) {
    const syntax::Expr& item = *expr.items[i];
    if (item.kind == ExprKind::kSlice || item.kind == ExprKind::kStarred) {
      return Fail(
          code::kX119, item.range,
          fmt::format("{} cannot stand in the shape of a tile", Quote(item)),
          "write a size, a range of a loop or an integer");
    }
    const Expr* size = Eval(item);
    if (size->type.is_error()) return size;
    if (size->type.kind == TypeKind::kRange) {
      type->type.dims.push_back(size->type.dims[0]);
    } else if (IsIntegerScalar(size->type)) {
      const Size value =
          size->value.known()
              ? size->value
              : sizes_.Fresh(SizeAtomKind::kDevice, source_.Text(item.range));
      if (const auto constant = value.constant(); constant && *constant < 0) {
        return Fail(code::kX144, item.range,
                    fmt::format("a size cannot be {}", *constant),
                    "sizes are 0 or more");
      }
      type->type.dims.push_back(value);
    } else {
      return Fail(code::kX128, item.range,
                  fmt::format("a size in a type is an integer or a range, {} "
                              "is {}",
                              Quote(item), ToText(size->type)),
                  "write the name of a size or of a loop: f32[i, N]");
    }
    type->args.push_back(size);
  }
  return type;
}

const typed::Expr* Checker::EvalInteger(const syntax::Expr& expr,
                                        std::string_view what, bool host_only) {
  const Expr* value = Eval(expr);
  if (value->type.is_error()) return value;
  if (value->type.kind == TypeKind::kHostInt) return value;
  if (IsIntegerScalar(value->type)) {
    if (!host_only) return value;
    return Fail(code::kX170, expr.range,
                fmt::format("{} must be known on the host; {} is {} of the "
                            "device",
                            what, Quote(expr), ToText(value->type)),
                "sizes come from shapes, attributes and host lines");
  }
  if (value->type.kind == TypeKind::kHostFloat) {
    return Fail(
        code::kX128, expr.range,
        fmt::format("{} must be an integer, {} is a float", what, Quote(expr)),
        "divide sizes with // or ceil_div(a, b)");
  }
  if (value->type.kind == TypeKind::kRange) {
    return Fail(
        code::kX128, expr.range,
        fmt::format("{} must be an integer, {} is a range", what, Quote(expr)),
        "write .start, .stop or .size of the range");
  }
  return Fail(code::kX128, expr.range,
              fmt::format("{} must be an integer, {} is {}", what, Quote(expr),
                          ToText(value->type)));
}

}  // namespace belay::crux
