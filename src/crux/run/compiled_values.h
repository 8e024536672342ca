// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_COMPILED_VALUES_H_
#define BELAY_CRUX_RUN_COMPILED_VALUES_H_

// The values that compiled code works out: each once where it is known
// already, none that nobody uses, constants never. As the toolchain's
// optimiser leaves them: it numbers values along dominating code, folds, and
// drops what is dead, but moves nothing out of loops.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "belay/scalar_work.h"
#include "crux/run/program.h"

namespace belay::crux::run {

// What a value is the result of.
enum class ValueOp : uint8_t {
  kConstant,  // number: its value
  kReal,      // number: the bits of a double
  kOpaque,    // of a call, a loop's variable, …: equal to itself only
  kLoad,      // args[0]: the pointer; number: which field; of one generation
  kAdd,
  kSub,
  kMul,
  kDivide,
  kRemainder,
  kShiftLeft,
  kShiftRight,
  kAnd,
  kOr,
  kXor,
  kMin,
  kMax,
  kLess,
  kLessEqual,
  kEqual,
  kNotEqual,
  kBothTrue,
  kEitherTrue,
  kNot,
  kSelect,
  kWiden,       // a truth value to an integer, a 16-bit float to float
  kConvert,     // number: which conversion
  kExtend,      // the same, of an integer without a sign to a wider one
  kExtendSign,  // and of one with a sign
  kFloat,       // arithmetic of floats; number: which
};

using Value = int32_t;
using Site = int32_t;

inline bool IsPowerOfTwo(int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

class CompiledValues {
 public:
  using Class = abi::ScalarClass;

  CompiledValues();

  // A place that work is spent at; that of values made from here on.
  Site NewSite();
  void Enter(Site site) { site_ = site; }
  Site site() const { return site_; }

  Value Constant(int64_t value);
  Value Real(double value);
  Value Opaque();
  // A member of the tiling data, through the class's pointer to it.
  Value Field(int32_t number);
  // An element of an array in it.
  Value FieldElement(int32_t number, Value index);

  // Of integers of 64 bits, folded as InstCombine does.
  Value Binary(ValueOp op, Value a, Value b);
  // C++'s / and %; has_sign: of integers that may be negative.
  Value Divide(Value a, Value b, bool has_sign = true) {
    return Quotient(ValueOp::kDivide, a, b, has_sign);
  }
  Value Remainder(Value a, Value b, bool has_sign = true) {
    return Quotient(ValueOp::kRemainder, a, b, has_sign);
  }
  Value Select(Value condition, Value a, Value b);
  Value Not(Value a);
  // Any other value of `count` instructions of that class.
  Value Make(ValueOp op, Class which, uint32_t count, Value a, Value b = -1,
             int64_t number = 0);

  // The sum of two values made since there were `mark`: a * c + b * c is (a +
  // b) * c.
  Value Sum(Value a, Value b, size_t mark);

  std::optional<int64_t> ConstantOf(Value value) const;
  ValueOp OpOf(Value value) const { return At(value).op; }
  int64_t NumberOf(Value value) const { return At(value).number; }
  Value ArgOf(Value value, int which) const {
    return At(value).args[static_cast<size_t>(which)];
  }
  bool IsTruth(Value value) const;
  // Truth values widened.
  Value AsInteger(Value value);

  // Work that is always done there.
  void Spend(Class which, uint32_t count = 1);
  // Something is done with the value.
  void Use(Value value) { roots_.push_back(value); }
  // It is where an element of so many bytes lies: constants that it is a
  // multiple of, or one of its terms that nobody else needs, are one with
  // these.
  void UseAsOffset(Value value, size_t bytes);

  // Where code is reached only if the condition does not hold, and from where
  // it may be reached otherwise.
  void Rule(Value condition);
  void Unrule(Value condition);
  // Code is reached only if the comparison holds.
  void Hold(Value comparison) { held_.insert(comparison); }

  // What was loaded must be loaded again from here on.
  void ForgetLoads() { generation_ = ++last_generation_; }
  int64_t generation() const { return generation_; }
  void Recall(int64_t generation) { generation_ = generation; }

  size_t count() const { return nodes_.size(); }
  // Divisors that were tested: code goes on in another basic block.
  size_t tests() const { return tests_; }

  // Whether what was made since there were `first` values may be worked out
  // where it is not needed: no loads, no divisions, at most two instructions.
  bool IsCheapSince(size_t first) const;
  // What was made since then is worked out at the site.
  void Move(size_t first, Site site);

  // Values made since Mark() are not known behind Return(): the code they are
  // made in does not dominate what follows.
  size_t Mark() const { return made_.size(); }
  void Return(size_t mark);

  // Work of each site, of values that are used.
  std::vector<Work> Finish();

 private:
  using Key = std::array<int64_t, 6>;
  struct Node {
    ValueOp op = ValueOp::kOpaque;
    int64_t number = 0;
    std::array<Value, 3> args = {-1, -1, -1};
    Class which = Class::kSimple;
    uint32_t count = 0;
    uint32_t simple = 0;  // and so many simple ones
    Site site = 0;
  };

  const Node& At(Value value) const {
    return nodes_[static_cast<size_t>(value)];
  }
  Value Known(const Node& node, int64_t generation);
  // Whether something is done with them, or with what they make.
  std::vector<bool> Used() const;
  void DropScales(const std::vector<bool>& used);
  // Seen easily.
  bool IsPositive(Value value) const;
  bool IsEven(Value value) const;
  bool IsNonNegative(Value value) const;
  // Both as they were before they were made wider: what is compared, and
  // numbers without a sign that are divided.
  bool Narrowed(Value& a, Value& b) const;
  Value Quotient(ValueOp op, Value a, Value b, bool has_sign);
  // Of a value that is a multiple of a constant.
  std::optional<Value> OfMultiple(ValueOp op, Value a, int64_t divisor);
  // A division that is not tested for 0.
  Value PlainQuotient(ValueOp op, Value a, Value b, bool has_sign);
  std::optional<Value> Fold(ValueOp op, Value a, Value b);
  // Of a value and the same one with a constant added.
  std::optional<Value> CompareWithOwn(ValueOp op, Value a, Value b);

  std::vector<Node> nodes_;
  std::map<Key, Value> known_;
  std::vector<Key> made_;
  std::vector<Value> roots_;
  std::set<std::pair<Value, size_t>> offsets_;
  std::set<Value> factored_;  // terms that others were added to later
  std::set<Value> bounded_;   // by 0 and a constant
  std::vector<std::array<uint64_t, abi::kScalarClasses + 1>> spent_;
  std::map<Value, Value> divisors_;             // tested for zero: the test
  std::set<Value> held_;                        // comparisons
  std::set<std::pair<Value, int64_t>> differ_;  // values and what they are not
  size_t tests_ = 0;
  Site site_ = 0;
  int64_t generation_ = 0;
  int64_t last_generation_ = 0;
};

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_COMPILED_VALUES_H_
