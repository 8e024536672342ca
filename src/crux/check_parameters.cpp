// SPDX-License-Identifier: Apache-2.0
// Checker: the parameters of a kernel, and the sizes and dtypes they bind.

#include <fmt/format.h>

#include <algorithm>

#include "crux/checker.h"
#include "crux/foreign.h"

namespace belay::crux {

using syntax::ExprKind;
using typed::ParameterRole;

// out(optional(T[M, N])) taken apart.
struct Checker::Annotation {
  ParameterRole role = ParameterRole::kIn;
  bool has_role = false;
  bool optional = false;
  bool list = false;
  const syntax::Expr* tensor = nullptr;  // T[M, N]; null after a message
};

namespace {

constexpr std::string_view kForms =
    "parameters are x: T[M, N], out(…), inout(…), optional(…), list(…), "
    "value(i64[K]), or attributes int, float, bool, str, list(int)";

bool IsCall(const syntax::Expr& expr, std::string_view name) {
  return expr.kind == ExprKind::kCall &&
         expr.items[0]->kind == ExprKind::kName && expr.items[0]->text == name;
}

bool IsName(const syntax::Expr& expr, std::string_view name) {
  return expr.kind == ExprKind::kName && expr.text == name;
}

// The size name of `N` or `*S`, else null.
const syntax::Expr* NameIn(const syntax::Expr& dim) {
  if (dim.kind == ExprKind::kName) return &dim;
  if (dim.kind == ExprKind::kStarred && dim.items[0]->kind == ExprKind::kName) {
    return dim.items[0];
  }
  return nullptr;
}

bool IsCapital(std::string_view name) {
  return !name.empty() && name[0] >= 'A' && name[0] <= 'Z';
}

}  // namespace

bool Checker::IsAttributeType(const syntax::Expr& annotation) const {
  for (const std::string_view name : {"int", "float", "bool", "str"}) {
    if (IsName(annotation, name)) return true;
  }
  return IsCall(annotation, "list") && annotation.items.size() == 2 &&
         IsName(*annotation.items[1], "int");
}

bool Checker::ReadAnnotation(const syntax::Expr& expr, Annotation* annotation) {
  const syntax::Expr* inner = &expr;
  while (inner->kind == ExprKind::kCall) {
    const syntax::Expr& callee = *inner->items[0];
    const std::string& name = callee.text;
    std::optional<ParameterRole> role;
    if (name == "out") role = ParameterRole::kOut;
    if (name == "inout") role = ParameterRole::kInOut;
    if (name == "value") role = ParameterRole::kValue;
    const bool known = role || name == "optional" || name == "list";
    if (callee.kind != ExprKind::kName || !known) {
      Report(code::kX115, callee.range,
             fmt::format("{} is not a kind of parameter", Quote(callee)),
             std::string(kForms));
      return false;
    }
    if (inner->items.size() != 2 || !inner->keywords.empty()) {
      Report(code::kX115, inner->range,
             fmt::format("{}(…) takes one type", name),
             fmt::format("write {}(T[M, N])", name));
      return false;
    }
    if (role) {
      if (annotation->has_role) {
        Report(code::kX115, inner->range,
               fmt::format("{} has two roles", Quote(expr)),
               "a parameter is one of out(…), inout(…), value(…)");
        return false;
      }
      annotation->has_role = true;
      annotation->role = *role;
    }
    if (name == "optional") annotation->optional = true;
    if (name == "list") annotation->list = true;
    inner = inner->items[1];
  }
  if (inner->kind == ExprKind::kName && !IsAttributeType(*inner)) {
    const std::optional<Element> element = ElementNamed(inner->text);
    if (!element) {
      EvalType(*inner);
      return false;
    }
    Report(code::kX115, inner->range,
           fmt::format("the tensor type {} has no shape", Quote(*inner)),
           fmt::format("write {0}[N], or {0}[*S] for any rank; a number given "
                       "by the caller is int or float",
                       inner->text));
    return false;
  }
  if (inner->kind != ExprKind::kSubscript) {
    Report(code::kX115, inner->range,
           fmt::format("{} is not a type of a parameter", Quote(*inner)),
           std::string(kForms));
    return false;
  }
  annotation->tensor = inner;
  return true;
}

void Checker::DeclareParameters(const syntax::Function& function) {
  std::vector<Annotation> annotations(function.parameters.size());
  std::vector<typed::Parameter*> parameters;
  bool had_fallback = false;
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    const syntax::Parameter& from = function.parameters[i];
    typed::Parameter* parameter = program_.NewParameter();
    parameter->id = static_cast<int>(i);
    parameter->name = from.name;
    parameter->range = from.range;
    parameters.push_back(parameter);
    kernel_->parameters.push_back(parameter);
    const Binding* earlier = scope_.Find(from.name);
    if (earlier) {
      Report(code::kX112, from.range,
             fmt::format("the parameter '{}' is there twice", from.name),
             "give it another name");
    } else if (FindOperation(from.name) || ElementNamed(from.name)) {
      Report(code::kX176, from.range,
             fmt::format("'{}' is the name of an operation or dtype and cannot "
                         "be a parameter",
                         from.name),
             "give the parameter another name");
    }
    if (had_fallback && !from.fallback) {
      Report(code::kX118, from.range,
             fmt::format("'{}' has no default, but the parameter before it has",
                         from.name),
             "move parameters with defaults to the end, as in Python");
    }
    had_fallback |= from.fallback != nullptr;
    Binding binding;
    binding.kind = BindingKind::kError;
    if (!from.annotation) {
      Report(code::kX115, from.range,
             fmt::format("the parameter '{}' has no type", from.name),
             fmt::format("write {0}: T[M, N] for a tensor, {0}: out(T[M, N]) "
                         "for a result, {0}: float for a number",
                         from.name));
    } else if (IsAttributeType(*from.annotation)) {
      DeclareAttribute(from, parameter);
      binding.kind = BindingKind::kParameter;
      binding.parameter = parameter;
      binding.value = sizes_.Atom(SizeAtomKind::kName, from.name, from.name);
    } else if (ReadAnnotation(*from.annotation, &annotations[i])) {
      binding.kind = BindingKind::kParameter;
      binding.parameter = parameter;
    }
    binding.range = from.range;
    broken_parameters_ |= binding.kind == BindingKind::kError;
    scope_.Bind(from.name, binding);
  }
  BindSizes(annotations);
  for (size_t i = 0; i < annotations.size(); ++i) {
    if (annotations[i].tensor) {
      DeclareTensor(function.parameters[i], annotations[i], parameters[i]);
    }
  }
  // Shapes of outputs may speak of inputs (x.size), so they come last.
  std::vector<size_t> order;
  for (const bool output : {false, true}) {
    for (size_t i = 0; i < annotations.size(); ++i) {
      if ((parameters[i]->role == ParameterRole::kOut) == output) {
        order.push_back(i);
      }
    }
  }
  for (const size_t i : order) {
    if (!annotations[i].tensor) continue;
    typed::Parameter& parameter = *parameters[i];
    const bool output = parameter.role == ParameterRole::kOut;
    shaped_output_ = output ? &parameter : nullptr;
    const auto& items = annotations[i].tensor->items;
    for (size_t d = 1; d < items.size(); ++d) {
      const typed::ParameterDim dim = ReadDim(*items[d], parameter);
      if (dim.pack.empty() && (!dim.expr || dim.expr->type.is_error())) {
        parameter.type.kind = TypeKind::kError;
        broken_parameters_ = true;
      }
      parameter.dims.push_back(dim);
      parameter.type.dims.push_back(dim.size);
    }
    shaped_output_ = nullptr;
    if (std::count_if(parameter.dims.begin(), parameter.dims.end(),
                      [](const auto& dim) { return !dim.pack.empty(); }) > 1) {
      Report(code::kX119, annotations[i].tensor->range,
             fmt::format("the shape of '{}' has two packs", parameter.name),
             "one `*S` may stand in a shape");
    }
  }
}

