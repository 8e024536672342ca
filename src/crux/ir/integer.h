// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_INTEGER_H_
#define BELAY_CRUX_IR_INTEGER_H_

// Integers of a compiled kernel that are known when it runs: 64-bit
// expressions over names. One form serves the host (tiling) and the device.

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

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
// Constants are folded and neutral elements dropped as it is made. Threads may
// share what copies are made of. One that was moved from is a constant.
class Int {
 public:
  Int() = default;
  Int(int64_t constant) : value_(constant) {}  // NOLINT: a number is an integer
  Int(const Int& other) noexcept;
  Int(Int&& other) noexcept
      : node_(std::exchange(other.node_, nullptr)), value_(other.value_) {}
  Int& operator=(Int other) noexcept {
    std::swap(node_, other.node_);
    value_ = other.value_;
    return *this;
  }
  ~Int();

  static Int Name(std::string name);
  static Int Element(std::string array, Int index);
  static Int Of(IntKind kind, Int a, Int b);
  static Int Select(Int condition, Int a, Int b);
  static Int Not(Int a);

  IntKind kind() const;
  int64_t value() const { return value_; }  // kConstant
  bool has_name() const;                    // kName, kElement
  const std::string& name() const;          // empty if it has none
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
  const void* identity() const { return node_; }
  // Same, seen without looking at what it is made of.
  bool IsIdentical(const Int& other) const {
    return node_ == other.node_ && value_ == other.value_;
  }

 private:
  struct Node;
  struct Named;
  template <size_t count>
  struct Operation;

  static Int Owning(const Node* node);  // that has no other owner
  static void Delete(const Node* node);

  const Node* node_ = nullptr;  // null: a constant
  int64_t value_ = 0;
};

// What an integer is if it is no constant: Named, or an Operation. They are
// small, and there are thousands in a kernel.
struct Int::Node {
  explicit Node(IntKind own_kind) : kind(own_kind) {}
  // All but its kind, by its parts.
  void Describe(std::span<const Int> parts, uint64_t name_hash);

  mutable std::atomic<uint32_t> owners = 1;
  uint32_t kind_bits = 0;  // of it and of its parts
  uint64_t hash = 0;
  uint64_t name_bits = 0;
  const Int* args = nullptr;
  IntKind kind;
  uint8_t count = 0;  // of args
};

struct Int::Named : Node {
  explicit Named(std::string&& own_name);          // kName
  Named(std::string&& own_name, Int&& own_index);  // kElement

  Int index;
  uint64_t name_hash;
  std::string name;
};

inline Int::Int(const Int& other) noexcept
    : node_(other.node_), value_(other.value_) {
  if (node_ != nullptr) {
    node_->owners.fetch_add(1, std::memory_order_relaxed);
  }
}
inline Int::~Int() {
  if (node_ == nullptr) return;
  // The only owner need not count.
  if (node_->owners.load(std::memory_order_acquire) == 1 ||
      node_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    Delete(node_);
  }
}

inline IntKind Int::kind() const {
  return node_ == nullptr ? IntKind::kConstant : node_->kind;
}
inline std::span<const Int> Int::args() const {
  if (node_ == nullptr) return {};
  return {node_->args, node_->count};
}
inline bool Int::has_name() const {
  return kind() == IntKind::kName || kind() == IntKind::kElement;
}
inline const std::string kNoName;
inline const std::string& Int::name() const {
  return has_name() ? static_cast<const Named*>(node_)->name : kNoName;
}
inline bool Int::Has(IntKind kind) const {
  return node_ == nullptr
             ? kind == IntKind::kConstant
             : (node_->kind_bits >> static_cast<int>(kind) & 1) != 0;
}
inline uint64_t Int::name_hash() const {
  return has_name() ? static_cast<const Named*>(node_)->name_hash : 0;
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
