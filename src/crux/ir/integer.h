// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_INTEGER_H_
#define BELAY_CRUX_IR_INTEGER_H_

// Integers of a compiled kernel that are known when it runs: 64-bit
// expressions over names. One form serves the host (tiling) and the device.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "crux/ir/name_set.h"

namespace belay::crux::ir {

enum class IntKind : uint8_t {
  kConstant,
  kName,     // a host integer, a loop variable, or a value read on the device
  kElement,  // name[a]: an array of the host
  kAdd,
  kSub,
  kMul,
  kFloorDiv,  // rounded down
  kCeilDiv,   // rounded up
  kMod,       // of kFloorDiv
  kMin,
  kMax,
  kAlignUp,  // a up to the next multiple of b
  kSelect,   // a ? b : c
  kLess,     // comparisons give 0 or 1
  kLessEqual,
  kEqual,
  kNotEqual,
  kAnd,  // of 0 and 1
  kOr,
  kNot,
};

// A value; copying is cheap, and a constant is held without any allocation.
// Constants are folded and neutral elements dropped as it is made.
class Int {
 public:
  Int() = default;
  Int(int64_t constant) : value_(constant) {}  // NOLINT: a number is an integer
  static Int Name(std::string name);
  static Int Element(std::string array, Int index);
  static Int Of(IntKind kind, Int a, Int b);
  static Int Select(Int condition, Int a, Int b);
  static Int Not(Int a);

  IntKind kind() const;
  int64_t value() const { return value_; }  // kConstant
  const std::string& name() const;          // kName, kElement
  uint64_t name_hash() const;               // NameSet::HashOf the name
  std::span<const Int> args() const;

  bool is_constant() const { return node_ == nullptr; }
  bool Is(int64_t constant) const {
    return is_constant() && value_ == constant;
  }

  // Equal for integers that are the Same.
  uint64_t hash() const;
  // A set bit for each name in it, by the name's hash: what has not all bits of
  // a name does not mention it.
  uint64_t name_bits() const;
  static uint64_t BitOf(std::string_view name) {
    return uint64_t{1} << (NameSet::HashOf(name) & 63);
  }
  // Whether it, or a part of it, is of that kind.
  bool Has(IntKind kind) const;
  // One object, which copies share; null for constants.
  const void* identity() const { return node_.get(); }
  // Same, seen without looking at what it is made of.
  bool IsIdentical(const Int& other) const {
    return node_ == other.node_ && value_ == other.value_;
  }

 private:
  struct Node;
  static Int Of(IntKind kind, std::string&& name, uint8_t count, Int&& a,
                Int&& b, Int&& c);

  std::shared_ptr<const Node> node_;  // null: a constant
  int64_t value_ = 0;
};

struct Int::Node {
  Node(IntKind own_kind, std::string&& own_name, uint8_t own_count, Int&& a,
       Int&& b, Int&& c);

  IntKind kind;
  uint8_t count;       // of args
  uint32_t kind_bits;  // of it and of its parts
  uint64_t hash;
  uint64_t name_bits;
  uint64_t name_hash;
  std::string name;
  std::array<Int, 3> args;
};

inline IntKind Int::kind() const {
  return node_ == nullptr ? IntKind::kConstant : node_->kind;
}
inline std::span<const Int> Int::args() const {
  if (node_ == nullptr) return {};
  return {node_->args.data(), node_->count};
}
inline const std::string& Int::name() const {
  static const std::string kNone;
  return node_ == nullptr ? kNone : node_->name;
}
inline bool Int::Has(IntKind kind) const {
  return node_ == nullptr
             ? kind == IntKind::kConstant
             : (node_->kind_bits >> static_cast<int>(kind) & 1) != 0;
}
inline uint64_t Int::name_hash() const {
  return node_ == nullptr ? 0 : node_->name_hash;
}
inline uint64_t Int::name_bits() const {
  return node_ == nullptr ? 0 : node_->name_bits;
}

Int operator+(const Int& a, const Int& b);
Int operator-(const Int& a, const Int& b);
Int operator*(const Int& a, const Int& b);
Int FloorDiv(const Int& a, const Int& b);
Int CeilDiv(const Int& a, const Int& b);
Int Mod(const Int& a, const Int& b);
Int Min(const Int& a, const Int& b);
Int Max(const Int& a, const Int& b);
Int AlignUp(const Int& a, const Int& b);
Int Less(const Int& a, const Int& b);

// Same expression. Sums and products are compared in one order, so that a + b
// is b + a; nothing else is worked out.
bool Same(const Int& a, const Int& b);

// Names in it, arrays included.
void CollectNames(const Int& expr, std::set<std::string>& names);
void CollectNames(const Int& expr, NameSet& names);
bool Mentions(const Int& expr, std::string_view name);

// The same operation of other arguments, as many as it has.
Int WithArgs(const Int& expr, const std::array<Int, 3>& args);

// With map(argument) for each of its own arguments, first to last; the same
// object where none changes.
template <typename Map>
Int MapArgs(const Int& expr, const Map& map) {
  std::array<Int, 3> args;
  bool changed = false;
  for (size_t i = 0; i < expr.args().size(); ++i) {
    args[i] = map(expr.args()[i]);
    changed = changed || !args[i].IsIdentical(expr.args()[i]);
  }
  return changed ? WithArgs(expr, args) : expr;
}

// Each name for which `replace` gives something, replaced.
Int Substitute(
    const Int& expr,
    const std::function<std::optional<Int>(const std::string&)>& replace);

// What a name is worth; arrays: with an index.
using Lookup = std::function<int64_t(const std::string& name, int64_t index)>;

// `a kind b` of the operations of two integers.
int64_t Apply(IntKind kind, int64_t a, int64_t b);
// Whether that divides by zero: Apply then throws UserError.
bool DividesByZero(IntKind kind, int64_t b);

// Throws UserError when a division is by zero. `lookup` gets index -1 for
// plain names.
int64_t Evaluate(const Int& expr, const Lookup& lookup);

// "min(tile, N - c)": for dumps and tests.
std::string ToText(const Int& expr);

}  // namespace belay::crux::ir

#endif  // BELAY_CRUX_IR_INTEGER_H_