void Checker::DeclareAttribute(const syntax::Parameter& from,
                               typed::Parameter* parameter) {
  parameter->role = ParameterRole::kAttribute;
  const std::string& name = from.annotation->text;
  TypeKind kind = TypeKind::kHostList;
  if (from.annotation->kind == ExprKind::kName) {
    kind = name == "int"     ? TypeKind::kHostInt
           : name == "float" ? TypeKind::kHostFloat
           : name == "bool"  ? TypeKind::kHostBool
                             : TypeKind::kHostString;
  }
  parameter->type = PlainType(kind);
  if (from.fallback) CheckFallback(from, parameter);
}

void Checker::CheckFallback(const syntax::Parameter& from,
                            typed::Parameter* parameter) {
  const Type& type = parameter->type;
  const syntax::Expr& written = *from.fallback;
  const Expr* value = nullptr;
  bool fits = false;
  if (type.kind == TypeKind::kHostList) {
    if (written.kind == ExprKind::kList || written.kind == ExprKind::kTuple) {
      Expr* list =
          New(typed::ExprKind::kTuple, TypeKind::kTuple, written.range);
      fits = true;
      for (const syntax::Expr* item : written.items) {
        list->args.push_back(Eval(*item));
        list->type.members.push_back(list->args.back()->type);
        if (list->args.back()->type.is_error()) return;
        fits &= IsLiteral(*list->args.back()) &&
                list->args.back()->type.kind == TypeKind::kHostInt;
      }
      value = list;
    }
  } else {
    value = Eval(written);
    if (value->type.is_error()) return;
    fits = IsLiteral(*value) && (value->type.kind == type.kind ||
                                 (type.kind == TypeKind::kHostFloat &&
                                  value->type.kind == TypeKind::kHostInt));
  }
  if (fits) {
    parameter->fallback = value;
    return;
  }
  Report(code::kX118, written.range,
         fmt::format("the default of '{}' must be a literal of type {}, got {}",
                     from.name, source_.Text(from.annotation->range),
                     Quote(written)),
         written.kind == ExprKind::kNone
             ? "a parameter that may be left out is a tensor: optional(T[N])"
             : "write a number, True, False, \"text\" or [1, 2] as the type "
               "says");
}

