// SPDX-License-Identifier: Apache-2.0
#include "crux/ir/integer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace belay::crux::ir {
namespace {

constexpr uint64_t kHashFactor = 0x9e3779b97f4a7c15;

uint64_t Mixed(uint64_t hash, uint64_t more) {
  hash = (hash ^ more) * kHashFactor;
  return hash ^ hash >> 29;
}

int64_t FloorQuotient(int64_t a, int64_t b) {
  if (b == 0) throw UserError("[crux] a size is divided by zero");
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

// What a op b is when one of them makes the operation idle.
std::optional<Int> Idle(IntKind kind, const Int& a, const Int& b) {
  switch (kind) {
    case IntKind::kAdd:
      if (a.Is(0)) return b;
      if (b.Is(0)) return a;
      break;
    case IntKind::kSub:
      if (b.Is(0)) return a;
      if (Same(a, b)) return Int(0);
      // (x + y) - x
      if (a.kind() == IntKind::kAdd) {
        if (Same(a.args()[0], b)) return a.args()[1];
        if (Same(a.args()[1], b)) return a.args()[0];
      }
      break;
    case IntKind::kMul:
      if (a.Is(0) || b.Is(0)) return Int(0);
      if (a.Is(1)) return b;
      if (b.Is(1)) return a;
      break;
    case IntKind::kFloorDiv:
      if (a.kind() == IntKind::kAlignUp && !b.Is(0) && Same(a.args()[1], b)) {
        return CeilDiv(a.args()[0], b);
      }
      [[fallthrough]];
    case IntKind::kCeilDiv:
    case IntKind::kAlignUp:
      if (b.Is(1)) return a;
      if (a.Is(0) && !b.Is(0)) return Int(0);
      break;
    case IntKind::kMod:
      if (b.Is(1)) return Int(0);
      break;
    case IntKind::kMin:
    case IntKind::kMax:
      if (Same(a, b)) return a;
      break;
    case IntKind::kLess:
    case IntKind::kNotEqual:
      if (Same(a, b)) return Int(0);
      break;
    case IntKind::kLessEqual:
    case IntKind::kEqual:
      if (Same(a, b)) return Int(1);
      break;
    case IntKind::kAnd:
      if (a.Is(0) || b.Is(0)) return Int(0);
      if (a.Is(1)) return b;
      if (b.Is(1)) return a;
      break;
    case IntKind::kOr:
      if (a.Is(1) || b.Is(1)) return Int(1);
      if (a.Is(0)) return b;
      if (b.Is(0)) return a;
      break;
    default:
      break;
  }
  return std::nullopt;
}

bool IsCommutative(IntKind kind) {
  return kind == IntKind::kAdd || kind == IntKind::kMul ||
         kind == IntKind::kMin || kind == IntKind::kMax ||
         kind == IntKind::kEqual || kind == IntKind::kAnd ||
         kind == IntKind::kOr;
}

std::string_view Sign(IntKind kind) {
  switch (kind) {
    case IntKind::kAdd:
      return " + ";
    case IntKind::kSub:
      return " - ";
    case IntKind::kMul:
      return " * ";
    case IntKind::kFloorDiv:
      return " // ";
    case IntKind::kMod:
      return " % ";
    case IntKind::kLess:
      return " < ";
    case IntKind::kLessEqual:
      return " <= ";
    case IntKind::kEqual:
      return " == ";
    case IntKind::kNotEqual:
      return " != ";
    case IntKind::kAnd:
      return " and ";
    case IntKind::kOr:
      return " or ";
    default:
      return "";
  }
}

int Precedence(const Int& expr) {
  switch (expr.kind()) {
    case IntKind::kOr:
      return 1;
    case IntKind::kAnd:
      return 2;
    case IntKind::kLess:
    case IntKind::kLessEqual:
    case IntKind::kEqual:
    case IntKind::kNotEqual:
      return 3;
    case IntKind::kAdd:
    case IntKind::kSub:
      return 4;
    case IntKind::kMul:
    case IntKind::kFloorDiv:
    case IntKind::kMod:
      return 5;
    default:
      return 6;
  }
}

std::string Wrapped(const Int& expr, int least) {
  return Precedence(expr) < least ? "(" + ToText(expr) + ")" : ToText(expr);
}

}  // namespace

int64_t Apply(IntKind kind, int64_t a, int64_t b) {
  switch (kind) {
    case IntKind::kAdd:
      return a + b;
    case IntKind::kSub:
      return a - b;
    case IntKind::kMul:
      return a * b;
    case IntKind::kFloorDiv:
      return FloorQuotient(a, b);
    case IntKind::kCeilDiv:
      return -FloorQuotient(-a, b);
    case IntKind::kMod:
      return a - FloorQuotient(a, b) * b;
    case IntKind::kMin:
      return std::min(a, b);
    case IntKind::kMax:
      return std::max(a, b);
    case IntKind::kAlignUp:
      return -FloorQuotient(-a, b) * b;
    case IntKind::kLess:
      return a < b;
    case IntKind::kLessEqual:
      return a <= b;
    case IntKind::kEqual:
      return a == b;
    case IntKind::kNotEqual:
      return a != b;
    case IntKind::kAnd:
      return a != 0 && b != 0;
    case IntKind::kOr:
      return a != 0 || b != 0;
    default:
      throw InternalError("[crux] no operation of two integers");
  }
}

bool DividesByZero(IntKind kind, int64_t b) {
  return b == 0 && (kind == IntKind::kFloorDiv || kind == IntKind::kCeilDiv ||
                    kind == IntKind::kMod || kind == IntKind::kAlignUp);
}

void Int::Node::Describe(std::span<const Int> parts, uint64_t name_hash) {
  args = parts.data();
  count = static_cast<uint8_t>(parts.size());
  kind_bits = uint32_t{1} << static_cast<int>(kind);
  hash = static_cast<uint64_t>(kind) * kHashFactor;
  if (name_hash != 0) {
    hash = Mixed(hash, name_hash);
    name_bits = uint64_t{1} << (name_hash & 63);
  }
  const bool commutative = IsCommutative(kind);
  uint64_t sum = 0;
  for (const Int& part : parts) {
    name_bits |= part.name_bits();
    kind_bits |= part.node_ == nullptr ? 1 : part.node_->kind_bits;
    if (commutative) {
      sum += part.hash();
    } else {
      hash = Mixed(hash, part.hash());
    }
  }
  if (commutative) hash = Mixed(hash, sum);
}

Int::Named::Named(std::string&& own_name)
    : Node(IntKind::kName),
      name_hash(NameSet::HashOf(own_name)),
      name(std::move(own_name)) {
  Describe({}, name_hash);
}

Int::Named::Named(std::string&& own_name, Int&& own_index)
    : Node(IntKind::kElement),
      index(std::move(own_index)),
      name_hash(NameSet::HashOf(own_name)),
      name(std::move(own_name)) {
  Describe({&index, 1}, name_hash);
}

template <size_t arity>
struct Int::Operation : Node {
  template <typename... Ints>
  explicit Operation(IntKind own_kind, Ints&&... parts)
      : Node(own_kind), own{std::move(parts)...} {
    Describe(own, 0);
  }

