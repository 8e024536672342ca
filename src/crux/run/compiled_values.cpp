// SPDX-License-Identifier: Apache-2.0
#include "crux/run/compiled_values.h"

#include <algorithm>
#include <bit>

#include "crux/ir/integer.h"

namespace belay::crux::run {
namespace {

bool Commutes(ValueOp op) {
  switch (op) {
    case ValueOp::kAdd:
    case ValueOp::kMul:
    case ValueOp::kAnd:
    case ValueOp::kOr:
    case ValueOp::kXor:
    case ValueOp::kMin:
    case ValueOp::kMax:
    case ValueOp::kEqual:
    case ValueOp::kNotEqual:
    case ValueOp::kBothTrue:
    case ValueOp::kEitherTrue:
      return true;
    default:
      return false;
  }
}

bool Compares(ValueOp op) {
  switch (op) {
    case ValueOp::kLess:
    case ValueOp::kLessEqual:
    case ValueOp::kEqual:
    case ValueOp::kNotEqual:
      return true;
    default:
      return false;
  }
}

int64_t Work64(ValueOp op, int64_t a, int64_t b) {
  const auto ua = static_cast<uint64_t>(a);
  const auto ub = static_cast<uint64_t>(b);
  switch (op) {
    case ValueOp::kAdd:
      return static_cast<int64_t>(ua + ub);
    case ValueOp::kSub:
      return static_cast<int64_t>(ua - ub);
    case ValueOp::kMul:
      return static_cast<int64_t>(ua * ub);
    case ValueOp::kShiftLeft:
      return static_cast<int64_t>(ua << (ub & 63));
    case ValueOp::kShiftRight:
      return a >> (ub & 63);
    case ValueOp::kAnd:
      return a & b;
    case ValueOp::kOr:
      return a | b;
    case ValueOp::kXor:
      return a ^ b;
    case ValueOp::kMin:
      return std::min(a, b);
    case ValueOp::kMax:
      return std::max(a, b);
    case ValueOp::kLess:
      return a < b;
    case ValueOp::kLessEqual:
      return a <= b;
    case ValueOp::kEqual:
      return a == b;
    case ValueOp::kNotEqual:
      return a != b;
    case ValueOp::kBothTrue:
      return a != 0 && b != 0;
    default:
      return a != 0 || b != 0;
  }
}

}  // namespace

CompiledValues::CompiledValues() {
  NewSite();
  nodes_.emplace_back();  // the pointer to the class's members
}

Site CompiledValues::NewSite() {
  spent_.emplace_back();
  return static_cast<Site>(spent_.size() - 1);
}

Value CompiledValues::Known(const Node& node, int64_t generation) {
  Key key = {static_cast<int64_t>(node.op),
             node.number,
             node.args[0],
             node.args[1],
             node.args[2],
             generation};
  if (Commutes(node.op) && key[2] > key[3]) std::swap(key[2], key[3]);
  const auto [found, added] =
      known_.emplace(key, static_cast<Value>(nodes_.size()));
  if (!added) return found->second;
  made_.push_back(key);
  nodes_.push_back(node);
  nodes_.back().site = site_;
  return found->second;
}

Value CompiledValues::Constant(int64_t value) {
  Node node;
  node.op = ValueOp::kConstant;
  node.number = value;
  return Known(node, 0);
}

Value CompiledValues::Real(double value) {
  Node node;
  node.op = ValueOp::kReal;
  node.number = std::bit_cast<int64_t>(value);
  return Known(node, 0);
}

Value CompiledValues::Opaque() {
  nodes_.emplace_back();
  return static_cast<Value>(nodes_.size() - 1);
}

Value CompiledValues::Field(int32_t number) {
  return FieldElement(number, Constant(0));
}

Value CompiledValues::FieldElement(int32_t number, Value index) {
  Node pointer;
  pointer.op = ValueOp::kLoad;
  pointer.number = -1;
  pointer.args[0] = 0;
  pointer.which = Class::kStackLoad;
  pointer.count = 1;
  Node load = pointer;
  load.args[0] = Known(pointer, generation_);
  load.args[1] = index;
  load.number = number;
  load.simple = ConstantOf(index) ? 0 : 1;
  return Known(load, generation_);
}

std::optional<int64_t> CompiledValues::ConstantOf(Value value) const {
  const Node& node = At(value);
  if (node.op != ValueOp::kConstant) return std::nullopt;
  return node.number;
}

bool CompiledValues::IsTruth(Value value) const {
  switch (OpOf(value)) {
    case ValueOp::kLess:
    case ValueOp::kLessEqual:
    case ValueOp::kEqual:
    case ValueOp::kNotEqual:
    case ValueOp::kBothTrue:
    case ValueOp::kEitherTrue:
    case ValueOp::kNot:
      return true;
    default:
      return false;
  }
}

Value CompiledValues::AsInteger(Value value) {
  return IsTruth(value) ? Make(ValueOp::kWiden, Class::kSimple, 1, value)
                        : value;
}

std::optional<Value> CompiledValues::Fold(ValueOp op, Value a, Value b) {
  const auto right = ConstantOf(b);
  if (const auto left = ConstantOf(a); left && right) {
    return Constant(Work64(op, *left, *right));
  }
  if (!right) return std::nullopt;
  switch (op) {
    case ValueOp::kAdd:
    case ValueOp::kSub:
    case ValueOp::kOr:
    case ValueOp::kXor:
    case ValueOp::kShiftLeft:
    case ValueOp::kShiftRight:
      if (*right == 0) return a;
      break;
    case ValueOp::kMul:
      if (*right == 1) return a;
      if (*right == 0) return b;
      break;
    case ValueOp::kAnd:
      if (*right == 0) return b;
      if (*right == -1) return a;
      break;
    case ValueOp::kBothTrue:
      return *right == 0 ? b : a;
    case ValueOp::kEitherTrue:
      return *right == 0 ? a : b;
    default:
      return std::nullopt;
  }
  // (x + 3) * 4 is x * 4 + 12.
  if (op == ValueOp::kMul && OpOf(a) == ValueOp::kAdd &&
      ConstantOf(ArgOf(a, 1))) {
    return Binary(ValueOp::kAdd, Binary(op, ArgOf(a, 0), b),
                  Constant(Work64(op, NumberOf(ArgOf(a, 1)), *right)));
  }
  // (x + 3) + 4, (x * 3) * 4.
  const bool same = OpOf(a) == op &&
                    (op == ValueOp::kAdd || op == ValueOp::kMul) &&
                    ConstantOf(ArgOf(a, 1));
  if (!same) return std::nullopt;
  return Binary(op, ArgOf(a, 0),
                Constant(Work64(op, NumberOf(ArgOf(a, 1)), *right)));
}

Value CompiledValues::Binary(ValueOp op, Value a, Value b) {
  if (Commutes(op) && ConstantOf(a)) std::swap(a, b);
  if (const auto folded = Fold(op, a, b)) return *folded;
  if (op == ValueOp::kSub && ConstantOf(b)) {
    return Binary(ValueOp::kAdd, a, Constant(-NumberOf(b)));
  }
  if (a == b && (op == ValueOp::kMin || op == ValueOp::kMax)) return a;
  if (Compares(op)) Narrowed(a, b);
  if (const auto own = CompareWithOwn(op, a, b)) return *own;
  const auto right = ConstantOf(b);
  // What a remainder of a power of two is compared with 0 by is a mask.
  const bool compares = op == ValueOp::kEqual || op == ValueOp::kNotEqual;
  if (compares && right == 0 && OpOf(a) == ValueOp::kRemainder &&
      IsPowerOfTwo(ConstantOf(ArgOf(a, 1)).value_or(0))) {
    a = Make(ValueOp::kAnd, Class::kSimple, 1, ArgOf(a, 0),
             Constant(NumberOf(ArgOf(a, 1)) - 1));
  }
  // 0 <= x && x < 6 is one comparison of numbers without a sign.
  if (op == ValueOp::kBothTrue && OpOf(a) == ValueOp::kLessEqual &&
      OpOf(b) == ValueOp::kLess && ConstantOf(ArgOf(a, 0)) == 0 &&
      ArgOf(a, 1) == ArgOf(b, 0) && ConstantOf(ArgOf(b, 1))) {
    return Make(ValueOp::kLess, Class::kSimple, 1, ArgOf(b, 0), ArgOf(b, 1), 1);
  }
  const bool multiplies =
      op == ValueOp::kMul && !(right && IsPowerOfTwo(*right));
  const Value made =
      Make(op, multiplies ? Class::kMultiply : Class::kSimple, 1, a, b);
  return held_.contains(made) ? Constant(1) : made;
}

// x - 1 < x is x > the least number: sums wrap.
std::optional<Value> CompiledValues::CompareWithOwn(ValueOp op, Value a,
                                                    Value b) {
  if (op != ValueOp::kLess && op != ValueOp::kLessEqual) return std::nullopt;
  for (const auto& [more, own] : {std::pair(a, b), std::pair(b, a)}) {
    if (OpOf(more) != ValueOp::kAdd || ArgOf(more, 0) != own) continue;
    if (!ConstantOf(ArgOf(more, 1))) continue;
    return Make(ValueOp::kLess, Class::kSimple, 1, own, ArgOf(more, 1),
                more == a ? 2 : 3);
  }
  return std::nullopt;
}

bool CompiledValues::IsCheapSince(size_t first) const {
  uint32_t all = 0;
  for (size_t i = first; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.which == Class::kStackLoad || node.which == Class::kDivide) {
      return false;
    }
    all += (node.count > 0 ? 1 : 0) + node.simple;
  }
  return all <= 2;
}