// Gives every size name of the shapes a meaning. Names that only lists have
// belong to the element.
void Checker::BindSizes(const std::vector<Annotation>& annotations) {
  std::set<std::string, std::less<>> common;  // to lists and others
  std::set<std::string, std::less<>> given;   // of these, by an input
  for (const Annotation& annotation : annotations) {
    if (!annotation.tensor || annotation.list) continue;
    for (size_t d = 1; d < annotation.tensor->items.size(); ++d) {
      const syntax::Expr* name = NameIn(*annotation.tensor->items[d]);
      if (!name) continue;
      common.insert(name->text);
      if (annotation.role != ParameterRole::kOut) given.insert(name->text);
    }
  }
  for (const Annotation& annotation : annotations) {
    if (!annotation.tensor || annotation.role == ParameterRole::kOut) continue;
    for (size_t d = 1; d < annotation.tensor->items.size(); ++d) {
      const syntax::Expr& dim = *annotation.tensor->items[d];
      const syntax::Expr* name = NameIn(dim);
      if (!name || scope_.Find(name->text) || FindGlobal(name->text)) continue;
      if (!IsCapital(name->text)) {
        Report(code::kX175, name->range,
               fmt::format("the size '{}' is neither an attribute nor written "
                           "with a capital letter",
                           name->text),
               fmt::format("write {}, or add the attribute {}: int",
                           static_cast<char>(name->text[0] & ~0x20) +
                               name->text.substr(1),
                           name->text));
        scope_.Bind(name->text, Binding());
        broken_parameters_ = true;
        continue;
      }
      if (common.contains(name->text) && !given.contains(name->text)) {
        Report(code::kX116, name->range,
               fmt::format("the size '{}' of an output is not known: only "
                           "tensors of a list have it, and these may differ",
                           name->text),
               "name it in the shape of an input that is no list, or make it "
               "an attribute");
        scope_.Bind(name->text, Binding());
        broken_parameters_ = true;
        continue;
      }
      const bool pack = dim.kind == ExprKind::kStarred;
      const bool element = annotation.list && !common.contains(name->text);
      Binding binding;
      binding.range = name->range;
      binding.value =
          sizes_.Atom(pack ? SizeAtomKind::kPack : SizeAtomKind::kName,
                      kernel_->name + "." + name->text, name->text);
      binding.kind = element ? BindingKind::kElementSize
                     : pack  ? BindingKind::kPack
                             : BindingKind::kSize;
      if (element) {
        element_sizes_.insert(name->text);
      } else if (pack) {
        kernel_->packs.push_back(name->text);
      } else {
        kernel_->sizes.push_back(name->text);
      }
      scope_.Bind(name->text, binding);
    }
  }
}