  std::array<Int, arity> own;
};

Int Int::Owning(const Node* node) {
  Int made;
  made.node_ = node;
  return made;
}

void Int::Delete(const Node* node) {
  switch (node->kind) {
    case IntKind::kName:
    case IntKind::kElement:
      delete static_cast<const Named*>(node);
      break;
    case IntKind::kNot:
      delete static_cast<const Operation<1>*>(node);
      break;
    case IntKind::kSelect:
      delete static_cast<const Operation<3>*>(node);
      break;
    default:
      delete static_cast<const Operation<2>*>(node);
      break;
  }
}

uint64_t Int::hash() const {
  return node_ == nullptr ? Mixed(kHashFactor, static_cast<uint64_t>(value_))
                          : node_->hash;
}

Int Int::Name(std::string name) { return Owning(new Named(std::move(name))); }

Int Int::Element(std::string array, Int index) {
  return Owning(new Named(std::move(array), std::move(index)));
}

Int Int::Of(IntKind kind, Int a, Int b) {
  if (a.is_constant() && b.is_constant() && !DividesByZero(kind, b.value())) {
    return Int(Apply(kind, a.value(), b.value()));
  }
  if (auto idle = Idle(kind, a, b)) return *std::move(idle);
  // Constants of sums and products stand behind, and meet there.
  if ((kind == IntKind::kAdd || kind == IntKind::kMul) && a.is_constant()) {
    std::swap(a, b);
  }
  if ((kind == IntKind::kAdd || kind == IntKind::kMul) && b.is_constant() &&
      a.kind() == kind && a.args()[1].is_constant()) {
    return Of(kind, a.args()[0],
              Int(Apply(kind, a.args()[1].value(), b.value())));
  }
  // Of a choice between constants each becomes another one.
  if (a.kind() == IntKind::kSelect && a.args()[1].is_constant() &&
      a.args()[2].is_constant() && b.is_constant() &&
      !DividesByZero(kind, b.value())) {
    return Select(a.args()[0], Of(kind, a.args()[1], b),
                  Of(kind, a.args()[2], b));
  }
  return Owning(new Operation<2>(kind, std::move(a), std::move(b)));
}

Int Int::Select(Int condition, Int a, Int b) {
  if (condition.is_constant()) return condition.value() != 0 ? a : b;
  if (ir::Same(a, b)) return a;
  return Owning(new Operation<3>(IntKind::kSelect, std::move(condition),
                                 std::move(a), std::move(b)));
}

Int Int::Not(Int a) {
  if (a.is_constant()) return Int(a.value() == 0);
  return Owning(new Operation<1>(IntKind::kNot, std::move(a)));
}

Int operator+(const Int& a, const Int& b) {
  return Int::Of(IntKind::kAdd, a, b);
}
Int operator-(const Int& a, const Int& b) {
  return Int::Of(IntKind::kSub, a, b);
}
Int operator*(const Int& a, const Int& b) {
  return Int::Of(IntKind::kMul, a, b);
}
Int FloorDiv(const Int& a, const Int& b) {
  return Int::Of(IntKind::kFloorDiv, a, b);
}
Int CeilDiv(const Int& a, const Int& b) {
  return Int::Of(IntKind::kCeilDiv, a, b);
}
Int Mod(const Int& a, const Int& b) { return Int::Of(IntKind::kMod, a, b); }
Int Min(const Int& a, const Int& b) { return Int::Of(IntKind::kMin, a, b); }
Int Max(const Int& a, const Int& b) { return Int::Of(IntKind::kMax, a, b); }
Int AlignUp(const Int& a, const Int& b) {
  return Int::Of(IntKind::kAlignUp, a, b);
}
Int Less(const Int& a, const Int& b) { return Int::Of(IntKind::kLess, a, b); }

bool Same(const Int& a, const Int& b) {
  if (a.IsIdentical(b)) return true;
  if (a.kind() != b.kind() || a.hash() != b.hash()) return false;
  switch (a.kind()) {
    case IntKind::kConstant:
      return a.value() == b.value();
    case IntKind::kName:
      return a.name() == b.name();
    case IntKind::kElement:
      if (a.name() != b.name()) return false;
      break;
    default:
      break;
  }
  const auto left = a.args();
  const auto right = b.args();
  if (std::equal(left.begin(), left.end(), right.begin(), right.end(), Same)) {
    return true;
  }
  return IsCommutative(a.kind()) && Same(left[0], right[1]) &&
         Same(left[1], right[0]);
}

void CollectNames(const Int& expr, std::set<std::string>& names) {
  if (expr.name_bits() == 0) return;
  if (!expr.name().empty()) names.insert(expr.name());
  for (const Int& arg : expr.args()) CollectNames(arg, names);
}

void CollectNames(const Int& expr, NameSet& names) {
  if (expr.name_bits() == 0) return;
  if (!expr.name().empty()) names.insert(expr.name(), expr.name_hash());
  for (const Int& arg : expr.args()) CollectNames(arg, names);
}

bool Mentions(const Int& expr, std::string_view name) {
  const uint64_t bit = Int::BitOf(name);
  const auto inside = [&](const auto& self, const Int& part) -> bool {
    if ((part.name_bits() & bit) == 0) return false;
    if (part.name() == name) return true;
    const auto args = part.args();
    return std::any_of(args.begin(), args.end(),
                       [&](const Int& arg) { return self(self, arg); });
  };
  return inside(inside, expr);
}

Int WithArgs(const Int& expr, const std::array<Int, 3>& args) {
  switch (expr.kind()) {
    case IntKind::kElement:
      return Int::Element(expr.name(), args[0]);
    case IntKind::kNot:
      return Int::Not(args[0]);
    case IntKind::kSelect:
      return Int::Select(args[0], args[1], args[2]);
    default:
      return Int::Of(expr.kind(), args[0], args[1]);
  }
}

Int Substitute(
    const Int& expr,
    const std::function<std::optional<Int>(const std::string&)>& replace) {
  if (expr.name_bits() == 0) return expr;
  if (expr.kind() == IntKind::kName) {
    return replace(expr.name()).value_or(expr);
  }
  return MapArgs(expr,
                 [&](const Int& arg) { return Substitute(arg, replace); });
}

int64_t Evaluate(const Int& expr, const Lookup& lookup) {
  const auto arg = [&](size_t i) { return Evaluate(expr.args()[i], lookup); };
  switch (expr.kind()) {
    case IntKind::kConstant:
      return expr.value();
    case IntKind::kName:
      return lookup(expr.name(), -1);
    case IntKind::kElement:
      return lookup(expr.name(), arg(0));
    case IntKind::kNot:
      return arg(0) == 0;
    case IntKind::kSelect:
      return arg(0) != 0 ? arg(1) : arg(2);
    case IntKind::kAnd:
      return arg(0) != 0 && arg(1) != 0;
    case IntKind::kOr:
      return arg(0) != 0 || arg(1) != 0;
    default:
      return Apply(expr.kind(), arg(0), arg(1));
  }
}

std::string ToText(const Int& expr) {
  const auto call = [&](std::string_view name) {
    std::string text = fmt::format("{}(", name);
    for (size_t i = 0; i < expr.args().size(); ++i) {
      text += (i == 0 ? "" : ", ") + ToText(expr.args()[i]);
    }
    return text + ")";
  };
  switch (expr.kind()) {
    case IntKind::kConstant:
      return std::to_string(expr.value());
    case IntKind::kName:
      return expr.name();
    case IntKind::kElement:
      return fmt::format("{}[{}]", expr.name(), ToText(expr.args()[0]));
    case IntKind::kCeilDiv:
      return call("ceil_div");
    case IntKind::kMin:
      return call("min");
    case IntKind::kMax:
      return call("max");
    case IntKind::kAlignUp:
      return call("align_up");
    case IntKind::kNot:
      return call("not");
    case IntKind::kSelect:
      return call("select");
    default: {
      const int own = Precedence(expr);
      return Wrapped(expr.args()[0], own) + std::string(Sign(expr.kind())) +
             Wrapped(expr.args()[1], own + 1);
    }
  }
}

}  // namespace belay::crux::ir
