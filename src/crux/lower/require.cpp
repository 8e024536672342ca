// SPDX-License-Identifier: Apache-2.0
// Calls that the program has no meaning for, as far as the host can tell.

#include <fmt/format.h>

#include <algorithm>

#include "crux/ir/bounds.h"
#include "crux/ir/linear.h"
#include "crux/lower/int_ops.h"
#include "crux/lower/lowering.h"
#include "crux/print_typed.h"

namespace belay::crux::lower {
namespace {

using ir::IntKind;
using typed::ExprKind;

Int LessEqual(const Int& a, const Int& b) {
  return Int::Of(IntKind::kLessEqual, a, b);
}

void CollectFactors(const Int& product, std::vector<Int>& factors) {
  if (product.kind() != IntKind::kMul) return factors.push_back(product);
  for (const Int& factor : product.args()) CollectFactors(factor, factors);
}

// Without factors that both have.
void DropCommon(std::vector<Int>& a, std::vector<Int>& b) {
  std::erase_if(a, [&](const Int& factor) {
    const auto same = std::find_if(b.begin(), b.end(), [&](const Int& other) {
      return Same(other, factor);
    });
    if (same == b.end()) return false;
    b.erase(same);
    return true;
  });
}

// Made of sizes and numbers, by sums and products.
bool IsOfSizes(const typed::Expr& expr) {
  if (expr.kind == ExprKind::kSize || expr.kind == ExprKind::kLiteral) {
    return expr.type.kind == TypeKind::kHostInt;
  }
  return expr.kind == ExprKind::kOperation &&
         (expr.op == Op::kAdd || expr.op == Op::kMul) &&
         std::all_of(expr.args.begin(), expr.args.end(),
                     [](const typed::Expr* arg) { return IsOfSizes(*arg); });
}

// a <= a, minimum(a, b) <= a.
bool IsPlain(const typed::Expr& condition) {
  if (condition.kind != ExprKind::kOperation ||
      condition.op != Op::kLessEqual) {
    return false;
  }
  const typed::Expr& a = *condition.args[0];
  const std::string b = ToText(*condition.args[1]);
  if (ToText(a) == b) return true;
  return a.kind == ExprKind::kOperation && a.op == Op::kMinimum &&
         std::any_of(a.args.begin(), a.args.end(), [&](const typed::Expr* arg) {
           return arg != nullptr && ToText(*arg) == b;
         });
}

Int With(const Int& expr, const std::string& name, const Int& value) {
  return Substitute(expr, [&](const std::string& other) {
    return other == name ? std::optional(value) : std::nullopt;
  });
}

}  // namespace

const typed::Expr* Lowering::HostExpr(const Int& value) {
  Expr* expr = nullptr;
  switch (value.kind()) {
    case IntKind::kConstant:
      expr = NewExpr(ExprKind::kLiteral, TypeKind::kHostInt);
      expr->integer = value.value();
      expr->value = Size(value.value());
      return expr;
    case IntKind::kName: {
      const auto host = std::find_if(
          kernel_.host.begin(), kernel_.host.end(),
          [&](const auto& one) { return one.name == value.name(); });
      if (host == kernel_.host.end()) return nullptr;
      if (host->source == ir::HostSource::kFormula) {
        return HostExpr(Int(host->formula));
      }
      if (host->source == ir::HostSource::kExpr) return Chosen(*host->expr);
      if (host->source != ir::HostSource::kSize) return nullptr;
      expr = NewExpr(ExprKind::kSize, TypeKind::kHostInt);
      expr->text = value.name();
      return expr;
    }
    case IntKind::kElement:
    case IntKind::kAlignUp:
      return nullptr;
    case IntKind::kAnd:
    case IntKind::kOr:
    case IntKind::kNot:
      expr = NewExpr(ExprKind::kHostLogic, TypeKind::kHostBool);
      expr->text = value.kind() == IntKind::kAnd  ? "and"
                   : value.kind() == IntKind::kOr ? "or"
                                                  : "not";
      break;
    case IntKind::kSelect:
      expr = NewExpr(ExprKind::kSelect, TypeKind::kHostInt);
      break;
    default:
      expr = NewExpr(ExprKind::kOperation, IsCondition(value.kind())
                                               ? TypeKind::kHostBool
                                               : TypeKind::kHostInt);
      expr->op = *OpOf(value.kind());
  }
  const bool logic = expr->kind == ExprKind::kHostLogic;
  const bool chooses = expr->kind == ExprKind::kSelect;
  for (size_t i = 0; i < value.args().size(); ++i) {
    const Expr* arg = HostExpr(value.args()[i]);
    const bool is_bool =
        arg != nullptr && arg->type.kind == TypeKind::kHostBool;
    if (arg == nullptr || is_bool != (logic || (chooses && i == 0))) {
      return nullptr;
    }
    if (value.kind() == IntKind::kOr && arg->kind == ExprKind::kHostLogic &&
        arg->text == "or") {
      expr->args.insert(expr->args.end(), arg->args.begin(), arg->args.end());
    } else {
      expr->args.push_back(arg);
    }
  }
  if (chooses) std::swap(expr->args[0], expr->args[1]);  // a if c else b
  return expr;
}

const typed::Expr* Lowering::Chosen(const Expr& expr) const {
  if (expr.kind != ExprKind::kSelect) return &expr;
  const auto first = facts_.Settled(*expr.args[1]);
  return first ? Chosen(*expr.args[*first ? 0 : 2]) : &expr;
}

void Lowering::Require(Int condition, const SourceRange& range,
                       const std::string& message, const char* code) {
  if (condition.is_constant() && condition.value() != 0) return;
  if (device_ifs_ > 0 || !IsHost(condition)) return;
  const Expr* alone = HostExpr(condition);
  if (alone == nullptr || IsPlain(*alone)) return;
  if (facts_.Settled(*alone) == true) return;
  if (condition.kind() == IntKind::kLessEqual &&
      facts_.Settled(
          *HostExpr(Less(condition.args()[0], condition.args()[1]))) == true) {
    return;
  }
  Int idle = 0;  // some loop around it does not run
  for (const typed::Loop* loop : running_) {
    const ir::Loop& lowered = *lowered_.at(loop);
    if (!IsHost(lowered.low) || !IsHost(lowered.high)) return;
    idle = Int::Of(IntKind::kOr, idle, LessEqual(lowered.high, lowered.low));
  }
  condition = Int::Of(IntKind::kOr, idle, condition);
  if (condition.is_constant()) return;
  const Expr* host = HostExpr(condition);
  if (host == nullptr || EachLoopIn(*host) != nullptr) return;
  if (facts_.Settled(*host) == true) return;
  const std::string text = ToText(*host);
  const bool is_known = std::any_of(
      kernel_.asserts.begin(), kernel_.asserts.end(),
      [&](const ir::Assertion& one) { return ToText(*one.condition) == text; });
  if (is_known) return;
  Expr& placed = kernel_.made->emplace_back(*host);
  placed.range = range;
  kernel_.asserts.push_back({&placed, message, range.line, code});
}

void Lowering::LearnEquality(const Expr& condition) {
  if (condition.kind != ExprKind::kOperation || condition.op != Op::kEqual) {
    return;
  }
  for (const int side : {0, 1}) {
    const Expr& size = *condition.args[side];
    const Expr& other = *condition.args[1 - side];
    if (size.kind != ExprKind::kSize || !IsOfSizes(other)) continue;
    asserted_.emplace(HostInt(size).name(), HostInt(other));
    return;
  }
}

bool Lowering::IsNaturalHere(const Int& value) const {
  if (IsNotNegative(value)) return true;
  return value.kind() == IntKind::kFloorDiv && IsNotNegative(value.args()[0]) &&
         std::any_of(
             running_.begin(), running_.end(), [&](const typed::Loop* loop) {
               const ir::Loop& lowered = *lowered_.at(loop);
               return lowered.low.Is(0) && Same(lowered.high, value.args()[1]);
             });
}

bool Lowering::IsNatural(ir::Linear sum) const {
  // c * (x // c) is at most x, c * ceil_div(x, c) at most x + c - 1.
  for (auto it = sum.terms.begin(); it != sum.terms.end();) {
    const auto [value, factor] = it->second;
    const bool up = value.kind() == IntKind::kCeilDiv;
    const bool divided =
        factor < 0 && (up || value.kind() == IntKind::kFloorDiv) &&
        value.args()[1].is_constant() && value.args()[1].value() > 0;
    const int64_t divisor = divided ? value.args()[1].value() : 1;
    if (!divided ||
        (factor % divisor != 0 && !IsNotNegative(value.args()[0]))) {
      ++it;
      continue;
    }
    sum.terms.erase(it);
    const int64_t times = (divisor - 1 - factor) / divisor;
    sum.Add(value.args()[0], -times);
    if (up) sum.constant -= times * (divisor - 1);
    it = sum.terms.begin();
  }
  return sum.constant >= 0 &&
         std::all_of(sum.terms.begin(), sum.terms.end(), [&](const auto& one) {
           return one.second.factor > 0 && IsNaturalHere(one.second.value);
         });
}

bool Lowering::IsAtMost(const Int& a, const Int& b) const {
  if (Same(a, b) || (a.Is(0) && IsNotNegative(b))) return true;
  if (IsNatural(ir::Difference(b, a))) return true;
  return IsNotNegative(a) && IsNotNegative(b) && ir::IsAtLeast(b, a);
}

void Lowering::RequireAtMost(const Int& a, const Int& b,
                             const SourceRange& range,
                             const std::string& message, const char* code) {
  if (IsAtMost(a, b) || IsAtMost(WrittenOut(a), WrittenOut(b))) return;
  const ir::Linear difference = ir::Difference(b, a);
  Require(LessEqual(ir::TakenOff(difference), ir::Added(difference)), range,
          message, code);
}

void Lowering::RequireElement(const typed::Expr& list, const Int& at,
                              const SourceRange& range) {
  const auto ends = EndsOf(at);
  if (!ends) return;
  Expr* count = NewExpr(ExprKind::kListCount, TypeKind::kHostInt);
  count->args = {&list};
  RequireAtMost(0, ends->first, range,
                "an element before the begin of a list of integers",
                code::kX181);
  RequireAtMost(ends->last + Int(1), HostInt(*count), range,
                "an element beyond the end of a list of integers", code::kX181);
}

void Lowering::RequireElements(const typed::Expr& expr) {
  if (expr.kind == ExprKind::kSelect) return RequireElements(*expr.args[1]);
  if (expr.kind == ExprKind::kHostElement &&
      expr.args[1]->type.kind == TypeKind::kHostInt) {
    RequireElement(*expr.args[0], HostInt(*expr.args[1]), expr.range);
  }
  const size_t sure = expr.kind == ExprKind::kHostLogic ? 1 : expr.args.size();
  for (size_t i = 0; i < sure; ++i) {
    if (expr.args[i] != nullptr) RequireElements(*expr.args[i]);
  }
}

void Lowering::RequireHeld(const Int& value, DType dtype,
                           const SourceRange& range) {
  if (IsFloating(dtype) || dtype == DType::kBool || BytesOf(dtype) > 2) return;
  const bool is_signed = dtype == DType::kInt8 || dtype == DType::kInt16;
  const int64_t count = int64_t{1} << (8 * BytesOf(dtype));
  const int64_t least = is_signed ? -count / 2 : 0;
  const std::string message =
      fmt::format("a number that {} does not hold", belay::NameOf(dtype));
  RequireAtMost(least, value, range, message);
  RequireAtMost(value, least + count - 1, range, message);
}

std::optional<Int> Lowering::FormulaOf(const Expr& expr) const {
  if (const auto constant = expr.value.constant()) return Int(*constant);
  if (expr.kind == ExprKind::kSize && host_names_.contains(expr.text)) {
    return Int::Name(expr.text);
  }
  const auto kind = expr.kind == ExprKind::kOperation
                        ? ArithmeticKindOf(expr.op)
                        : std::nullopt;
  if (!kind || expr.args.size() != 2) return std::nullopt;
  const auto a = FormulaOf(*expr.args[0]);
  const auto b = FormulaOf(*expr.args[1]);
  return a && b ? std::optional(Int::Of(*kind, *a, *b)) : std::nullopt;
}

Int Lowering::WrittenOut(const Int& value) const {
  return Substitute(value, [&](const std::string& name) -> std::optional<Int> {
    const auto asserted = asserted_.find(name);
    if (asserted != asserted_.end()) return asserted->second;
    for (const ir::HostValue& host : kernel_.host) {
      if (host.name != name) continue;
      if (host.source == ir::HostSource::kFormula) {
        return WrittenOut(host.formula);
      }
      if (host.source == ir::HostSource::kExpr) return FormulaOf(*host.expr);
    }
    return std::nullopt;
  });
}

void Lowering::RequireProduct(const Int& product, const Int& elements,
                              const SourceRange& range) {
  const std::string message =
      "the sizes of a view must multiply to the number of elements";
  std::vector<Int> a;
  std::vector<Int> b;
  CollectFactors(WrittenOut(product), a);
  CollectFactors(WrittenOut(elements), b);
  DropCommon(a, b);
  // C // groups * groups is C: groups divides it.
  for (size_t i = 0; a.size() == 2 && b.size() == 1 && i < 2; ++i) {
    if (a[i].kind() == IntKind::kFloorDiv && Same(a[i].args()[0], b[0]) &&
        Same(a[i].args()[1], a[1 - i])) {
      return Require(Int::Of(IntKind::kEqual, Mod(b[0], a[1 - i]), 0), range,
                     message);
    }
  }
  Require(Int::Of(IntKind::kEqual, Product(a), Product(b)), range, message);
}

std::optional<Lowering::Ends> Lowering::EndsOf(const Int& value) {
  Ends ends{value, value};
  std::set<std::string> names;
  CollectNames(value, names);
  for (const std::string& name : names) {
    if (host_names_.contains(name)) continue;
    const auto loop = std::find_if(
        running_.begin(), running_.end(),
        [&](const typed::Loop* one) { return lowered_.at(one)->name == name; });
    const auto slope = ir::Slope(value, name);
    if (loop == running_.end() || !slope || !IsNotNegative(*slope)) return {};
    const ir::Loop& lowered = *lowered_.at(*loop);
    const bool pieces = !lowered.extent.empty();
    if (!IsHost(lowered.low) || !IsHost(lowered.high) ||
        (!pieces && !lowered.step.Is(1))) {
      return {};
    }
    const Int size = pieces ? Int::Name(lowered.extent) : Int(1);
    ends.first = With(ends.first, name, lowered.low);
    ends.last = With(ends.last, name, lowered.high - size);
  }
  return ends;
}

bool Lowering::TakesAllOf(const ir::Index& index) const {
  if (index.start.Is(0)) {
    return index.kind == ir::IndexKind::kRange && index.step.Is(1) &&
           Same(index.extent.size, index.dim);
  }
  if (index.start.kind() != IntKind::kName) return false;
  return std::any_of(
      running_.begin(), running_.end(), [&](const typed::Loop* one) {
        const ir::Loop& loop = *lowered_.at(one);
        const bool point = index.kind == ir::IndexKind::kPoint;
        const bool alike =
            point ? loop.extent.empty() && loop.step.Is(1)
                  : index.step.Is(1) && !loop.extent.empty() &&
                        Same(index.extent.size, Int::Name(loop.extent));
        return loop.name == index.start.name() && alike && loop.low.Is(0) &&
               Same(loop.high, index.dim);
      });
}

void Lowering::RequireInside(const std::vector<ir::Index>& indices,
                             const SourceRange& range, const char* code) {
  const std::string_view what =
      code == std::string_view(code::kX191) ? "a tile" : "a tensor";
  for (const ir::Index& index : indices) {
    if (index.kind == ir::IndexKind::kTile || !IsHost(index.dim)) continue;
    if (TakesAllOf(index)) continue;
    const bool point = index.kind == ir::IndexKind::kPoint;
    if (!point && (!index.step.is_constant() || index.step.Is(0))) continue;
    const auto ends = EndsOf(index.start);
    if (!ends) continue;
    const Int count = point ? Int(1) : index.extent.size;
    const Int way = (count - Int(1)) * index.step;
    const bool falls = !point && index.step.value() < 0;
    RequireAtMost(0, falls ? ends->first + way : ends->first, range,
                  fmt::format("a position before the begin of {}", what), code);
    const Int end = (falls ? ends->last : ends->last + way) + Int(1);
    RequireAtMost(end, index.dim, range,
                  fmt::format("a position beyond the end of {}", what), code);
  }
}

}  // namespace belay::crux::lower
