// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_LOWER_INT_OPS_H_
#define BELAY_CRUX_LOWER_INT_OPS_H_

// Operations of the language as operations on integers, and back.

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "crux/ir/integer.h"
#include "crux/operations.h"

namespace belay::crux::lower {

inline constexpr std::array<std::pair<Op, ir::IntKind>, 8> kArithmetic = {{
    {Op::kAdd, ir::IntKind::kAdd},
    {Op::kSub, ir::IntKind::kSub},
    {Op::kMul, ir::IntKind::kMul},
    {Op::kFloorDiv, ir::IntKind::kFloorDiv},
    {Op::kCeilDiv, ir::IntKind::kCeilDiv},
    {Op::kMod, ir::IntKind::kMod},
    {Op::kMaximum, ir::IntKind::kMax},
    {Op::kMinimum, ir::IntKind::kMin},
}};

inline constexpr std::array<std::pair<Op, ir::IntKind>, 4> kComparisons = {{
    {Op::kLess, ir::IntKind::kLess},
    {Op::kLessEqual, ir::IntKind::kLessEqual},
    {Op::kEqual, ir::IntKind::kEqual},
    {Op::kNotEqual, ir::IntKind::kNotEqual},
}};

// Of arithmetic with two operands.
inline std::optional<ir::IntKind> ArithmeticKindOf(Op op) {
  const auto found =
      std::find_if(kArithmetic.begin(), kArithmetic.end(),
                   [&](const auto& one) { return one.first == op; });
  if (found == kArithmetic.end()) return std::nullopt;
  return found->second;
}

// Of arithmetic and comparisons.
inline std::optional<Op> OpOf(ir::IntKind kind) {
  for (const auto& [op, one] : kArithmetic) {
    if (one == kind) return op;
  }
  for (const auto& [op, one] : kComparisons) {
    if (one == kind) return op;
  }
  return std::nullopt;
}

// Whether it is 0 or 1 by what it asks.
inline bool IsCondition(ir::IntKind kind) {
  switch (kind) {
    case ir::IntKind::kLess:
    case ir::IntKind::kLessEqual:
    case ir::IntKind::kEqual:
    case ir::IntKind::kNotEqual:
    case ir::IntKind::kAnd:
    case ir::IntKind::kOr:
    case ir::IntKind::kNot:
      return true;
    default:
      return false;
  }
}

}  // namespace belay::crux::lower

#endif  // BELAY_CRUX_LOWER_INT_OPS_H_
