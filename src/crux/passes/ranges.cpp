// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/ranges.h"

#include <algorithm>
#include <cmath>

#include "crux/passes/walk.h"

namespace belay::crux::passes {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Whether f16 holds the number, so that rounding to any dtype does not pass it.
bool IsExact(double value) {
  return std::isinf(value) ||
         (value == std::trunc(value) && std::fabs(value) <= 2048);
}

// What numbers between `low` and `high` are rounded to, in f16 at the worst.
Range Rounded(double low, double high) {
  if (std::isnan(low) || std::isnan(high)) return {};
  const auto margin = [](double value) {
    return IsExact(value) ? 0 : std::fabs(value) / 256 + 0x1p-24;
  };
  return {low - margin(low), high + margin(high)};
}

Range OfNumber(const ir::Number& number) {
  switch (number.kind) {
    case ir::Number::Kind::kReal:
      return Rounded(number.real, number.real);
    case ir::Number::Kind::kInt:
      if (number.integer.is_constant()) {
        const auto value = static_cast<double>(number.integer.value());
        return Rounded(value, value);
      }
      return {};
    case ir::Number::Kind::kHostReal:
      return {};
  }
  return {};
}

Range Product(const Range& a, const Range& b) {
  const double ends[] = {a.low * b.low, a.low * b.high, a.high * b.low,
                         a.high * b.high};
  // 0 · inf: no end is known then.
  if (std::any_of(std::begin(ends), std::end(ends),
                  [](double one) { return std::isnan(one); })) {
    return {};
  }
  return Rounded(*std::min_element(std::begin(ends), std::end(ends)),
                 *std::max_element(std::begin(ends), std::end(ends)));
}

// No tile has as many elements: they do not fit on chip.
constexpr int64_t kMostElements = 1 << 18;

bool IsSquare(const ir::Stmt& stmt) {
  const int* left = std::get_if<int>(&stmt.operands[0]);
  const int* right = std::get_if<int>(&stmt.operands[1]);
  return left != nullptr && right != nullptr && *left == *right;
}

// What may leave i32 wraps around, and may be anything.
Range Wrapped(const Range& range) {
  using Limits = std::numeric_limits<int32_t>;
  return range.Within(Limits::min(), Limits::max()) ? range : Range{};
}

// Of integers of fewer bits, and truth values.
Range OfShort(DType dtype) {
  switch (BytesOf(dtype)) {
    case 1:
      return {-128, 255};
    case 2:
      return {-32768, 65535};
    default:
      return {};
  }
}

}  // namespace

Ranges::Ranges(const ir::Kernel& kernel) : kernel_(kernel) {
  const std::vector<int> assigned = AssignmentsOf(kernel);
  ForEachStmt(kernel.body, [&](const ir::Stmt& stmt) {
    if (stmt.results.size() != 1 || assigned[stmt.results[0]] != 1) return;
    of_[stmt.results[0]] = OfStatement(stmt);
  });
}

Range Ranges::Of(const ir::Operand& operand) const {
  const int* tile = std::get_if<int>(&operand);
  if (tile == nullptr) return OfNumber(std::get<ir::Number>(operand));
  const auto found = of_.find(*tile);
  return found == of_.end() ? Range{} : found->second;
}

Range Ranges::OfWords(const ir::Stmt& stmt) const {
  const auto at = [&](size_t i) { return Of(stmt.operands[i]); };
  switch (stmt.op) {
    case Op::kArange:
      return Wrapped({at(0).low, at(0).high + kMostElements});
    case Op::kTo: {
      const int* from = std::get_if<int>(&stmt.operands[0]);
      if (from == nullptr || IsFloating(kernel_.tiles[*from].dtype)) return {};
      return OfShort(kernel_.tiles[*from].dtype);
    }
    case Op::kMaximum:
      return {std::max(at(0).low, at(1).low), std::max(at(0).high, at(1).high)};
    case Op::kMinimum:
      return {std::min(at(0).low, at(1).low), std::min(at(0).high, at(1).high)};
    case Op::kAdd:
      return Wrapped({at(0).low + at(1).low, at(0).high + at(1).high});
    case Op::kSub:
      return Wrapped({at(0).low - at(1).high, at(0).high - at(1).low});
    default:
      return {};
  }
}

Range Ranges::OfStatement(const ir::Stmt& stmt) const {
  if (stmt.kind == ir::StmtKind::kReshape) return Of(stmt.operands[0]);
  if (stmt.kind != ir::StmtKind::kCompute) return {};
  const DType dtype = kernel_.tiles[stmt.results[0]].dtype;
  if (dtype == DType::kInt32) return OfWords(stmt);
  if (!IsFloating(dtype)) return {};
  const auto at = [&](size_t i) { return Of(stmt.operands[i]); };
  switch (stmt.op) {
    case Op::kTo: {
      const int* from = std::get_if<int>(&stmt.operands[0]);
      if (from == nullptr || !IsFloating(kernel_.tiles[*from].dtype)) return {};
      return Rounded(at(0).low, at(0).high);
    }
    case Op::kNegate:
      return {-at(0).high, -at(0).low};
    case Op::kAbs: {
      const Range x = at(0);
      const double most = std::max(std::fabs(x.low), std::fabs(x.high));
      return {std::max({0.0, x.low, -x.high}), most};
    }
    case Op::kMaximum:
      return {std::max(at(0).low, at(1).low), std::max(at(0).high, at(1).high)};
    case Op::kMinimum:
      return {std::min(at(0).low, at(1).low), std::min(at(0).high, at(1).high)};
    case Op::kAdd:
      return Rounded(at(0).low + at(1).low, at(0).high + at(1).high);
    case Op::kSub:
      return Rounded(at(0).low - at(1).high, at(0).high - at(1).low);
    case Op::kMul:
      if (stmt.operands.size() != 2) return {};
      if (IsSquare(stmt)) return {0, kInfinity};
      return Product(at(0), at(1));
    case Op::kDiv:
      if (at(0).low < 0 || at(1).low <= 0) return {};
      return {0, kInfinity};
    case Op::kSum:
      if (at(0).low < 0) return {};
      return {0, kInfinity};
    case Op::kMax:
    case Op::kMin:
      return at(0);
    case Op::kExp:
      return Rounded(std::exp(at(0).low), std::exp(at(0).high));
    case Op::kSqrt:
    case Op::kSoftplus:
      return {0, kInfinity};
    case Op::kSigmoid:
      return {0, 1};
    case Op::kTanh:
      return {-1, 1};
    default:
      return {};
  }
}

}  // namespace belay::crux::passes