void CompiledValues::Move(size_t first, Site site) {
  for (size_t i = first; i < nodes_.size(); ++i) nodes_[i].site = site;
}

// Made wider once it is a number of bytes, where it surely fits.
void CompiledValues::UseAsOffset(Value value, size_t bytes) {
  if (bytes == 1) return Use(value);
  if (OpOf(value) == ValueOp::kExtendSign &&
      bounded_.contains(ArgOf(value, 0))) {
    return Use(ArgOf(value, 0));
  }
  offsets_.emplace(value, bytes);
}

Value CompiledValues::Select(Value condition, Value a, Value b) {
  if (const auto known = ConstantOf(condition)) return *known != 0 ? a : b;
  if (a == b) return a;
  // A truth that was made a number is a truth; other numbers are compared.
  if (OpOf(condition) == ValueOp::kWiden) condition = ArgOf(condition, 0);
  if (!IsTruth(condition)) {
    condition = Binary(ValueOp::kNotEqual, condition, Constant(0));
  }
  if (IsTruth(condition) && ConstantOf(a) == 1 && ConstantOf(b) == 0) {
    return AsInteger(condition);
  }
  // x < y ? x : y
  if (OpOf(condition) == ValueOp::kLess && NumberOf(condition) == 0) {
    const Value x = ArgOf(condition, 0);
    const Value y = ArgOf(condition, 1);
    if (a == x && b == y) return Binary(ValueOp::kMin, x, y);
    if (a == y && b == x) return Binary(ValueOp::kMax, x, y);
  }
  Node node;
  node.op = ValueOp::kSelect;
  node.args = {condition, a, b};
  node.count = 1;
  return Known(node, 0);
}