void Checker::DeclareTensor(const syntax::Parameter& from,
                            const Annotation& annotation,
                            typed::Parameter* parameter) {
  parameter->role = annotation.role;
  parameter->optional = annotation.optional;
  parameter->list = annotation.list;
  parameter->type =
      PlainType(annotation.list ? TypeKind::kTensorList : TypeKind::kTensor);
  const syntax::Expr& name = *annotation.tensor->items[0];
  const std::optional<Element> element =
      name.kind == ExprKind::kName ? ElementNamed(name.text) : std::nullopt;
  if (element) {
    parameter->type.element = *element;
    if (element->variable &&
        std::find(kernel_->dtypes.begin(), kernel_->dtypes.end(),
                  element->variable) == kernel_->dtypes.end()) {
      kernel_->dtypes.push_back(element->variable);
    }
  } else {
    EvalType(name);
    parameter->type.kind = TypeKind::kError;
    broken_parameters_ = true;
  }
  if (from.fallback) {
    Report(code::kX118, from.fallback->range,
           fmt::format("the tensor '{}' cannot have a default", from.name),
           "a tensor that may be left out is optional(T[N])");
  }
  if (annotation.tensor->items.size() == 1) {
    Report(code::kX115, annotation.tensor->range,
           fmt::format("the shape of '{}' is empty", from.name),
           "write a size, T[N], or T[*S] for any rank");
  }
  if (parameter->role != ParameterRole::kValue) return;
  const bool integers = element && !FirstRefused(*element, OpDtypes::kInteger);
  if (annotation.list || annotation.optional || (element && !integers) ||
      annotation.tensor->items.size() != 2) {
    Report(code::kX115, from.annotation->range,
           "value(…) is a tensor of integers of rank 1 that the host reads",
           "write value(i64[K])");
    parameter->type.kind = TypeKind::kError;
    return;
  }
  parameter->type.kind = TypeKind::kHostList;
}

