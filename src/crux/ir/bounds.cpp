// SPDX-License-Identifier: Apache-2.0
#include "crux/ir/bounds.h"

#include <algorithm>

namespace belay::crux::ir {
namespace {

// Whether it is never negative where its names are not.
bool IsNatural(const Int& expr) {
  switch (expr.kind()) {
    case IntKind::kConstant:
      return expr.value() >= 0;
    case IntKind::kName:
      return true;
    case IntKind::kSelect:
      return IsNatural(expr.args()[1]) && IsNatural(expr.args()[2]);
    case IntKind::kAdd:
    case IntKind::kMul:
    case IntKind::kFloorDiv:
    case IntKind::kCeilDiv:
    case IntKind::kAlignUp:
    case IntKind::kMin:
    case IntKind::kMax:
      return IsNatural(expr.args()[0]) && IsNatural(expr.args()[1]);
    default:
      return false;
  }
}

// The same operation with the same constant behind it, which makes more of
// more.
bool GrowAlike(const Int& a, const Int& b) {
  const bool grows = a.kind() == IntKind::kMul || a.kind() == IntKind::kAdd ||
                     a.kind() == IntKind::kFloorDiv ||
                     a.kind() == IntKind::kCeilDiv ||
                     a.kind() == IntKind::kAlignUp;
  return grows && a.kind() == b.kind() && a.args()[1].is_constant() &&
         a.args()[1].value() > 0 && Same(a.args()[1], b.args()[1]);
}

}  // namespace

std::optional<int64_t> Most(const Kernel& kernel, const Int& expr) {
  const auto of = [&](size_t i) { return Most(kernel, expr.args()[i]); };
  switch (expr.kind()) {
    case IntKind::kConstant:
      return expr.value();
    case IntKind::kName:
      for (const TileParameter& parameter : kernel.parameters) {
        if (parameter.name == expr.name()) return Most(kernel, parameter.most);
      }
      for (const auto& [name, most] : kernel.most) {
        if (name == expr.name()) return most;
      }
      return std::nullopt;
    case IntKind::kMin: {
      const auto a = of(0);
      const auto b = of(1);
      if (a && b) return std::min(*a, *b);
      return a ? a : b;
    }
    case IntKind::kSelect: {
      const auto a = of(1);
      const auto b = of(2);
      return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
    }
    case IntKind::kMax:
    case IntKind::kAdd:
    case IntKind::kMul: {
      const auto a = of(0);
      const auto b = of(1);
      if (!a || !b || *a < 0 || *b < 0) return std::nullopt;
      if (expr.kind() == IntKind::kMax) return std::max(*a, *b);
      int64_t result = 0;
      const bool overflow = expr.kind() == IntKind::kAdd
                                ? __builtin_add_overflow(*a, *b, &result)
                                : __builtin_mul_overflow(*a, *b, &result);
      return overflow ? std::nullopt : std::optional(result);
    }
    default:
      return std::nullopt;
  }
}

std::optional<Int> Slope(const Int& expr, std::string_view name) {
  if (!Mentions(expr, name)) return Int(0);
  const auto of = [&](size_t i) { return Slope(expr.args()[i], name); };
  switch (expr.kind()) {
    case IntKind::kName:
      return Int(1);
    case IntKind::kAdd:
    case IntKind::kSub: {
      const auto a = of(0);
      const auto b = of(1);
      if (!a || !b) return std::nullopt;
      return expr.kind() == IntKind::kAdd ? *a + *b : *a - *b;
    }
    case IntKind::kMul: {
      const bool left = Mentions(expr.args()[0], name);
      if (left && Mentions(expr.args()[1], name)) return std::nullopt;
      const auto slope = of(left ? 0 : 1);
      if (!slope) return std::nullopt;
      return *slope * expr.args()[left ? 1 : 0];
    }
    default:
      return std::nullopt;
  }
}

bool IsAtLeast(const Int& a, const Int& b) {
  if (Same(a, b)) return true;
  if (a.is_constant() && b.is_constant()) return a.value() >= b.value();
  if (b.Is(0)) return IsNatural(a);
  if (GrowAlike(a, b) && IsAtLeast(a.args()[0], b.args()[0])) return true;
  if (a.kind() == IntKind::kAdd) {
    const Int& left = a.args()[0];
    const Int& right = a.args()[1];
    if (IsNatural(right) && IsAtLeast(left, b)) return true;
    if (IsNatural(left) && IsAtLeast(right, b)) return true;
  }
  // Divided by one or more it is no more than it was.
  const bool divided =
      b.kind() == IntKind::kCeilDiv || b.kind() == IntKind::kFloorDiv;
  return divided && b.args()[1].is_constant() && b.args()[1].value() > 0 &&
         IsNatural(b.args()[0]) && IsAtLeast(a, b.args()[0]);
}

bool IsNeverPositive(const Int& expr) {
  switch (expr.kind()) {
    case IntKind::kConstant:
      return expr.value() <= 0;
    case IntKind::kMul: {
      const Int& left = expr.args()[0];
      const Int& right = expr.args()[1];
      return (IsNeverPositive(left) && IsNatural(right)) ||
             (IsNatural(left) && IsNeverPositive(right));
    }
    case IntKind::kAdd:
      return IsNeverPositive(expr.args()[0]) && IsNeverPositive(expr.args()[1]);
    case IntKind::kSub:
      return IsNeverPositive(expr.args()[0]) && IsNatural(expr.args()[1]);
    default:
      return false;
  }
}

}  // namespace belay::crux::ir