Value CompiledValues::Sum(Value a, Value b, size_t mark) {
  // x * 16 + (y * 16 + 4) is (x + y) * 16 + 4.
  const auto power = [&](Value value) -> int64_t {
    if (OpOf(value) != ValueOp::kMul) return 0;
    const int64_t factor = ConstantOf(ArgOf(value, 1)).value_or(0);
    return IsPowerOfTwo(factor) ? factor : 0;
  };
  for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)}) {
    if (OpOf(other) == ValueOp::kAdd && ConstantOf(ArgOf(other, 1)) &&
        power(one) != 0 && power(one) == power(ArgOf(other, 0))) {
      return Binary(ValueOp::kAdd, Sum(one, ArgOf(other, 0), mark),
                    ArgOf(other, 1));
    }
  }
  const auto is_product = [&](Value value) {
    return OpOf(value) == ValueOp::kMul &&
           (ConstantOf(ArgOf(value, 1)) || static_cast<size_t>(value) >= mark);
  };
  if (a != b && is_product(a) && is_product(b)) {
    for (const int i : {0, 1}) {
      for (const int j : {0, 1}) {
        if (ArgOf(a, i) != ArgOf(b, j)) continue;
        for (const Value term : {a, b}) {
          if (static_cast<size_t>(term) < mark) factored_.insert(term);
        }
        const Value both = Sum(ArgOf(a, 1 - i), ArgOf(b, 1 - j), mark);
        return Binary(ValueOp::kMul, both, ArgOf(a, i));
      }
    }
  }
  // x * y + y
  for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)}) {
    if (!is_product(one) || ConstantOf(other)) continue;
    for (const int i : {0, 1}) {
      if (ArgOf(one, i) != other) continue;
      const Value more = Binary(ValueOp::kAdd, ArgOf(one, 1 - i), Constant(1));
      return Binary(ValueOp::kMul, more, other);
    }
  }
  return Binary(ValueOp::kAdd, a, b);
}

