// SPDX-License-Identifier: Apache-2.0
// Checker: what stands at the left margin of a file.

#include <fmt/format.h>

#include "crux/checker.h"
#include "crux/foreign.h"

namespace belay::crux {

using syntax::ExprKind;
using syntax::StatementKind;

bool IsIntegerScalar(const Type& type) {
  if (type.kind == TypeKind::kHostInt || type.kind == TypeKind::kIndex) {
    return true;
  }
  return type.is_scalar_tile() &&
         !FirstRefused(type.element, OpDtypes::kInteger);
}

bool IsLiteral(const typed::Expr& expr) {
  return expr.kind == typed::ExprKind::kLiteral;
}

Type TileType(const Element& element, std::vector<Size> dims) {
  Type type;
  type.kind = TypeKind::kTile;
  type.element = element;
  type.dims = std::move(dims);
  return type;
}

Type PlainType(TypeKind kind) {
  Type type;
  type.kind = kind;
  return type;
}

const typed::Expr* Checker::Error(const SourceRange& range) {
  return New(typed::ExprKind::kLiteral, TypeKind::kError, range);
}

void Checker::Report(const char* code, const SourceRange& range,
                     std::string message, std::string fix) {
  Diagnostic& diagnostic =
      messages_.Report(code, range, std::move(message), std::move(fix));
  for (size_t i = inlined_.size(); i-- > 0;) {
    diagnostic.notes.push_back({fmt::format("in the helper '{}' called here",
                                            inlined_[i].function->name),
                                messages_.LocationOf(inlined_[i].range)});
  }
}

const typed::Expr* Checker::Fail(const char* code, const SourceRange& range,
                                 std::string message, std::string fix) {
  Report(code, range, std::move(message), std::move(fix));
  return Error(range);
}

std::string Checker::Quote(const SourceRange& range) const {
  constexpr size_t kMost = 60;
  std::string text(source_.Text(range));
  if (text.size() > kMost || range.end_line != range.line) {
    text = text.substr(0, kMost) + "…";
  }
  return "`" + text + "`";
}

std::string Checker::Quote(const syntax::Expr& expr) const {
  return Quote(expr.range);
}

typed::Expr* Checker::New(typed::ExprKind kind, TypeKind type,
                          const SourceRange& range) {
  Expr* expr = program_.NewExpr();
  expr->kind = kind;
  expr->type.kind = type;
  expr->range = range;
  return expr;
}

typed::Expr* Checker::NewOperation(Op op, std::vector<const Expr*> args,
                                   Type type, const SourceRange& range) {
  Expr* expr = New(typed::ExprKind::kOperation, type.kind, range);
  expr->op = op;
  expr->args = std::move(args);
  expr->type = std::move(type);
  return expr;
}

const typed::Expr* Checker::Integer(int64_t value, const SourceRange& range) {
  Expr* expr = New(typed::ExprKind::kLiteral, TypeKind::kHostInt, range);
  expr->integer = value;
  expr->value = Size(value);
  return expr;
}

const Checker::Global* Checker::FindGlobal(std::string_view name) const {
  const auto found = globals_.find(name);
  return found == globals_.end() ? nullptr : &found->second;
}

void Checker::CheckModule(const syntax::Module& module) {
  DeclareGlobals(module);
  bool has_function = false;
  for (const syntax::Statement* statement : module.body) {
    if (statement->kind != StatementKind::kFunction) continue;
    has_function = true;
    const syntax::Function& function = *statement->function;
    const Global* global = FindGlobal(function.name);
    if (global && global->kind == GlobalKind::kKernel &&
        global->function == &function && !function.broken) {
      CheckKernel(function);
    }
  }
  if (!has_function && messages_.errors() == 0) {
    Report(code::kX114, {1, 1, 1, 1}, "this file has no kernel",
           "write a function with @kernel above it: "
           "@kernel, def name(x: T[N], y: out(T[N])):");
  }
}

void Checker::Declare(const std::string& name, Global global) {
  const auto [place, inserted] = globals_.emplace(name, global);
  if (inserted) return;
  if (place->second.kind == GlobalKind::kError) return;
  Report(code::kX112, global.range,
         fmt::format("'{}' is defined a second time; the first is on line {}",
                     name, place->second.range.line),
         "give it another name");
}

void Checker::DeclareGlobals(const syntax::Module& module) {
  for (const syntax::Statement* statement : module.body) {
    switch (statement->kind) {
      case StatementKind::kError:
        for (const syntax::Expr* name : statement->targets) {
          globals_[name->text].kind = GlobalKind::kError;
        }
        break;
      case StatementKind::kAssign:
        DeclareAssignment(*statement);
        break;
      case StatementKind::kFunction:
        DeclareFunction(*statement);
        break;
      case StatementKind::kPass:
        break;
      case StatementKind::kExpression:
        if (statement->value->kind == ExprKind::kString) break;
        [[fallthrough]];
      default:
        Report(code::kX110, statement->range,
               "only dtypes, constants and functions stand at the left margin",
               "move the statement into a @kernel function: indent it by four "
               "blanks");
    }
  }
}

void Checker::DeclareAssignment(const syntax::Statement& statement) {
  const syntax::Expr& value = *statement.value;
  const bool call =
      value.kind == ExprKind::kCall && value.items[0]->kind == ExprKind::kName;
  if (call &&
      (value.items[0]->text == "dtype" || value.items[0]->text == "dtypes")) {
    DeclareDtypes(statement);
    return;
  }
  for (const syntax::Expr* target : statement.targets) {
    Global global;
    global.range = target->range;
    if (target->kind == ExprKind::kName) {
      if (statement.targets.size() == 1) {
        global.constant = Eval(value);
        const Type& type = global.constant->type;
        if (type.is_error()) {
          global.kind = GlobalKind::kError;
        } else if (type.is_host() && type.kind != TypeKind::kHostList) {
          global.kind = GlobalKind::kConstant;
        } else {
          Report(code::kX110, value.range,
                 fmt::format("'{}' at the left margin must be a number, a "
                             "string or dtype(…), got {}",
                             target->text, ToText(type)),
                 "compute it inside a @kernel function");
        }
      } else {
        Report(code::kX110, statement.range,
               "constants are defined one to a line",
               "write one line for each name");
      }
      Declare(target->text, global);
    } else {
      Report(code::kX109, target->range, "only a name can be assigned to",
             "write `NAME = value`");
    }
  }
}

std::optional<DType> Checker::DtypeNamed(const syntax::Expr& expr) {
  if (expr.kind == ExprKind::kName) {
    for (const DType dtype : AllDtypes()) {
      if (expr.text == belay::NameOf(dtype)) return dtype;
    }
    if (const std::string_view ours = ForDtype(expr.text); !ours.empty()) {
      Report(code::kX134, expr.range,
             fmt::format("'{}' is not a dtype of Crux", expr.text),
             fmt::format("write {}", ours));
      return std::nullopt;
    }
  }
  std::vector<std::string> names;
  for (const DType dtype : AllDtypes()) {
    names.emplace_back(belay::NameOf(dtype));
  }
  const std::string near = Nearest(expr.text, names);
  Report(code::kX134, expr.range,
         fmt::format("{} is not a dtype; dtypes are {}", Quote(expr),
                     Listed(names)),
         near.empty()
             ? fmt::format("declare a variable of your own at the left margin: "
                           "{} = dtype(f16, f32)",
                           expr.text.empty() ? "T" : expr.text)
             : fmt::format("did you mean '{}'?", near));
  return std::nullopt;
}

void Checker::DeclareDtypes(const syntax::Statement& statement) {
  const syntax::Expr& call = *statement.value;
  const bool several = call.items[0]->text == "dtypes";
  const size_t count = statement.targets.size();
  std::vector<DtypeVariable*> variables;
  bool good = true;
  for (const syntax::Expr* target : statement.targets) {
    DtypeVariable* variable = program_.NewDtype();
    variable->name = target->text;
    variable->group = dtype_groups_;
    variables.push_back(variable);
  }
  ++dtype_groups_;
  if (!several && count != 1) {
    Report(code::kX113, call.range,
           fmt::format("dtype(…) defines one name, and {} are assigned", count),
           "for combinations write `T, G = dtypes((f16, f16), (f16, f32))`");
    good = false;
  }
  if (call.items.size() < 2 || !call.keywords.empty()) {
    Report(code::kX113, call.range,
           fmt::format("{} lists the dtypes that are allowed",
                       several ? "dtypes(…)" : "dtype(…)"),
           several ? "write `T, G = dtypes((f16, f16), (f16, f32))`"
                   : "write `T = dtype(f16, bf16, f32)`");
    good = false;
  }
  for (size_t i = 1; good && i < call.items.size(); ++i) {
    const syntax::Expr& item = *call.items[i];
    std::vector<const syntax::Expr*> row = {&item};
    if (several &&
        (item.kind == ExprKind::kTuple || item.kind == ExprKind::kList)) {
      row.assign(item.items.begin(), item.items.end());
    }
    if (row.size() != count) {
      Report(code::kX113, item.range,
             fmt::format("this combination has {} dtypes, but {} names are "
                         "assigned",
                         row.size(), count),
             "give each name one dtype: (f16, f32)");
      good = false;
      break;
    }
    for (size_t k = 0; k < count; ++k) {
      if (const std::optional<DType> dtype = DtypeNamed(*row[k])) {
        variables[k]->allowed.push_back(*dtype);
      } else {
        good = false;
      }
    }
  }
  for (size_t k = 0; k < count; ++k) {
    const syntax::Expr& target = *statement.targets[k];
    if (target.kind != ExprKind::kName) {
      Report(code::kX109, target.range, "only a name can be assigned to",
             "write `T = dtype(f16, f32)`");
      continue;
    }
    if (!FindGlobal(target.text) && ElementNamed(target.text)) {
      Report(code::kX112, target.range,
             fmt::format("'{}' is already a dtype", target.text),
             "give the variable another name, such as T");
      continue;
    }
    Declare(target.text, {good ? GlobalKind::kDtype : GlobalKind::kError,
                          variables[k], nullptr, nullptr, target.range});
  }
}

void Checker::DeclareFunction(const syntax::Statement& statement) {
  const syntax::Function& function = *statement.function;
  Global global{GlobalKind::kError, nullptr, nullptr, &function,
                function.name_range};
  if (function.decorators.empty()) {
    Report(code::kX111, function.name_range,
           fmt::format("the function '{}' has no decorator", function.name),
           "write @kernel above it, or @inline for a helper");
  }
  for (const syntax::Expr* decorator : function.decorators) {
    const syntax::Expr& name =
        decorator->kind == ExprKind::kCall ? *decorator->items[0] : *decorator;
    bool fast = false;
    if (name.kind == ExprKind::kName && name.text == "kernel") {
      if (ReadKernelDecorator(*decorator, &fast)) {
        global.kind = GlobalKind::kKernel;
      }
    } else if (name.kind == ExprKind::kName && name.text == "inline") {
      global.kind = GlobalKind::kHelper;
      if (decorator->kind == ExprKind::kCall &&
          (decorator->items.size() > 1 || !decorator->keywords.empty())) {
        Report(code::kX174, decorator->range, "@inline takes no arguments",
               "write @inline");
      }
    } else {
      Report(code::kX111, decorator->range,
             fmt::format("{} is not a decorator of Crux", Quote(*decorator)),
             "write @kernel for a kernel, @inline for a helper");
    }
  }
  if (function.decorators.size() > 1 && global.kind != GlobalKind::kError) {
    Report(code::kX111, function.decorators[1]->range,
           fmt::format("'{}' has {} decorators", function.name,
                       function.decorators.size()),
           "a function is either a @kernel or an @inline helper");
  }
  if (FindOperation(function.name) || ElementNamed(function.name)) {
    Report(code::kX176, function.name_range,
           fmt::format("'{}' is the name of an operation", function.name),
           fmt::format("call the function my_{} or better", function.name));
  }
  Declare(function.name, global);
}

bool Checker::ReadKernelDecorator(const syntax::Expr& decorator, bool* fast) {
  if (decorator.kind != ExprKind::kCall) return true;
  if (decorator.items.size() > 1) {
    Report(code::kX174, decorator.items[1]->range,
           "@kernel takes the keyword fast= only", "write @kernel(fast=True)");
    return false;
  }
  for (const syntax::Keyword& keyword : decorator.keywords) {
    if (keyword.name != "fast" || keyword.value->kind != ExprKind::kBool) {
      Report(code::kX174, keyword.range,
             fmt::format("@kernel knows fast=True and fast=False, not '{}={}'",
                         keyword.name, source_.Text(keyword.value->range)),
             "cores, tiles and memory are chosen in the body: cores(M), "
             "tiles(N, tile=auto)");
      return false;
    }
    *fast = keyword.value->integer != 0;
  }
  return true;
}

void Checker::CheckKernel(const syntax::Function& function) {
  typed::Kernel* kernel = program_.NewKernel();
  kernel->name = function.name;
  kernel->range = function.name_range;
  for (const syntax::Expr* decorator : function.decorators) {
    ReadKernelDecorator(*decorator, &kernel->fast);
  }
  kernel_ = kernel;
  block_ = &kernel->body;
  scope_ = Scope();
  scope_.Push(FrameKind::kFunction);
  assigned_.clear();
  variables_.clear();
  frozen_.clear();
  pending_.clear();
  element_sizes_.clear();
  present_.clear();
  stored_.clear();
  used_.clear();
  prefix_loops_.clear();
  inline_calls_ = 0;
  statements_ = 0;
  broken_parameters_ = false;
  CollectAssigned(function.body, assigned_);
  const int before = messages_.errors();
  DeclareParameters(function);
  CheckBlock(function.body);
  FinishParameters(messages_.errors() == before && !broken_parameters_);
  if (messages_.errors() == before) program_.kernels.push_back(kernel);
  scope_ = Scope();
  block_ = nullptr;
  kernel_ = nullptr;
}

}  // namespace belay::crux
