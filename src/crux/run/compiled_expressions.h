// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_COMPILED_EXPRESSIONS_H_
#define BELAY_CRUX_RUN_COMPILED_EXPRESSIONS_H_

// Integers and numbers of a kernel as the values that its printed text makes
// compiled code work out.

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "crux/print/class_facts.h"
#include "crux/print/integer_text.h"
#include "crux/run/compiled_values.h"

namespace belay::crux::run {

// A call that is not inlined, there and back: simple instructions.
inline constexpr uint32_t kCallWork = 3;

class CompiledExpressions {
 public:
  CompiledExpressions(const code::Kernel& kernel, CompiledValues& values);

  Value Of(const ir::Int& expr);
  Value Of(const code::Scalar& scalar);
  // As a condition: second operands of && and || are worked out if they matter.
  // `all`: what follows is reached when all of them are, and knows their
  // values, those since kept() among them.
  Value OfCondition(const ir::Int& expr, bool all);
  size_t kept() const { return kept_; }
  // Where code branches on a condition of several operands, if not where that
  // was asked for: behind the last operand, which is not always worked out.
  struct Branch {
    Site site = 0;
    ValueOp op = ValueOp::kBothTrue;  // or kEitherTrue: how the last is asked
  };
  std::optional<Branch> BranchOn(Value condition) const;
  // The place of an element is used.
  void UseOffset(const ir::Int& expr, DType dtype);
  // Cut to a type of less than 64 bits.
  Value Narrow(Value value, int bits);
  // A number made an element of the dtype.
  Value AsElement(const code::Scalar& scalar, DType dtype);

  // Variables; those of another function are not seen.
  using Names = std::map<std::string, Value, std::less<>>;
  Names& names() { return names_; }

  DType DtypeOfLocal(const std::string& name) const {
    return facts_.DtypeOf(name);
  }
  DType DtypeOfGlobal(const std::string& name) const {
    return facts_.globals.at(name);
  }

  // Sites of operands that are not always worked out, as in CompiledWork. Those
  // of integers are of the condition that was asked for last.
  const std::map<const void*, Site>& seconds() const { return seconds_; }
  const std::map<const void*, Site>& second_integers() const {
    return second_integers_;
  }

 private:
  using Class = CompiledValues::Class;

  Value Name(const std::string& name);
  int32_t NumberOf(const std::string& name);
  bool MayBeNegative(const ir::Int& expr) const {
    return print::MayBeNegative(expr, context_);
  }
  Value FirstItem(const print::SharedItems& shared);
  Value Sum(const ir::Int& expr);
  Value Product(Value left, const ir::Int& right);
  Value Extreme(const ir::Int& expr);
  Value CeilDiv(const ir::Int& a, const ir::Int& b);
  Value FloorDiv(Value a, Value b);
  Value FloorMod(Value a, Value b);
  Value IsCorrected(Value a, Value b);

  // a op b, where `second` makes b; notes the site where it is not always
  // worked out.
  template <typename Second>
  Value Shortcut(ValueOp op, Value a, Second second,
                 std::map<const void*, Site>& sites, const void* which);
  Value Condition(const ir::Int& expr);

  Value Choice(const code::Scalar& scalar);
  Value Unary(const code::Scalar& scalar);
  Value BinaryOf(const code::Scalar& scalar);
  Value CompareFloats(const std::string& op, Value a, Value b);
  Value DivideWhole(const code::Scalar& scalar, Value a, Value b);
  bool ChoosesConstants(Value value) const;
  Value Cast(Value value, DType from, DType to);
  std::optional<Value> InNarrow(Value value, DType dtype, int depth);
  Value Element(DType dtype);
  Value Widen(Value value, DType dtype);

  CompiledValues& values_;
  print::ClassFacts facts_;
  print::IntegerContext context_;
  Names names_;
  std::map<std::string, int32_t, std::less<>> fields_;
  std::map<const void*, Site> seconds_;
  std::map<const void*, Site> second_integers_;
  std::map<Value, Branch> branches_;  // truths known by where the code is
  bool keeps_ = false;
  size_t kept_ = 0;
};

template <typename Second>
Value CompiledExpressions::Shortcut(ValueOp op, Value a, Second second,
                                    std::map<const void*, Site>& sites,
                                    const void* which) {
  if (const auto known = values_.ConstantOf(a)) {
    return (*known != 0) == (op == ValueOp::kEitherTrue) ? a : second();
  }
  const Site here = values_.site();
  const Site inside = values_.NewSite();
  const size_t mark = values_.Mark();
  const size_t first = values_.count();
  const int64_t generation = values_.generation();
  const size_t noted = seconds_.size() + second_integers_.size();
  values_.Enter(inside);
  const Value b = second();
  values_.Enter(here);
  const std::optional<Branch> branch = BranchOn(a);
  const Site asked = branch ? branch->site : here;
  const bool plain = (!branch || branch->op == op) &&
                     noted == seconds_.size() + second_integers_.size() &&
                     generation == values_.generation();
  if (plain && values_.IsCheapSince(first)) {
    values_.Move(first, asked);
    values_.Enter(asked);
    const Value both = values_.Binary(op, a, b);
    values_.Enter(here);
    if (branch) branches_[both] = *branch;
    return both;
  }
  // The branch behind the first one is where that was worked out last.
  values_.Use(a);
  values_.Enter(asked);
  values_.Spend(Class::kSimple);
  values_.Enter(here);
  values_.Use(b);
  if (keeps_) {
    kept_ = std::min(kept_, mark);
  } else {
    values_.Return(mark);
    values_.ForgetLoads();
  }
  sites.emplace(which, inside);
  const Value all =
      values_.Make(ValueOp::kNot, Class::kSimple, 0, values_.Opaque());
  const std::optional<Branch> last = BranchOn(b);
  branches_[all] = {last ? last->site : inside, op};
  return all;
}

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_COMPILED_EXPRESSIONS_H_