// The opposite of a comparison is a comparison.
Value CompiledValues::Not(Value a) {
  if (const auto known = ConstantOf(a)) return Constant(*known == 0);
  return Make(ValueOp::kNot, Class::kSimple, IsTruth(a) ? 0 : 1, a);
}

Value CompiledValues::Make(ValueOp op, Class which, uint32_t count, Value a,
                           Value b, int64_t number) {
  Node node;
  node.op = op;
  node.number = number;
  node.args = {a, b, -1};
  node.which = which;
  node.count = count;
  return Known(node, 0);
}

void CompiledValues::Spend(Class which, uint32_t count) {
  spent_[static_cast<size_t>(site_)][static_cast<size_t>(which)] += count;
}

void CompiledValues::Return(size_t mark) {
  while (made_.size() > mark) {
    known_.erase(made_.back());
    made_.pop_back();
  }
}

std::vector<bool> CompiledValues::Used() const {
  std::vector<bool> used(nodes_.size(), false);
  std::vector<Value> open = roots_;
  for (const auto& [value, bytes] : offsets_) open.push_back(value);
  while (!open.empty()) {
    const Value value = open.back();
    open.pop_back();
    if (value < 0 || used[static_cast<size_t>(value)]) continue;
    used[static_cast<size_t>(value)] = true;
    for (const Value argument : At(value).args) open.push_back(argument);
  }
  return used;
}

void CompiledValues::DropScales(const std::vector<bool>& used) {
  std::map<Value, int> users;
  std::map<Value, int> places;
  for (const Value root : roots_) ++users[root];
  for (const auto& [value, bytes] : offsets_) ++places[value];
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (!used[i]) continue;
    for (const Value argument : nodes_[i].args) ++users[argument];
  }
  const auto factor = [&](Value value) -> std::optional<int64_t> {
    if (OpOf(value) != ValueOp::kMul) return std::nullopt;
    return ConstantOf(ArgOf(value, 1));
  };
  const auto scaled = [&](Value value) {
    return users[value] == 1 && factor(value).has_value();
  };
  const auto drop = [&](Value value) {
    nodes_[static_cast<size_t>(value)].count = 0;
  };
  for (const auto& [value, count] : places) {
    if (users[value] > 0) continue;
    if (factor(value)) drop(value);
    if (OpOf(value) != ValueOp::kAdd || count > 1) continue;
    // x * 96 + y * 32 + 2
    const Value sum = ArgOf(value, 0);
    if (ConstantOf(ArgOf(value, 1)) && OpOf(sum) == ValueOp::kAdd &&
        users[sum] == 1 && scaled(ArgOf(sum, 0)) && scaled(ArgOf(sum, 1))) {
      for (const Value part : {value, sum, ArgOf(sum, 0), ArgOf(sum, 1)}) {
        drop(part);
      }
      continue;
    }
    for (const int i : {0, 1}) {
      const Value term = ArgOf(value, i);
      if (users[term] > 1 || factored_.contains(term) ||
          !IsPowerOfTwo(factor(term).value_or(0)) ||
          ConstantOf(ArgOf(value, 1 - i))) {
        continue;
      }
      drop(term);
      drop(value);
      break;
    }
  }
}

std::vector<Work> CompiledValues::Finish() {
  const std::vector<bool> used = Used();
  DropScales(used);
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (!used[i]) continue;
    const Node& node = nodes_[i];
    auto& spent = spent_[static_cast<size_t>(node.site)];
    spent[static_cast<size_t>(node.which)] += node.count;
    spent[static_cast<size_t>(Class::kSimple)] += node.simple;
  }
  std::vector<Work> all;
  for (const auto& spent : spent_) {
    Work& work = all.emplace_back();
    for (size_t i = 0; i < spent.size(); ++i) {
      work.all += static_cast<int64_t>(spent[i]);
      const auto which = static_cast<Class>(i);
      if (which == Class::kSimple) continue;
      work.words[abi::ScalarWordOf(which)] += spent[i]
                                              << abi::ScalarShiftOf(which);
    }
  }
  return all;
}

}  // namespace belay::crux::run
