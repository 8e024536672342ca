// SPDX-License-Identifier: Apache-2.0
// Checker: calls of operations: which one, and its arguments by the registry.

#include <fmt/format.h>

#include <algorithm>

#include "crux/checker.h"
#include "crux/foreign.h"

namespace belay::crux {

using syntax::ExprKind;

namespace {

constexpr std::string_view kModes[] = {"rint",  "floor", "ceil",
                                       "round", "trunc", "odd"};

std::string Signature(const OpInfo& info) {
  std::string text;
  for (const OpParameter& parameter : info.parameters) {
    if (info.is_method() && &parameter == &info.parameters[0]) continue;
    text += text.empty() ? "" : ", ";
    text += parameter.name;
    if (parameter.keyword) text += "=";
    if (parameter.optional && !parameter.keyword) text += "?";
  }
  return fmt::format("{}({})", info.spelling, text);
}

}  // namespace

const typed::Expr* Checker::EvalCall(const syntax::Expr& expr) {
  const syntax::Expr& callee = *expr.items[0];
  if (callee.kind == ExprKind::kAttribute) return CallMethod(expr);
  if (callee.kind != ExprKind::kName) {
    const Expr* value = Eval(callee);
    if (value->type.is_error()) return value;
    return Fail(code::kX121, callee.range,
                fmt::format("{} is {} and cannot be called", Quote(callee),
                            ToText(value->type)),
                "parts are taken with [ ]; a product is written with *");
  }
  const std::string& name = callee.text;
  if (const Binding* binding = scope_.Find(name)) {
    if (binding->kind == BindingKind::kError) return Error(expr.range);
    return Fail(code::kX121, callee.range,
                fmt::format("'{}' is a value of this kernel and cannot be "
                            "called",
                            name),
                "parts are taken with [ ]; a product is written with *");
  }
  if (const Global* global = FindGlobal(name)) {
    if (global->kind == GlobalKind::kError) {
      for (const syntax::Expr* item : expr.items) {
        if (item != &callee) Eval(*item);
      }
      return Error(expr.range);
    }
    if (global->kind == GlobalKind::kHelper) {
      return CallHelper(*global->function, expr);
    }
    if (global->kind == GlobalKind::kKernel) {
      return Fail(kernel_ && kernel_->name == name ? code::kX126 : code::kX121,
                  callee.range,
                  fmt::format("the kernel '{}' cannot be called", name),
                  "put what two kernels share into an @inline helper");
    }
  }
  if (const OpInfo* info = FindOperation(name)) {
    return CallOperation(*info, expr, nullptr);
  }
  if (const std::optional<Element> element = ElementNamed(name)) {
    return Fail(code::kX123, callee.range,
                fmt::format("the dtype '{}' cannot be called", name),
                fmt::format("convert a tile: t.to({0}); make one: full({0}, "
                            "value)",
                            name));
  }
  return UnknownFunction(callee);
}

const typed::Expr* Checker::UnknownFunction(const syntax::Expr& callee) {
  const std::string& name = callee.text;
  if (name == "cores" || name == "tiles" || name == "range" || name == "each") {
    return UnknownName(callee);
  }
  if (name == "dtype" || name == "dtypes" || name == "upto" || name == "out" ||
      name == "inout" || name == "optional" || name == "list" ||
      name == "value") {
    return Fail(code::kX121, callee.range,
                fmt::format("'{}' declares and cannot be called here", name),
                name.starts_with("dtype")
                    ? "write `T = dtype(f16, f32)` at the "
                      "left margin"
                    : "it stands in the type of a "
                      "parameter");
  }
  if (const std::string_view ours = ForFunction(name); !ours.empty()) {
    return Fail(code::kX123, callee.range,
                fmt::format("Crux has no '{}'", name),
                fmt::format("write {}", ours));
  }
  if (const std::string_view ours = ForDtype(name); !ours.empty()) {
    return Fail(code::kX123, callee.range,
                fmt::format("Crux has no '{}'", name),
                fmt::format("convert a tile: t.to({})", ours.substr(0, 4)));
  }
  std::vector<std::string> names;
  for (const OpInfo& info : AllOperations()) {
    if (!info.is_operator() && !info.is_method()) {
      names.emplace_back(info.spelling);
    }
  }
  for (const auto& [global, what] : globals_) {
    if (what.kind == GlobalKind::kHelper) names.push_back(global);
  }
  const std::string near = Nearest(name, names);
  return Fail(code::kX121, callee.range,
              fmt::format("there is no operation '{}'", name),
              near.empty() ? "the operations are listed in "
                             "docs/crux_operations.md; a function of your own "
                             "is an @inline helper"
                           : fmt::format("did you mean '{}'?", near));
}

// max(a, b), sum(t, 0): reductions take one tile.
bool Checker::RefuseTwoTiles(const OpInfo& info, const syntax::Expr& expr) {
  if (info.family != OpFamily::kReduce || expr.items.size() < 3) return false;
  for (size_t i = 1; i < expr.items.size(); ++i) {
    if (EvalOperand(*expr.items[i], "an argument")->type.is_error())
      return true;
  }
  const syntax::Expr& second = *expr.items[2];
  const std::string_view first = source_.Text(expr.items[1]->range);
  const bool axis = second.kind == ExprKind::kInteger ||
                    (second.kind == ExprKind::kUnary &&
                     second.items[0]->kind == ExprKind::kInteger);
  const bool pair = info.op == Op::kMax || info.op == Op::kMin;
  if (axis && !(pair && EvalOperand(*expr.items[1], "")->type.is_host())) {
    Report(code::kX127, second.range,
           fmt::format("the axis of '{}' is given by keyword", info.spelling),
           fmt::format("write {}({}, axis={})", info.spelling, first,
                       source_.Text(second.range)));
    return true;
  }
  std::string fix = fmt::format("reduce each, then combine the results");
  if (pair) {
    fix = fmt::format("write {}({}, {})",
                      info.op == Op::kMax ? "maximum" : "minimum", first,
                      source_.Text(second.range));
  } else if (info.op == Op::kSum) {
    fix = fmt::format("write {} + {}", first, source_.Text(second.range));
  }
  Report(code::kX137, expr.range,
         fmt::format("'{}' reduces one tile, here are {}", info.spelling,
                     expr.items.size() - 1),
         fix);
  return true;
}

bool Checker::BindArguments(const OpInfo& info, const syntax::Expr& expr,
                            bool has_self,
                            std::vector<const syntax::Expr*>* bound) {
  bound->assign(info.parameters.size(), nullptr);
  size_t next = has_self ? 1 : 0;
  for (size_t i = 1; i < expr.items.size(); ++i) {
    const syntax::Expr& item = *expr.items[i];
    if (item.kind == ExprKind::kStarred) {
      Report(code::kX127, item.range, "Crux cannot unpack arguments",
             "write the arguments one by one");
      return false;
    }
    if (next >= info.parameters.size() || info.parameters[next].keyword) {
      std::string fix = fmt::format("it is {}", Signature(info));
      if (info.op == Op::kConcat) {
        fix = "write the tiles in brackets: concat((a, b), axis=0)";
      } else if (info.op == Op::kZeros) {
        fix = "shape and dtype are one argument: zeros(f32[M, N])";
      } else if (info.op == Op::kArange) {
        const auto low = source_.Text(expr.items[1]->range);
        const auto high = source_.Text(item.range);
        fix = low == "0"
                  ? fmt::format("it counts from 0: arange({})", high)
                  : fmt::format("it counts from 0: {0} + arange({1} - {0})",
                                low, high);
      } else if (next < info.parameters.size()) {
        fix = fmt::format("write {}={}", info.parameters[next].name,
                          source_.Text(item.range));
      }
      Report(code::kX127, item.range,
             fmt::format("'{}' takes {} argument{} without a name, here is one "
                         "more",
                         info.spelling, next - (has_self ? 1 : 0),
                         next - (has_self ? 1 : 0) == 1 ? "" : "s"),
             fix);
      return false;
    }
    (*bound)[next++] = &item;
  }
  for (const syntax::Keyword& keyword : expr.keywords) {
    size_t place = 0;
    while (place < info.parameters.size() &&
           info.parameters[place].name != keyword.name) {
      ++place;
    }
    const bool self = has_self && place == 0;
    if (place == info.parameters.size() || self) {
      std::vector<std::string> names;
      for (const OpParameter& parameter : info.parameters) {
        names.emplace_back(parameter.name);
      }
      std::string meant(ForKeyword(keyword.name));
      if (std::find(names.begin(), names.end(), meant) == names.end()) {
        meant = Nearest(keyword.name, names);
      }
      Report(code::kX127, keyword.range,
             fmt::format("'{}' has no argument '{}='", info.spelling,
                         keyword.name),
             meant.empty() ? fmt::format("it is {}", Signature(info))
                           : fmt::format("write {}=", meant));
      return false;
    }
    if ((*bound)[place]) {
      Report(code::kX127, keyword.range,
             fmt::format("the argument '{}' of '{}' is given twice",
                         keyword.name, info.spelling),
             "delete one of them");
      return false;
    }
    (*bound)[place] = keyword.value;
  }
  for (size_t i = has_self ? 1 : 0; i < info.parameters.size(); ++i) {
    if ((*bound)[i] || info.parameters[i].optional) continue;
    Report(
        code::kX127, expr.range,
        fmt::format("'{}' needs the argument '{}', {}", info.spelling,
                    info.parameters[i].name, NameOf(info.parameters[i].role)),
        fmt::format("it is {}", Signature(info)));
    return false;
  }
  return true;
}

const typed::Expr* Checker::CallOperation(const OpInfo& info,
                                          const syntax::Expr& expr,
                                          const Expr* self) {
  if (RefuseTwoTiles(info, expr)) return Error(expr.range);
  Expr* call = NewOperation(info.op, {}, Type(), expr.range);
  if (info.op == Op::kChoose) {
    for (size_t i = 1; i < expr.items.size(); ++i) {
      call->args.push_back(EvalInteger(*expr.items[i], "a choice", true));
      if (call->args.back()->type.is_error()) return call->args.back();
    }
    return Finish(info, call);
  }
  std::vector<const syntax::Expr*> bound;
  if (!BindArguments(info, expr, self != nullptr, &bound)) {
    return Error(expr.range);
  }
  bool good = true;
  for (size_t i = 0; i < info.parameters.size(); ++i) {
    if (i == 0 && self) {
      call->args.push_back(self);
      continue;
    }
    const Expr* arg =
        bound[i] ? EvalArgument(info, info.parameters[i], *bound[i], call)
                 : nullptr;
    call->args.push_back(arg);
    good &= !arg || !arg->type.is_error();
  }
  return good ? Finish(info, call) : Error(expr.range);
}

const typed::Expr* Checker::EvalArgument(const OpInfo& info,
                                         const OpParameter& parameter,
                                         const syntax::Expr& expr, Expr* call) {
  const std::string what =
      fmt::format("the argument '{}' of '{}'", parameter.name, info.spelling);
  const auto wrong = [&](const Expr* value, std::string fix = "") {
    return Fail(code::kX128, expr.range,
                fmt::format("{} is {}, {} is {}", what, NameOf(parameter.role),
                            Quote(expr), ToText(value->type)),
                std::move(fix));
  };
  const bool tuple =
      expr.kind == ExprKind::kTuple || expr.kind == ExprKind::kList;
  switch (parameter.role) {
    case ArgRole::kView: {
      const Expr* view = Eval(expr);
      if (view->type.is_error() || view->type.kind == TypeKind::kView) {
        return view;
      }
      const bool tensor = view->type.kind == TypeKind::kTensor;
      return Fail(code::kX162, expr.range,
                  fmt::format("{} needs a view of a tensor, {} is {}",
                              info.spelling, Quote(expr), ToText(view->type)),
                  tensor ? fmt::format("say which part: {0}[…], {0}[:] for all "
                                       "of it",
                                       source_.Text(expr.range))
                         : "tiles are on chip already; views are x[r, c]");
    }
    case ArgRole::kTile:
    case ArgRole::kNumber: {
      const Expr* value = EvalOperand(expr, "an argument");
      const Type& type = value->type;
      if (type.is_error() || type.is_host_number() || type.is_tile() ||
          type.kind == TypeKind::kIndex || type.kind == TypeKind::kHostBool) {
        if (parameter.role == ArgRole::kNumber && type.is_tile() &&
            type.rank() > 0) {
          return wrong(value, "reduce it to a scalar, or use where(…)");
        }
        return value;
      }
      if (type.kind == TypeKind::kRange) {
        return Fail(code::kX143, expr.range,
                    fmt::format("{} is a range, not a tile", Quote(expr)),
                    fmt::format("its positions as a tile are arange({})",
                                source_.Text(expr.range)));
      }
      return wrong(value);
    }
    case ArgRole::kTiles: {
      if (!tuple) {
        const Expr* value = EvalOperand(expr, "an argument");
        return value->type.is_error()
                   ? value
                   : wrong(value,
                           "write the tiles in brackets: concat((a, b), "
                           "axis=0)");
      }
      Expr* tiles = New(typed::ExprKind::kTuple, TypeKind::kTuple, expr.range);
      for (const syntax::Expr* item : expr.items) {
        const Expr* tile = EvalOperand(*item, "an argument");
        if (tile->type.is_error()) return tile;
        if (!tile->type.is_tile()) {
          return Fail(code::kX128, item->range,
                      fmt::format("{} is {}, not a tile", Quote(*item),
                                  ToText(tile->type)),
                      "make it a tile: full(f32[1], value)");
        }
        tiles->args.push_back(tile);
        tiles->type.members.push_back(tile->type);
      }
      return tiles;
    }
    case ArgRole::kInteger:
      return EvalInteger(expr, what, false);
    case ArgRole::kSize:
      return EvalInteger(expr, what, true);
    case ArgRole::kSizes: {
      Expr* sizes = New(typed::ExprKind::kTuple, TypeKind::kTuple, expr.range);
      std::vector<const syntax::Expr*> items = {&expr};
      if (tuple) items.assign(expr.items.begin(), expr.items.end());
      for (const syntax::Expr* item : items) {
        const Expr* size = Eval(*item);
        if (size->type.is_error()) return size;
        if (!IsIntegerScalar(size->type) &&
            size->type.kind != TypeKind::kRange) {
          return Fail(code::kX128, item->range,
                      fmt::format("a size is an integer or a range, {} is {}",
                                  Quote(*item), ToText(size->type)),
                      "write the sizes in brackets: (M, N)");
        }
        sizes->args.push_back(size);
        sizes->type.members.push_back(size->type);
      }
      return sizes;
    }
    case ArgRole::kExtent: {
      const Expr* value = Eval(expr);
      if (value->type.is_error() || IsIntegerScalar(value->type) ||
          value->type.kind == TypeKind::kRange) {
        return value;
      }
      return wrong(value);
    }
    case ArgRole::kType:
      return EvalType(expr);
    case ArgRole::kDtype: {
      if (expr.kind == ExprKind::kString) {
        return Fail(code::kX134, expr.range, "a dtype is a name, not a string",
                    "write f32 without quotes");
      }
      const Expr* type = EvalType(expr);
      if (type->type.is_error() || type->type.dims.empty()) return type;
      return Fail(code::kX128, expr.range,
                  fmt::format("{} is a dtype without a shape", what),
                  fmt::format("write {}", ToText(type->type.element)));
    }
    case ArgRole::kAxis:
    case ArgRole::kAxes:
    case ArgRole::kOrder: {
      if (!tuple) {
        const Expr* value = EvalOperand(expr, "an argument");
        if (value->type.is_error()) return value;
        if (info.op == Op::kNorm && parameter.role == ArgRole::kOrder) {
          return value->type.is_host_number() ? value : wrong(value);
        }
        const auto constant = value->value.constant();
        if (value->type.kind == TypeKind::kHostInt && constant) {
          call->axes = {
              static_cast<int>(std::clamp<int64_t>(*constant, -1000, 1000))};
          return value;
        }
        return Fail(code::kX141, expr.range,
                    fmt::format("{} is an integer literal, {} is {}", what,
                                Quote(expr), ToText(value->type)),
                    "the shape of the result depends on it: write axis=0, "
                    "axis=-1; for an axis chosen by the caller use "
                    "x.around(dim)");
      }
      if (parameter.role == ArgRole::kAxis) {
        return Fail(code::kX141, expr.range,
                    fmt::format("{} is one axis", what), "write axis=0");
      }
      Expr* axes = New(typed::ExprKind::kTuple, TypeKind::kTuple, expr.range);
      call->axes.clear();
      for (const syntax::Expr* item : expr.items) {
        const Expr* axis = EvalOperand(*item, "an axis");
        if (axis->type.is_error()) return axis;
        const auto constant = axis->value.constant();
        if (axis->type.kind != TypeKind::kHostInt || !constant) {
          return Fail(code::kX141, item->range,
                      fmt::format("an axis is an integer literal, {} is {}",
                                  Quote(*item), ToText(axis->type)),
                      "write axis=(0, 1)");
        }
        call->axes.push_back(
            static_cast<int>(std::clamp<int64_t>(*constant, -1000, 1000)));
        axes->args.push_back(axis);
        axes->type.members.push_back(axis->type);
      }
      return axes;
    }
    case ArgRole::kFlag: {
      const Expr* flag = EvalOperand(expr, "an argument");
      if (flag->type.is_error()) return flag;
      if (flag->type.kind != TypeKind::kHostBool) {
        return wrong(flag, fmt::format("write {}=True", parameter.name));
      }
      if (parameter.name == "keepdims" && !IsLiteral(*flag)) {
        return wrong(flag,
                     "the shape of the result depends on it: write "
                     "keepdims=True or leave it out");
      }
      return flag;
    }
    case ArgRole::kMode:
    case ArgRole::kGelu: {
      const Expr* mode = EvalOperand(expr, "an argument");
      if (mode->type.is_error()) return mode;
      std::vector<std::string> allowed(std::begin(kModes), std::end(kModes));
      if (parameter.role == ArgRole::kGelu) allowed = {"none", "tanh"};
      if (IsLiteral(*mode) && mode->type.kind == TypeKind::kHostString &&
          std::find(allowed.begin(), allowed.end(), mode->text) !=
              allowed.end()) {
        return mode;
      }
      return Fail(code::kX128, expr.range,
                  fmt::format("{} is one of {} in quotes, got {}", what,
                              Listed(allowed), Quote(expr)),
                  fmt::format("write {}=\"{}\"", parameter.name, allowed[0]));
    }
    case ArgRole::kCombine: {
      const OpInfo* combine =
          expr.kind == ExprKind::kName ? FindOperation(expr.text) : nullptr;
      if (combine && (combine->op == Op::kSum || combine->op == Op::kMax ||
                      combine->op == Op::kMin || combine->op == Op::kAny ||
                      combine->op == Op::kAll || combine->op == Op::kCumsum)) {
        Expr* function =
            New(typed::ExprKind::kFunction, TypeKind::kFunction, expr.range);
        function->type.combine = combine->op;
        return function;
      }
      return Fail(code::kX128, expr.range,
                  fmt::format("{} is sum, max, min, any, all or cumsum, got {}",
                              what, Quote(expr)),
                  "write across_cores(sum, f32[N])");
    }
    case ArgRole::kOptional: {
      const Binding* binding =
          expr.kind == ExprKind::kName ? scope_.Find(expr.text) : nullptr;
      if (binding && binding->kind == BindingKind::kError) {
        return Error(expr.range);
      }
      if (!binding || binding->kind != BindingKind::kParameter ||
          !binding->parameter->optional) {
        return Fail(code::kX128, expr.range,
                    fmt::format("present(…) takes an optional parameter, {} is "
                                "none",
                                Quote(expr)),
                    "declare it as bias: optional(T[N])");
      }
      used_.insert(binding->parameter);
      Expr* use = New(typed::ExprKind::kParameter,
                      binding->parameter->type.kind, expr.range);
      use->type = binding->parameter->type;
      use->parameter = binding->parameter;
      return use;
    }
    case ArgRole::kChoices:
      break;
  }
  return EvalInteger(expr, what, true);
}

}  // namespace belay::crux
