// SPDX-License-Identifier: Apache-2.0
// Checker: names: what they mean where they are used, and what assigning them
// does in loops and branches.

#include <fmt/format.h>

#include <algorithm>

#include "crux/checker.h"
#include "crux/foreign.h"

namespace belay::crux {

using syntax::ExprKind;
using typed::IfKind;
using typed::LoopKind;

namespace {

// The same for equal types; different ones may share it.
std::string KeyOf(const Type& type) {
  std::string key = fmt::format(" {}", static_cast<int>(type.kind));
  if (type.element.known()) {
    for (const DType dtype : InstancesOf(type.element)) {
      key += fmt::format(" {}", belay::NameOf(dtype));
      if (Equal(type.element, Element{dtype, nullptr})) break;
    }
  }
  for (const Size& dim : type.dims) key += " " + ToText(Expanded(dim));
  return key;
}

}  // namespace

const typed::Expr* Checker::EvalName(const syntax::Expr& expr) {
  if (const Binding* binding = scope_.Find(expr.text)) {
    return Use(*binding, expr);
  }
  if (const Global* global = FindGlobal(expr.text)) {
    switch (global->kind) {
      case GlobalKind::kError:
        return Error(expr.range);
      case GlobalKind::kConstant: {
        Expr* copy = program_.NewExpr();
        *copy = *global->constant;
        copy->range = expr.range;
        return copy;
      }
      case GlobalKind::kDtype:
        return EvalType(expr);
      case GlobalKind::kHelper:
      case GlobalKind::kKernel:
        return Fail(code::kX128, expr.range,
                    fmt::format("'{}' is a function", expr.text),
                    fmt::format("call it: {}(…)", expr.text));
    }
  }
  if (IsTypeName(expr)) return EvalType(expr);
  constexpr double kPi = 3.14159265358979323846;
  if (expr.text == "inf" || expr.text == "nan" || expr.text == "pi") {
    Expr* number =
        New(typed::ExprKind::kLiteral, TypeKind::kHostFloat, expr.range);
    number->real = expr.text == "inf" ? std::numeric_limits<double>::infinity()
                   : expr.text == "nan"
                       ? std::numeric_limits<double>::quiet_NaN()
                       : kPi;
    return number;
  }
  if (expr.text == "auto") {
    return New(typed::ExprKind::kAuto, TypeKind::kAuto, expr.range);
  }
  if (shaped_output_ && expr.text[0] >= 'A' && expr.text[0] <= 'Z' &&
      assigned_.contains(expr.text)) {
    PendingSize& pending = pending_[expr.text];
    pending.variable =
        VariableFor(expr.text, PlainType(TypeKind::kHostInt), expr.range);
    pending.size = sizes_.Fresh(SizeAtomKind::kName, expr.text);
    pending.range = expr.range;
    pending.output = shaped_output_->name;
    Binding binding;
    binding.kind = BindingKind::kLost;
    binding.reason = "the host line that defines it comes later";
    binding.value = pending.size;
    binding.variable = pending.variable;
    scope_.Bind(expr.text, binding);
    return Use(*scope_.Find(expr.text), expr);
  }
  return UnknownName(expr);
}

const typed::Expr* Checker::Use(const Binding& binding,
                                const syntax::Expr& expr) {
  switch (binding.kind) {
    case BindingKind::kError:
      return Error(expr.range);
    case BindingKind::kLost:
      if (shaped_output_ && binding.variable) {
        Expr* use =
            New(typed::ExprKind::kVariable, TypeKind::kHostInt, expr.range);
        use->variable = binding.variable;
        use->value = binding.value;
        return use;
      }
      return Fail(code::kX124, expr.range,
                  fmt::format("'{}' cannot be used here: {}", expr.text,
                              binding.reason),
                  fmt::format("assign {} before, on every path that leads "
                              "here",
                              expr.text));
    case BindingKind::kAlias: {
      if (!binding.expr->range.known()) return binding.expr;
      Expr* copy = program_.NewExpr();
      *copy = *binding.expr;
      copy->range = expr.range;
      return copy;
    }
    case BindingKind::kElementSize:
      return Fail(code::kX169, expr.range,
                  fmt::format("the size '{}' differs from one element of the "
                              "list to the next",
                              expr.text),
                  "write x[i].size or x[i].shape[0] of the element");
    case BindingKind::kPack:
      return Fail(code::kX119, expr.range,
                  fmt::format("'{}' is a pack of sizes", expr.text),
                  fmt::format("write {0}.size for their product, x.shape[i] or "
                              "x.around(dim) for parts",
                              expr.text));
    case BindingKind::kSize: {
      Expr* size = New(typed::ExprKind::kSize, TypeKind::kHostInt, expr.range);
      size->text = expr.text;
      size->value = binding.value;
      return size;
    }
    case BindingKind::kLoop: {
      Expr* index =
          New(typed::ExprKind::kLoopIndex, binding.loop->type.kind, expr.range);
      index->type = binding.loop->type;
      index->loop = binding.loop;
      index->value = binding.value;
      return index;
    }
    case BindingKind::kParameter: {
      used_.insert(binding.parameter);
      if (binding.parameter->type.is_error()) return Error(expr.range);
      Expr* use = New(typed::ExprKind::kParameter, binding.parameter->type.kind,
                      expr.range);
      use->type = binding.parameter->type;
      use->parameter = binding.parameter;
      if (use->type.kind == TypeKind::kHostInt) use->value = binding.value;
      return use;
    }
    case BindingKind::kVariable:
      break;
  }
  if (binding.variable->type.kind == TypeKind::kAcross) {
    return ReadAcross(*binding.variable, expr.range);
  }
  Expr* use =
      New(typed::ExprKind::kVariable, binding.variable->type.kind, expr.range);
  use->type = binding.variable->type;
  use->variable = binding.variable;
  use->value = binding.value;
  return use;
}

const typed::Expr* Checker::UnknownName(const syntax::Expr& expr) {
  const std::string& name = expr.text;
  // It may be a size of a parameter that could not be read.
  if (broken_parameters_ && name[0] >= 'A' && name[0] <= 'Z') {
    return Error(expr.range);
  }
  if (const OpInfo* info = FindOperation(name)) {
    return Fail(code::kX128, expr.range,
                fmt::format("'{}' is an operation", name),
                fmt::format("call it: {}({})", name,
                            info->signature.empty() ? "" : "…"));
  }
  if (name == "cores" || name == "tiles" || name == "range" || name == "each") {
    return Fail(code::kX150, expr.range,
                fmt::format("'{}' stands in a `for` only", name),
                fmt::format("write `for c in {}(…):`", name));
  }
  if (IsForeignModule(name)) {
    return Fail(code::kX123, expr.range, fmt::format("Crux has no '{}'", name),
                "operations of Crux are called by their name alone: exp(t)");
  }
  if (const std::string_view ours = ForDtype(name); !ours.empty()) {
    return Fail(code::kX134, expr.range,
                fmt::format("'{}' is not a dtype of Crux", name),
                fmt::format("write {}", ours));
  }
  if (assigned_.contains(name)) {
    return Fail(code::kX124, expr.range,
                fmt::format("'{}' is used before it is assigned", name),
                fmt::format("assign it before, and before the loop if it is "
                            "carried: {} = zeros(f32)",
                            name));
  }
  const std::string message = fmt::format("nothing is called '{}'", name);
  // Nobody reads more messages than that.
  if (messages_.errors() >= Messages::kLimit) {
    return Fail(code::kX120, expr.range, message);
  }
  std::vector<std::string> names = scope_.Names();
  for (const auto& [global, unused] : globals_) names.push_back(global);
  for (const OpInfo& info : AllOperations()) {
    if (!info.is_operator()) names.emplace_back(info.spelling);
  }
  const std::string near = Nearest(name, names);
  std::string fix =
      near.empty()
          ? fmt::format("assign {} before, or make it a parameter", name)
          : fmt::format("did you mean '{}'?", near);
  if (near.empty() && name[0] >= 'A' && name[0] <= 'Z') {
    fix = fmt::format(
        "a size is bound by a parameter's shape, or defined by a "
        "host line: {} = …",
        name);
  }
  return Fail(code::kX120, expr.range, message, std::move(fix));
}

const typed::Variable* Checker::VariableFor(const std::string& name,
                                            const Type& type,
                                            const SourceRange& range,
                                            const typed::Parameter* root) {
  const std::string full =
      inlined_.empty() ? name : inlined_.back().prefix + name;
  std::vector<const typed::Variable*>& known = variables_[full + KeyOf(type)];
  for (const typed::Variable* variable : known) {
    if (Equal(variable->type, type) && variable->root == root &&
        !frozen_.contains(variable)) {
      return variable;
    }
  }
  typed::Variable* variable = program_.NewVariable();
  variable->id = static_cast<int>(kernel_->variables.size());
  variable->name = full;
  variable->type = type;
  variable->range = range;
  variable->root = root;
  kernel_->variables.push_back(variable);
  known.push_back(variable);
  return variable;
}

// Whether the loops and branches that are open let the name have the type.
bool Checker::MayAssign(const syntax::Expr& target, const Type& type) {
  const std::string& name = target.text;
  const Binding* binding = scope_.Find(name);
  if (!binding || binding->kind == BindingKind::kLost) {
    if (FindOperation(name) || name == "cores" || name == "tiles" ||
        name == "range" || name == "each" || ElementNamed(name)) {
      Report(code::kX176, target.range,
             fmt::format("'{}' is a name of the language and cannot be "
                         "assigned",
                         name),
             "choose another name");
      return false;
    }
    const Global* global = FindGlobal(name);
    if (global && global->kind != GlobalKind::kError) {
      Report(code::kX112, target.range,
             fmt::format("'{}' is defined at the left margin, on line {}", name,
                         global->range.line),
             "choose another name");
      return false;
    }
    return true;
  }
  switch (binding->kind) {
    case BindingKind::kError:
      return false;
    case BindingKind::kLoop:
      Report(code::kX155, target.range,
             fmt::format(
                 "'{}' is the variable of a loop and cannot be assigned", name),
             "give the value another name");
      return false;
    case BindingKind::kParameter:
    case BindingKind::kSize:
    case BindingKind::kPack:
    case BindingKind::kElementSize:
      Report(code::kX112, target.range,
             fmt::format("'{}' is {} and cannot be assigned", name,
                         binding->kind == BindingKind::kParameter
                             ? "a parameter"
                             : "a size that a shape binds"),
             binding->kind == BindingKind::kParameter
                 ? "give the value another name; an output is written with "
                   "store(…)"
                 : "give the value another name");
      return false;
    default:
      break;
  }
  if (binding->kind == BindingKind::kVariable &&
      binding->variable->type.kind == TypeKind::kAcross) {
    Report(code::kX165, target.range,
           fmt::format("'{}' is a value across cores and cannot be assigned",
                       name),
           "give the value another name");
    return false;
  }
  const bool host =
      type.is_host() || (binding->kind == BindingKind::kVariable &&
                         binding->variable->type.is_host());
  for (size_t i = scope_.depth(); i-- > binding->frame + 1;) {
    const Frame& frame = scope_.at(i);
    if (frame.kind == FrameKind::kBranch) {
      if (host && frame.how == IfKind::kDevice) {
        Report(code::kX154, target.range,
               fmt::format("'{}' is a value of the host and cannot change "
                           "under a condition of the device",
                           name),
               "make it a device value: zeros(i32), full(f32, value); or use "
               "where(cond, a, b)");
        return false;
      }
      continue;
    }
    if (frame.kind != FrameKind::kLoop) continue;
    if (frame.loop->kind == LoopKind::kCores) {
      Report(code::kX153, target.range,
             fmt::format("'{}' is assigned outside of the `cores` loop over "
                         "'{}' and changed inside: its iterations are "
                         "independent",
                         name, frame.loop->name),
             fmt::format("combine with `{0} = across_cores(sum, …)` and "
                         "`{0} += …`, or use another name inside",
                         name));
      return false;
    }
    if (binding->kind != BindingKind::kVariable ||
        binding->variable->type.kind == TypeKind::kTensor) {
      Report(
          code::kX152, target.range,
          fmt::format("'{}' names a tensor and cannot change in a loop", name),
          "use another name inside the loop");
      return false;
    }
    const Type& carried = binding->variable->type;
    if (host) {
      Report(code::kX154, target.range,
             fmt::format("'{}' is a value of the host and cannot change in a "
                         "loop",
                         name),
             fmt::format("begin with a device value: {} = zeros(i32), or "
                         "zeros(f32)",
                         name));
      return false;
    }
    if (!Equal(carried, type)) {
      Report(code::kX152, target.range,
             fmt::format("'{}' is carried through the loop over '{}' as {}, "
                         "and is assigned {}",
                         name, frame.loop->name, ToText(carried), ToText(type)),
             carried.is_tile() && type.is_tile() &&
                     !Equal(carried.element, type.element)
                 ? fmt::format("convert it: .to({})", ToText(carried.element))
                 : "a carried value keeps its dtype and shape; begin with a "
                   "value of the right type, or use another name");
      return false;
    }
  }
  return true;
}

const typed::Variable* Checker::BindTarget(const syntax::Expr& target,
                                           const Expr* value) {
  const std::string& name = target.text;
  const Type& type = value->type;
  Binding binding;
  binding.range = target.range;
  binding.frame = scope_.depth() - 1;
  const Binding* earlier = scope_.Find(name);
  if (type.is_error()) {
    scope_.Bind(name, binding);
    return nullptr;
  }
  const auto refuse = [&](const char* code, std::string message,
                          std::string fix) -> const typed::Variable* {
    Report(code, value->range, std::move(message), std::move(fix));
    scope_.Bind(name, binding);
    return nullptr;
  };
  if (type.kind == TypeKind::kNothing) {
    return refuse(code::kX163, "this call gives no value",
                  "write it on a line of its own");
  }
  if (type.kind == TypeKind::kView) {
    return refuse(code::kX162,
                  fmt::format("{} is a view of global memory, not a tile",
                              Quote(value->range)),
                  fmt::format("write load({})", source_.Text(value->range)));
  }
  if (type.kind == TypeKind::kTuple) {
    return refuse(code::kX129,
                  fmt::format("{} gives {} values, one name is assigned",
                              Quote(value->range), type.members.size()),
                  fmt::format("write `{}, other = …`", name));
  }
  if (!MayAssign(target, type)) {
    scope_.Bind(name, binding);
    return nullptr;
  }
  const bool alias =
      type.kind == TypeKind::kTensorList || type.kind == TypeKind::kType ||
      type.kind == TypeKind::kAuto || type.kind == TypeKind::kFunction ||
      type.kind == TypeKind::kHostList;
  if (alias) {
    Freeze(value);
    binding.kind = BindingKind::kAlias;
    binding.expr = value;
    scope_.Bind(name, binding);
    return nullptr;
  }
  binding.kind = BindingKind::kVariable;
  binding.variable = VariableFor(
      name, type, target.range,
      type.kind == TypeKind::kTensor ? RootParameter(value) : nullptr);
  binding.value = value->value;
  const bool same = earlier && earlier->kind == BindingKind::kVariable &&
                    Equal(earlier->variable->type, type);
  if (same) {
    binding.frame = earlier->frame;
    for (size_t i = binding.frame + 1; i < scope_.depth(); ++i) {
      Frame& frame = scope_.at(i);
      if (frame.kind != FrameKind::kLoop) continue;
      if (frame.carried.insert(binding.variable).second) {
        frame.loop->carried.push_back(binding.variable);
      }
    }
  }
  const auto pending = pending_.find(name);
  if (pending != pending_.end() && inlined_.empty() &&
      type.kind == TypeKind::kHostInt) {
    sizes_.Define(pending->second.size, value->value);
    binding.value = pending->second.size;
  } else if (type.kind == TypeKind::kHostInt) {
    const SizeAtom* atom = value->value.atom();
    binding.value =
        value->value.constant() || (atom && atom->kind == SizeAtomKind::kName)
            ? value->value
            : sizes_.Defined(name, value->value);
  } else if (IsIntegerScalar(type) && !value->value.known()) {
    binding.value = sizes_.Fresh(SizeAtomKind::kDevice, name);
  }
  scope_.Bind(name, binding);
  return binding.variable;
}

// A name for a type stands for its expression, so the host values in it must
// keep what they are: a later assignment makes a variable of its own.
void Checker::Freeze(const Expr* expr) {
  if (expr->variable) frozen_.insert(expr->variable);
  for (const Expr* arg : expr->args) {
    if (arg) Freeze(arg);
  }
}

void Checker::MergeBranches(
    std::map<std::string, Binding, std::less<>> then_names,
    std::map<std::string, Binding, std::less<>> else_names) {
  std::set<std::string> names;
  for (const auto& [name, binding] : then_names) names.insert(name);
  for (const auto& [name, binding] : else_names) names.insert(name);
  for (const std::string& name : names) {
    const Binding* outer = scope_.Find(name);
    const auto in = [&](const auto& map) -> const Binding* {
      const auto found = map.find(name);
      return found == map.end() ? outer : &found->second;
    };
    const Binding* a = in(then_names);
    const Binding* b = in(else_names);
    Binding merged;
    merged.frame = scope_.depth() - 1;
    merged.range = (a ? a : b)->range;
    if ((a && a->kind == BindingKind::kError) ||
        (b && b->kind == BindingKind::kError)) {
      merged.kind = BindingKind::kError;
    } else if (!a || !b || a->kind == BindingKind::kLost ||
               b->kind == BindingKind::kLost) {
      merged.kind = BindingKind::kLost;
      const Binding* only = a && (!b || a->kind != BindingKind::kLost) ? a : b;
      if (only->kind == BindingKind::kLost) {
        merged.reason = only->reason;
      } else {
        merged.reason = fmt::format(
            "it is assigned on line {} only, in one branch of an "
            "`if`",
            only->range.line);
      }
    } else if (a->kind == BindingKind::kVariable &&
               b->kind == BindingKind::kVariable &&
               a->variable == b->variable) {
      merged = *a;
      merged.frame = outer && outer->kind == BindingKind::kVariable &&
                             outer->variable == a->variable
                         ? outer->frame
                         : scope_.depth() - 1;
      const auto pending = pending_.find(name);
      if (pending != pending_.end()) {
        merged.value = pending->second.size;
      } else if (!Equal(a->value, b->value) &&
                 IsIntegerScalar(a->variable->type)) {
        merged.value = sizes_.Fresh(a->variable->type.kind == TypeKind::kHostInt
                                        ? SizeAtomKind::kName
                                        : SizeAtomKind::kDevice,
                                    name);
      }
    } else {
      merged.kind = BindingKind::kLost;
      const auto describe = [](const Binding& binding) {
        if (binding.kind == BindingKind::kVariable) {
          return ToText(binding.variable->type);
        }
        return std::string("another name for a tensor");
      };
      merged.reason =
          fmt::format("it is {} in one branch of an `if` and {} in the other",
                      describe(*a), describe(*b));
    }
    scope_.Bind(name, merged);
  }
}

void Checker::CloseLoop(std::map<std::string, Binding, std::less<>> names,
                        const typed::Loop& loop) {
  for (auto& [name, binding] : names) {
    const Binding* outer = scope_.Find(name);
    if (!outer || outer->kind == BindingKind::kLost) {
      if (binding.kind == BindingKind::kError) {
        scope_.Bind(name, binding);
        continue;
      }
      Binding lost;
      lost.kind = BindingKind::kLost;
      lost.range = binding.range;
      lost.frame = scope_.depth() - 1;
      lost.reason =
          name == loop.name
              ? fmt::format("it is the variable of the loop on line {}",
                            binding.range.line)
              : fmt::format("it is first assigned on line {}, inside a loop",
                            binding.range.line);
      scope_.Bind(name, lost);
      continue;
    }
    if (binding.kind == BindingKind::kError) {
      Binding error;
      error.frame = outer->frame;
      scope_.Bind(name, error);
    } else if (binding.kind == BindingKind::kVariable &&
               outer->kind == BindingKind::kVariable &&
               binding.variable == outer->variable) {
      Binding carried = *outer;
      if (IsIntegerScalar(carried.variable->type)) {
        carried.value = sizes_.Fresh(SizeAtomKind::kDevice, name);
      }
      scope_.Bind(name, carried);
    }
  }
}

}  // namespace belay::crux
