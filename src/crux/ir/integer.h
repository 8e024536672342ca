// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_INTEGER_H_
#define BELAY_CRUX_IR_INTEGER_H_

// Integers of a compiled kernel that are known when it runs: 64-bit
// expressions over names. One form serves the host (tiling) and the device.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

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

// A value; copying is cheap. Constants are folded and neutral elements dropped
// as it is made.
class Int {
 public:
  Int() : Int(0) {}
  Int(int64_t constant);  // NOLINT: a number is an integer
  static Int Name(std::string name);
  static Int Element(std::string array, Int index);
  static Int Of(IntKind kind, Int a, Int b);
  static Int Select(Int condition, Int a, Int b);
  static Int Not(Int a);

  IntKind kind() const { return node_->kind; }
  int64_t value() const { return node_->value; }           // kConstant
  const std::string& name() const { return node_->name; }  // kName, kElement
  const std::vector<Int>& args() const { return node_->args; }

  bool is_constant() const { return kind() == IntKind::kConstant; }
  bool Is(int64_t constant) const {
    return is_constant() && value() == constant;
  }

 private:
  struct Node {
    IntKind kind = IntKind::kConstant;
    int64_t value = 0;
    std::string name;
    std::vector<Int> args;
  };
  explicit Int(Node node);

  std::shared_ptr<const Node> node_;
};

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
bool Mentions(const Int& expr, std::string_view name);

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
