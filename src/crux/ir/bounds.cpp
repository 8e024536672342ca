// SPDX-License-Identifier: Apache-2.0
#include "crux/ir/bounds.h"

#include <algorithm>

namespace belay::crux::ir {

std::optional<int64_t> Most(const Kernel& kernel, const Int& expr) {
  const auto of = [&](size_t i) { return Most(kernel, expr.args()[i]); };
  switch (expr.kind()) {
    case IntKind::kConstant:
      return expr.value();
    case IntKind::kName:
      for (const TileParameter& parameter : kernel.parameters) {
        if (parameter.name == expr.name()) return parameter.most;
      }
      return std::nullopt;
    case IntKind::kMin: {
      const auto a = of(0);
      const auto b = of(1);
      if (a && b) return std::min(*a, *b);
      return a ? a : b;
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

}  // namespace belay::crux::ir
