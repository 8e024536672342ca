// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_INTEGER_TEXT_H_
#define BELAY_CRUX_PRINT_INTEGER_TEXT_H_

// Integer expressions in C++, all of type int64_t, with as few parentheses as
// clang takes without a warning.

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "crux/ir/integer.h"
#include "crux/print/text.h"

namespace belay::crux::print {

// Functions and constants that a printed file defines because it uses them.
enum class Helper : uint8_t {
  kMin,
  kMax,
  kCeilDiv,
  kAlignUp,
  kFloorDiv,
  kFloorMod,
  kPowerIn,
  kFirstItem,
  kFirstItemLate,
  kInfinity,
  kNaN,
  kBitCast,
  kFromUnsigned,  // uint64_t to float
  kToUnsigned,    // float to uint64_t
  kSync,
  kTurn,
};

// Precedence of C++: what binds tighter is larger.
namespace precedence {
inline constexpr int kConditional = 1;
inline constexpr int kOr = 2;
inline constexpr int kAnd = 3;
inline constexpr int kBitOr = 4;
inline constexpr int kBitXor = 5;
inline constexpr int kBitAnd = 6;
inline constexpr int kEquality = 7;
inline constexpr int kRelation = 8;
inline constexpr int kShift = 9;
inline constexpr int kSum = 10;
inline constexpr int kProduct = 11;
inline constexpr int kUnary = 12;
inline constexpr int kPrimary = 13;
}  // namespace precedence

struct IntegerContext {
  // How a name is spelt.
  std::function<std::string(const std::string&)> spell;
  // Whether its value may be below zero.
  std::function<bool(const std::string&)> may_be_negative;
  // Whether a is never less than b; may be empty.
  std::function<bool(const ir::Int& a, const ir::Int& b)> at_least;
  // What FirstItem is told of items shared out evenly; may be empty: nothing.
  std::function<std::string()> late;
  bool host = false;  // std::min rather than a helper
  std::set<Helper>* helpers = nullptr;
};

// In parentheses where it binds less tightly than `least`.
std::string TextOf(const ir::Int& expr, const IntegerContext& context,
                   int least = 0);

// The first item of a core, or of the one behind it, as select/cores.cpp shares
// items out.
struct SharedItems {
  ir::Int items;
  bool next = false;
  std::optional<ir::Int> late;  // a host value: later cores get fewer

  static std::optional<SharedItems> Of(const ir::Int& expr);
};

bool MayBeNegative(const ir::Int& expr, const IntegerContext& context);

// The terms of a sum from left to right, equal ones counted: a + b + a is
// 2 * a + b.
struct CountedTerm {
  ir::Int value;
  int64_t times;
};
std::vector<CountedTerm> CountedTerms(const ir::Int& sum);

// Definitions of helpers; those of the device are marked __aicore__.
Text HelperDefinitions(const std::set<Helper>& helpers, bool host);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_INTEGER_TEXT_H_