typed::ParameterDim Checker::ReadDim(const syntax::Expr& expr,
                                     const typed::Parameter& parameter) {
  typed::ParameterDim dim;
  // What is left if a message is given: equal to no other size.
  dim.size = sizes_.Fresh(SizeAtomKind::kOpaque, source_.Text(expr.range));
  const bool output = parameter.role == ParameterRole::kOut;
  if (expr.kind == ExprKind::kSlice || expr.kind == ExprKind::kEllipsis) {
    Report(code::kX119, expr.range,
           fmt::format("{} is not a size", Quote(expr)),
           "name each size (T[M, N]), or take any rank by T[*S]");
    return dim;
  }
  if (IsCall(expr, "upto")) {
    if (!output || expr.items.size() != 2) {
      Report(code::kX119, expr.range,
             "upto(N) stands in the shape of an output: a size known only "
             "after the run",
             "write out(T[upto(N)])");
      return dim;
    }
    dim = ReadDim(*expr.items[1], parameter);
    dim.upto = true;
    return dim;
  }
  if (const syntax::Expr* name = NameIn(expr)) {
    const Binding* binding = scope_.Find(name->text);
    const bool starred = expr.kind == ExprKind::kStarred;
    const auto is_pack = [&] {
      const SizeAtom* atom = binding->value.atom();
      return atom && atom->kind == SizeAtomKind::kPack;
    };
    if (binding && (binding->kind == BindingKind::kPack ||
                    binding->kind == BindingKind::kSize ||
                    binding->kind == BindingKind::kElementSize)) {
      if (is_pack() != starred) {
        Report(code::kX119, expr.range,
               is_pack()
                   ? fmt::format("'{}' is a pack of sizes", name->text)
                   : fmt::format("'{}' is one size, not a pack", name->text),
               is_pack() ? fmt::format("write *{}", name->text)
                         : fmt::format("write {}", name->text));
        return dim;
      }
      dim.size = binding->value;
      if (starred) {
        dim.pack = name->text;
        return dim;
      }
      Expr* size = New(typed::ExprKind::kSize, TypeKind::kHostInt, expr.range);
      size->text = name->text;
      size->value = binding->value;
      dim.expr = size;
      dim.binds = !output;
      return dim;
    }
    if (starred) {
      if (binding && binding->kind == BindingKind::kError) return dim;
      Report(code::kX116, expr.range,
             fmt::format("the pack *{} of the output '{}' is bound by no input",
                         name->text, parameter.name),
             "name the pack in an input's shape too");
      return dim;
    }
    const Global* global = FindGlobal(name->text);
    if (output && !binding && !global) {
      if (!IsCapital(name->text)) {
        Report(code::kX175, name->range,
               fmt::format("the size '{}' is neither an attribute nor written "
                           "with a capital letter",
                           name->text),
               "sizes begin with a capital letter");
        return dim;
      }
      if (broken_parameters_) return dim;
      if (!assigned_.contains(name->text)) {
        Report(code::kX116, name->range,
               fmt::format("the size '{}' of the output '{}' is not known: no "
                           "input has it in its shape and no host line defines "
                           "it",
                           name->text, parameter.name),
               fmt::format("write {} = … at the top of the kernel, from the "
                           "sizes of the inputs and the attributes",
                           name->text));
        scope_.Bind(name->text, Binding());
        return dim;
      }
      const Expr* placeholder = EvalName(expr);
      dim.expr = placeholder;
      dim.size = placeholder->value;
      return dim;
    }
  }
  const Expr* size = EvalInteger(expr, "a size", true);
  if (size->value.known()) dim.size = size->value;
  dim.expr = size;
  return dim;
}

void Checker::FinishParameters(bool clean) {
  for (const auto& [name, pending] : pending_) {
    const Binding* binding = scope_.Find(name);
    const bool defined = binding && binding->kind == BindingKind::kVariable &&
                         binding->variable == pending.variable;
    if (defined || (binding && binding->kind == BindingKind::kError)) continue;
    Report(
        code::kX116, pending.range,
        fmt::format("the size '{}' of the output '{}' is not known: no input "
                    "has it in its shape and no host line defines it",
                    name, pending.output),
        fmt::format("write {} = … at the top of the kernel, from the sizes "
                    "of the inputs and the attributes",
                    name));
  }
  bool output = false;
  for (const typed::Parameter* parameter : kernel_->parameters) {
    const bool out = parameter->role == ParameterRole::kOut;
    output |= out || parameter->role == ParameterRole::kInOut;
    if (out && clean && !stored_.contains(parameter)) {
      Report(code::kX164, parameter->range,
             fmt::format("the output '{}' is never stored", parameter->name),
             fmt::format("write store({}[…], tile)", parameter->name));
    } else if (!out && !used_.contains(parameter) &&
               !stored_.contains(parameter) && clean) {
      const bool binds = std::any_of(
          parameter->dims.begin(), parameter->dims.end(),
          [](const auto& dim) { return dim.binds || !dim.pack.empty(); });
      if (!binds || parameter->role == ParameterRole::kAttribute) {
        Report(code::kX178, parameter->range,
               fmt::format("the parameter '{}' is never used", parameter->name),
               "delete it, or use it");
      }
    }
  }
  if (!output && clean) {
    Report(code::kX164, kernel_->range,
           fmt::format("the kernel '{}' has no output", kernel_->name),
           "results are parameters: y: out(T[M, N])");
  }
}

}  // namespace belay::crux
