// SPDX-License-Identifier: Apache-2.0
// Host lines and host expressions that the device uses.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "crux/lower/lowering.h"
#include "crux/print_typed.h"

namespace belay::crux::lower {
namespace {

using ir::HostSource;
using ir::HostValue;
using typed::ExprKind;

std::optional<ir::IntKind> IntKindOf(Op op) {
  switch (op) {
    case Op::kAdd:
      return ir::IntKind::kAdd;
    case Op::kSub:
      return ir::IntKind::kSub;
    case Op::kMul:
      return ir::IntKind::kMul;
    case Op::kFloorDiv:
      return ir::IntKind::kFloorDiv;
    case Op::kCeilDiv:
      return ir::IntKind::kCeilDiv;
    case Op::kMod:
      return ir::IntKind::kMod;
    case Op::kMaximum:
      return ir::IntKind::kMax;
    case Op::kMinimum:
      return ir::IntKind::kMin;
    default:
      return std::nullopt;
  }
}

// The first parameter that an expression speaks of; null: none.
const typed::Parameter* ParameterIn(const typed::Expr& expr) {
  if (expr.kind == ExprKind::kParameter) return expr.parameter;
  for (const typed::Expr* arg : expr.args) {
    const typed::Parameter* found =
        arg != nullptr ? ParameterIn(*arg) : nullptr;
    if (found != nullptr) return found;
  }
  return nullptr;
}

// What a host value is called that the program has no name for.
std::string WishFor(const typed::Expr& expr) {
  const typed::Parameter* parameter = ParameterIn(expr);
  if (parameter == nullptr) {
    return expr.kind == ExprKind::kPackSize ? expr.text + "_size" : "number";
  }
  const std::string& name = parameter->name;
  switch (expr.kind) {
    case ExprKind::kParameter:
      return name;
    case ExprKind::kTensorSize:
      return name + "_size";
    case ExprKind::kTensorRank:
      return name + "_rank";
    case ExprKind::kListCount:
      return name + "_count";
    case ExprKind::kDimension: {
      const auto axis = expr.args[1]->value.constant();
      if (expr.args[0]->kind == ExprKind::kAround && axis) {
        constexpr std::string_view kParts[] = {"before", "dim", "after"};
        return fmt::format("{}_{}", name, kParts[*axis % 3]);
      }
      return axis ? fmt::format("{}_dim{}", name, *axis) : name + "_dim";
    }
    case ExprKind::kOperation:
      return fmt::format("{}_{}", name, NameOfOperation(expr.op));
    default:
      return name + "_choice";
  }
}

bool IsNeverNegative(const typed::Expr& expr) {
  return expr.kind == ExprKind::kDimension ||
         expr.kind == ExprKind::kTensorSize ||
         expr.kind == ExprKind::kPackSize ||
         expr.kind == ExprKind::kListCount ||
         expr.kind == ExprKind::kTensorRank ||
         expr.type.kind == TypeKind::kHostBool;
}

// The larger of two numbers that a condition chooses from.
std::optional<int64_t> MostOf(const typed::Expr& expr) {
  if (expr.kind != ExprKind::kSelect) return std::nullopt;
  const auto a = expr.args[0]->value.constant();
  const auto b = expr.args[2]->value.constant();
  return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
}

// Parts of expressions are shared; as trees they can be very large.
constexpr int kLargestTree = 10'000;
constexpr int kLargestInt = 100;

template <typename Node, typename Parts>
void SpendOnTree(const Node& node, const Parts& parts, int& left) {
  if (--left <= 0) return;
  for (const auto& part : parts(node)) {
    if (left <= 0) return;
    SpendOnTree(part, parts, left);
  }
}

bool IsLargeTree(const typed::Expr& expr) {
  int left = kLargestTree;
  const auto parts = [](const typed::Expr* node) {
    std::vector<const typed::Expr*> args;
    for (const typed::Expr* arg : node->args) {
      if (arg != nullptr) args.push_back(arg);
    }
    return args;
  };
  SpendOnTree(&expr, parts, left);
  return left <= 0;
}

bool IsLargeTree(const Int& value) {
  int left = kLargestInt;
  SpendOnTree(value, [](const Int& node) { return node.args(); }, left);
  return left <= 0;
}

}  // namespace

ir::Number IntegerNumber(Int value) {
  ir::Number number;
  number.kind = ir::Number::Kind::kInt;
  number.integer = std::move(value);
  return number;
}

Int Product(const std::vector<Int>& factors) {
  Int product = 1;
  for (const Int& factor : factors) product = product * factor;
  return product;
}

typed::Expr* Lowering::NewExpr(ExprKind kind, TypeKind type) {
  Expr& expr = kernel_.made->emplace_back();
  expr.kind = kind;
  expr.type.kind = type;
  return &expr;
}

HostValue& Lowering::AddHost(std::string_view wish, HostSource source) {
  HostValue value;
  value.name = kernel_.FreshName(wish);
  value.source = source;
  host_names_.insert(value.name);
  kernel_.host.push_back(std::move(value));
  return kernel_.host.back();
}

const typed::Expr* Lowering::Inlined(const Expr& expr) {
  if (expr.kind == ExprKind::kVariable) {
    const Value& value = variables_[static_cast<size_t>(expr.variable->id)];
    if (const auto* line = std::get_if<HostLine>(&value)) return line->expr;
    if (const auto* name = std::get_if<TensorName>(&value)) return name->expr;
    return &expr;
  }
  std::vector<const Expr*> args;
  for (const Expr* arg : expr.args) {
    args.push_back(arg != nullptr ? Inlined(*arg) : nullptr);
  }
  if (args == expr.args) return &expr;
  Expr& copy = kernel_.made->emplace_back(expr);
  copy.args = std::move(args);
  return &copy;
}

const typed::Loop* Lowering::EachLoopIn(const Expr& expr) const {
  if (expr.kind == ExprKind::kLoopIndex) {
    return expr.loop->kind == typed::LoopKind::kEach ? expr.loop : nullptr;
  }
  const typed::Loop* found = nullptr;
  for (const Expr* arg : expr.args) {
    const typed::Loop* loop = arg != nullptr ? EachLoopIn(*arg) : nullptr;
    if (loop == nullptr || loop == found) continue;
    if (found != nullptr) {
      ir::Refuse(code::kX301, expr.range,
                 "a host value speaks of the elements of two `each` loops",
                 "compute it from parts that speak of one list each");
    }
    found = loop;
  }
  return found;
}

Int Lowering::SizeNamed(const std::string& name) {
  if (const auto found = constants_.find(name); found != constants_.end()) {
    return found->second;
  }
  for (const HostValue& value : kernel_.host) {
    if (value.source == HostSource::kSize && value.name == name) {
      return Int::Name(name);
    }
  }
  HostValue value;
  value.name = name;
  host_names_.insert(name);
  not_negative_.insert(name);
  kernel_.host.push_back(std::move(value));
  return Int::Name(name);
}

Int Lowering::PackSize(const std::string& name, const Size& size) {
  if (const auto known = Known(size)) return *known;
  Expr* expr = NewExpr(ExprKind::kPackSize, TypeKind::kHostInt);
  expr->text = name;
  expr->value = size;
  return OpaqueInt(*expr, name + "_size");
}

void Lowering::Learn(const Size& size, const Int& value) {
  if (!size.known()) return;
  const SizeAtom* atom = size.atom();
  if (atom == nullptr || atoms_.contains(atom)) return;
  atoms_.emplace(atom, value);
  learned_.push_back(atom);
}

std::optional<Int> Lowering::KnownAtom(const SizeAtom& atom) {
  const auto found = atoms_.find(&atom);
  if (found != atoms_.end()) return found->second;
  if (atom.expanded) return Known(*atom.expanded);
  const auto both = [&](ir::IntKind kind) -> std::optional<Int> {
    const auto a = Known(atom.a);
    const auto b = a ? Known(atom.b) : std::nullopt;
    if (!b) return std::nullopt;
    return Canonical(Int::Of(kind, *a, *b));
  };
  switch (atom.kind) {
    case SizeAtomKind::kFloorDiv:
      return both(ir::IntKind::kFloorDiv);
    case SizeAtomKind::kCeilDiv:
      return both(ir::IntKind::kCeilDiv);
    case SizeAtomKind::kMod:
      return both(ir::IntKind::kMod);
    case SizeAtomKind::kMaximum:
      return both(ir::IntKind::kMax);
    case SizeAtomKind::kMinimum:
      return both(ir::IntKind::kMin);
    default:
      return std::nullopt;
  }
}

std::optional<Int> Lowering::Known(const Size& size) {
  if (!size.known()) return std::nullopt;
  Int plus = 0;
  Int minus = 0;
  for (const SizeTerm& term : size.terms()) {
    Int product = 1;
    for (const SizeAtom* atom : term.atoms) {
      const auto value = KnownAtom(*atom);
      if (!value) return std::nullopt;
      product = product * *value;
    }
    if (term.coefficient >= 0) {
      plus = plus + product * Int(term.coefficient);
    } else {
      minus = minus + product * Int(-term.coefficient);
    }
  }
  return Canonical(plus - minus);
}

Int Lowering::Canonical(const Int& value) const {
  if (value.is_constant() || value.kind() == ir::IntKind::kName) return value;
  for (const HostValue& host : kernel_.host) {
    if (host.source == HostSource::kFormula && Same(host.formula, value)) {
      return Int::Name(host.name);
    }
  }
  return value;
}

Int Lowering::OpaqueInt(const Expr& expr, std::string_view wish) {
  if (const auto known = Known(expr.value)) return *known;
  const Expr* inlined = Inlined(expr);
  const typed::Loop* each = EachLoopIn(*inlined);
  const std::string text = ToText(*inlined);
  const auto key = std::make_pair(each, text);
  auto found = opaque_.find(key);
  if (found != opaque_.end() && constants_.contains(found->second)) {
    return constants_.at(found->second);
  }
  if (found == opaque_.end()) {
    RequireElements(*inlined);
    HostValue& value =
        AddHost(wish.empty() ? WishFor(*inlined) : wish,
                each != nullptr ? HostSource::kPerItem : HostSource::kExpr);
    value.expr = inlined;
    value.loop = each;
    if (each != nullptr) host_names_.erase(value.name);
    if (const auto most = MostOf(*inlined); most && each == nullptr) {
      kernel_.most.emplace_back(value.name, *most);
    }
    if (IsNeverNegative(*inlined)) not_negative_.insert(value.name);
    found = opaque_.emplace(key, value.name).first;
  }
  const Int result =
      each != nullptr ? Int::Element(found->second,
                                     loop_names_[static_cast<size_t>(each->id)])
                      : Int::Name(found->second);
  Learn(expr.value, result);
  return result;
}

std::optional<Int> Lowering::HostArithmetic(const Expr& expr) {
  for (const Expr* arg : expr.args) {
    if (arg == nullptr || arg->type.kind != TypeKind::kHostInt) {
      return std::nullopt;
    }
  }
  const auto arg = [&](size_t i) { return HostInt(*expr.args[i]); };
  if (expr.op == Op::kNegate) return Int(0) - arg(0);
  if (expr.op == Op::kChoose) return arg(0);
  if (expr.op == Op::kClamp) return Min(Max(arg(0), arg(1)), arg(2));
  const auto kind = IntKindOf(expr.op);
  if (!kind || expr.args.size() != 2) return std::nullopt;
  const Int a = arg(0);
  return Canonical(Int::Of(*kind, a, arg(1)));
}

Int Lowering::HostInt(const Expr& expr, std::string_view wish) {
  if (expr.type.kind == TypeKind::kHostInt) {
    if (const auto constant = expr.value.constant()) return *constant;
  }
  switch (expr.kind) {
    case ExprKind::kLiteral:
      return expr.integer;
    case ExprKind::kSize:
      return SizeNamed(expr.text);
    case ExprKind::kVariable: {
      const Value& value = variables_[static_cast<size_t>(expr.variable->id)];
      const auto* line = std::get_if<HostLine>(&value);
      if (line != nullptr && !line->integer) {
        return HostInt(*line->expr, expr.variable->name);
      }
      if (line == nullptr) {
        ir::Refuse(
            code::kX301, expr.range,
            fmt::format("`{}` has no value in this variant of the kernel",
                        expr.variable->name),
            "assign it before it is used, on every path");
      }
      if (line->integer->kind() == ir::IntKind::kName &&
          constants_.contains(line->integer->name())) {
        return constants_.at(line->integer->name());
      }
      Learn(expr.value, *line->integer);
      return *line->integer;
    }
    case ExprKind::kOperation:
      if (expr.op == Op::kPresent) break;
      if (const auto result = HostArithmetic(expr)) return *result;
      break;
    case ExprKind::kTensorSize:
      return ViewOf(*expr.args[0]).elements;
    case ExprKind::kDimension: {
      const auto axis = expr.args[1]->value.constant();
      if (!axis || Known(expr.value)) break;
      const Expr* base = Inlined(*expr.args[0]);
      if (base->kind == ExprKind::kAround &&
          !PlaceAround(ViewOf(*base->args[0]), *base)) {
        break;
      }
      const TensorView view = ViewOf(*expr.args[0]);
      const auto rank = static_cast<int64_t>(view.dims.size());
      if (view.pack < 0 && *axis < rank) {
        const int64_t at = *axis < 0 ? *axis + rank : *axis;
        if (at >= 0) return view.dims[static_cast<size_t>(at)];
      }
      if (*axis >= 0 && *axis < view.pack) {
        return view.dims[static_cast<size_t>(*axis)];
      }
      break;
    }
    default:
      break;
  }
  return OpaqueInt(expr, wish);
}

ir::Number Lowering::HostNumber(const Expr& expr, std::string_view wish) {
  if (expr.type.kind == TypeKind::kHostInt ||
      expr.type.kind == TypeKind::kHostBool) {
    return IntegerNumber(HostInt(expr, wish));
  }
  const Expr* inlined = Inlined(expr);
  ir::Number number;
  if (inlined->kind == ExprKind::kLiteral) {
    number.real = inlined->type.kind == TypeKind::kHostFloat
                      ? inlined->real
                      : static_cast<double>(inlined->integer);
    return number;
  }
  if (EachLoopIn(*inlined) != nullptr) {
    ir::Refuse(code::kX301, expr.range,
               "a float of the host that differs for each tensor of a list",
               "compute it from integers on the device: full(f32, x[i].size)");
  }
  number.kind = ir::Number::Kind::kHostReal;
  const auto key =
      std::make_pair<const typed::Loop*>(nullptr, "real " + ToText(*inlined));
  const auto found = opaque_.find(key);
  if (found != opaque_.end()) {
    number.name = found->second;
    return number;
  }
  std::string name(wish);
  if (name.empty() && expr.kind == ExprKind::kVariable) {
    name = expr.variable->name;
  }
  HostValue& value =
      AddHost(name.empty() ? WishFor(*inlined) : name, HostSource::kExpr);
  value.real = true;
  value.expr = inlined;
  if (expr.kind == ExprKind::kVariable) value.variable = expr.variable;
  number.name = value.name;
  opaque_.emplace(key, value.name);
  return number;
}

HostLine Lowering::LowerHostLine(const typed::Variable& variable,
                                 const Expr& expr) {
  HostLine line;
  if (variable.type.kind == TypeKind::kHostInt) {
    line.integer = NamedFormula(HostInt(expr, variable.name), variable);
  }
  line.expr = Inlined(expr);
  if (IsLargeTree(*line.expr)) {
    ir::Refuse(code::kX301, expr.range,
               "a host line that, with the lines it uses written out, is very "
               "long",
               "compute it in fewer steps");
  }
  return line;
}

Int Lowering::Shortened(const Int& value, std::string_view name, int line) {
  if (!IsLargeTree(value)) return value;
  const int tile =
      Materialised(IntegerNumber(value), DType::kInt64, nullptr, line);
  return ReadTile(tile, name, nullptr);
}

Int Lowering::NamedFormula(const Int& formula,
                           const typed::Variable& variable) {
  const bool plain = formula.is_constant() ||
                     formula.kind() == ir::IntKind::kName ||
                     formula.kind() == ir::IntKind::kElement;
  if (plain || !IsHost(formula)) {
    for (HostValue& value : kernel_.host) {
      if (formula.kind() == ir::IntKind::kName && value.name == variable.name &&
          value.name == formula.name()) {
        value.variable = &variable;
      }
    }
    return Shortened(formula, variable.name, variable.range.line);
  }
  HostValue& value = AddHost(variable.name, HostSource::kFormula);
  value.formula = formula;
  value.variable = &variable;
  if (IsNotNegative(formula)) not_negative_.insert(value.name);
  return Int::Name(value.name);
}

}  // namespace belay::crux::lower
