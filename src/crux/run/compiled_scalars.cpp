// SPDX-License-Identifier: Apache-2.0
// Numbers of the scalar unit, as print/scalar_text.cpp writes them.

#include <algorithm>
#include <array>

#include "crux/run/compiled_expressions.h"
#include "crux/run/compiled_work.h"

namespace belay::crux::run {
namespace {

using code::Scalar;
using code::ScalarKind;

bool IsHalf(DType dtype) {
  return dtype == DType::kHalf || dtype == DType::kBfloat16;
}

// Which conversion a kConvert is: from one dtype to another. Smaller numbers
// are the bits that an integer is cut to.
constexpr int64_t kFirstConversion = 1000;
constexpr int64_t kDtypes = 100;  // at most

int64_t ConversionOf(DType from, DType to) {
  return kFirstConversion + static_cast<int64_t>(from) * kDtypes +
         static_cast<int64_t>(to);
}

std::optional<ValueOp> WholeOp(const std::string& op) {
  static const std::map<std::string, ValueOp, std::less<>> operations = {
      {"+", ValueOp::kAdd},        {"-", ValueOp::kSub},
      {"*", ValueOp::kMul},        {"&", ValueOp::kAnd},
      {"|", ValueOp::kOr},         {"^", ValueOp::kXor},
      {"<<", ValueOp::kShiftLeft}, {">>", ValueOp::kShiftRight},
      {"<", ValueOp::kLess},       {"<=", ValueOp::kLessEqual},
      {"==", ValueOp::kEqual},     {"!=", ValueOp::kNotEqual},
      {"&&", ValueOp::kBothTrue},  {"||", ValueOp::kEitherTrue},
  };
  const auto found = operations.find(op);
  if (found == operations.end()) return std::nullopt;
  return found->second;
}

bool Compares(const std::string& op) {
  return op == "<" || op == "<=" || op == "==" || op == "!=";
}

// Made by a function that compares before it converts.
bool IsByBranches(DType from, DType to) {
  return (IsFloating(from) && to == DType::kUint64) ||
         (from == DType::kUint64 && IsFloating(to));
}

// Worked out only where it is needed: elements, quotients, and what is made by
// a function that branches.
bool IsDear(const Scalar& scalar) {
  switch (scalar.kind) {
    case ScalarKind::kElement:
    case ScalarKind::kGlobal:
      return true;
    case ScalarKind::kBinary:
      if (scalar.op == "%" || scalar.op == "/") return true;
      break;
    case ScalarKind::kCast:
      if (IsByBranches(scalar.args[0]->dtype, scalar.dtype)) return true;
      break;
    default:
      break;
  }
  return std::ranges::any_of(
      scalar.args, [](const code::ScalarPtr& part) { return IsDear(*part); });
}

}  // namespace

// bf16 is widened by its bits, in functions of AscendC.
Value CompiledExpressions::Widen(Value value, DType dtype) {
  return values_.Make(ValueOp::kWiden, Class::kFloating,
                      dtype == DType::kHalf ? 1 : 0, value, -1,
                      static_cast<int64_t>(dtype));
}

// What a call gave; 16-bit floats are computed in float.
Value CompiledExpressions::Element(DType dtype) {
  values_.ForgetLoads();
  const Value raw = values_.Opaque();
  return IsHalf(dtype) ? Widen(raw, dtype) : raw;
}

Value CompiledExpressions::Of(const Scalar& scalar) {
  switch (scalar.kind) {
    case ScalarKind::kReal:
      if (IsFloating(scalar.dtype)) return values_.Real(scalar.real);
      return values_.Constant(static_cast<int64_t>(scalar.real));
    case ScalarKind::kHost:
      return values_.Field(NumberOf(scalar.name));
    case ScalarKind::kVariable:
      return Name(scalar.name);
    case ScalarKind::kInt: {
      if (IsFloating(scalar.dtype) && scalar.integer.is_constant()) {
        return values_.Real(static_cast<double>(scalar.integer.value()));
      }
      const Value whole = Of(scalar.integer);
      if (IsFloating(scalar.dtype)) {
        return values_.Make(ValueOp::kConvert, Class::kFloating, 1, whole);
      }
      if (const auto narrow = InNarrow(whole, scalar.dtype, 0)) return *narrow;
      return Narrow(values_.AsInteger(whole), BitsOf(scalar.dtype));
    }
    case ScalarKind::kElement: {
      const DType dtype = DtypeOfLocal(scalar.local.name);
      UseOffset(scalar.local.offset, dtype);
      return Element(dtype);
    }
    case ScalarKind::kGlobal: {
      const DType dtype = DtypeOfGlobal(scalar.global.name);
      UseOffset(scalar.global.offset, dtype);
      return Element(dtype);
    }
    case ScalarKind::kUnary:
      return Unary(scalar);
    case ScalarKind::kBinary:
      return BinaryOf(scalar);
    case ScalarKind::kSelect: {
      return Choice(scalar);
    }
    case ScalarKind::kCast:
      return Cast(Of(*scalar.args[0]), scalar.args[0]->dtype, scalar.dtype);
    case ScalarKind::kBits:
      return values_.Make(ValueOp::kConvert, Class::kSimple, 0,
                          Of(*scalar.args[0]), -1,
                          ConversionOf(scalar.args[0]->dtype, scalar.dtype));
  }
  return values_.Opaque();
}

Value CompiledExpressions::Unary(const Scalar& scalar) {
  const Value operand = Of(*scalar.args[0]);
  if (scalar.op == "!") return values_.Not(operand);
  if (IsFloating(scalar.dtype)) {
    return values_.Make(ValueOp::kFloat, Class::kFloating, 1, operand, -1, '~');
  }
  if (scalar.op == "~") {
    return values_.Binary(ValueOp::kXor, operand, values_.Constant(-1));
  }
  return values_.Binary(ValueOp::kSub, values_.Constant(0), operand);
}

// Numbers of 16 bits are compared as they are: both are converted for it, and
// not before it.
Value CompiledExpressions::CompareFloats(const std::string& op, Value a,
                                         Value b) {
  const ValueOp which = *WholeOp(op);
  const auto is_half = [&](Value value) {
    return values_.OpOf(value) == ValueOp::kWiden &&
           values_.NumberOf(value) == static_cast<int64_t>(DType::kHalf);
  };
  const bool real =
      values_.OpOf(a) == ValueOp::kReal || values_.OpOf(b) == ValueOp::kReal;
  if ((is_half(a) || is_half(b)) && (real || (is_half(a) && is_half(b)))) {
    const auto narrow = [&](Value value) {
      return is_half(value) ? values_.ArgOf(value, 0) : value;
    };
    return values_.Make(which, Class::kFloating, 3, narrow(a), narrow(b), 1);
  }
  return values_.Make(which, Class::kFloating, 1, a, b, 1);
}

// Narrow operands with a sign are widened to int.
Value CompiledExpressions::DivideWhole(const Scalar& scalar, Value a, Value b) {
  const bool has_sign = IsSigned(scalar.dtype);
  const bool narrow = has_sign && BitsOf(scalar.dtype) < 32;
  const auto widen = [&](Value value) {
    if (!narrow || values_.ConstantOf(value)) return value;
    return values_.Make(ValueOp::kConvert, Class::kSimple, 1, value, -1, 32);
  };
  a = widen(a);
  b = widen(b);
  const Value all = scalar.op == "/" ? values_.Divide(a, b, has_sign)
                                     : values_.Remainder(a, b, has_sign);
  return narrow ? Narrow(all, BitsOf(scalar.dtype)) : all;
}

// Operands that are dear are worked out where they are chosen.
Value CompiledExpressions::Choice(const Scalar& scalar) {
  const Value condition = Of(*scalar.args[0]);
  if (values_.ConstantOf(condition) ||
      !(IsDear(*scalar.args[1]) || IsDear(*scalar.args[2]))) {
    const Value a = Of(*scalar.args[1]);
    return values_.Select(condition, a, Of(*scalar.args[2]));
  }
  values_.Use(condition);
  const Site here = values_.site();
  const auto branch = BranchOn(condition);
  values_.Enter(branch ? branch->site : here);
  values_.Spend(Class::kSimple);
  values_.Enter(here);
  const int64_t generation = values_.generation();
  const size_t mark = values_.Mark();
  std::array<Value, 2> chosen;
  for (const size_t i : {1, 2}) {
    const Site inside = values_.NewSite();
    values_.Enter(inside);
    if (i == 2) values_.Rule(condition);
    chosen[i - 1] = Of(*scalar.args[i]);
    values_.Return(mark);
    values_.Recall(generation);
    seconds_.emplace(&scalar.args[i], inside);
  }
  values_.Unrule(condition);
  values_.Enter(here);
  values_.ForgetLoads();
  // Made wider behind the choice, if at all.
  const bool wide = std::ranges::all_of(chosen, [&](Value value) {
    return values_.OpOf(value) == ValueOp::kWiden &&
           values_.NumberOf(value) == values_.NumberOf(chosen[0]);
  });
  const auto dtype = static_cast<DType>(values_.NumberOf(chosen[0]));
  for (const Value value : chosen) {
    values_.Use(wide ? values_.ArgOf(value, 0) : value);
  }
  return wide ? Widen(values_.Opaque(), dtype) : values_.Opaque();
}

Value CompiledExpressions::BinaryOf(const Scalar& scalar) {
  const std::string& op = scalar.op;
  if (op == "&&" || op == "||") {
    return Shortcut(
        *WholeOp(op), Of(*scalar.args[0]), [&] { return Of(*scalar.args[1]); },
        seconds_, &scalar.args[1]);
  }
  const Value a = Of(*scalar.args[0]);
  const Value b = Of(*scalar.args[1]);
  if (IsFloating(scalar.args[0]->dtype)) {
    if (Compares(op)) return CompareFloats(op, a, b);
    return values_.Make(ValueOp::kFloat, Class::kFloating, 1, a, b, op[0]);
  }
  if (op == "/" || op == "%") return DivideWhole(scalar, a, b);
  return values_.Binary(*WholeOp(op), a, b);
}

// Constants of another type are chosen then.
bool CompiledExpressions::ChoosesConstants(Value value) const {
  const auto is_constant = [&](int which) {
    return values_.OpOf(values_.ArgOf(value, which)) == ValueOp::kReal;
  };
  return values_.OpOf(value) == ValueOp::kSelect && is_constant(1) &&
         is_constant(2);
}

Value CompiledExpressions::Cast(Value value, DType from, DType to) {
  if (IsHalf(from)) from = DType::kFloat;
  if (from == to) return value;
  if (IsFloating(from) && IsFloating(to) && ChoosesConstants(value)) {
    return value;
  }
  const auto convert = [&](Class which, uint32_t count) {
    return values_.Make(ValueOp::kConvert, which, count, value, -1,
                        ConversionOf(from, to));
  };
  if (IsByBranches(from, to) && !values_.ConstantOf(value)) {
    values_.Use(value);
    values_.Spend(IsFloating(from) ? Class::kFloating : Class::kSimple);
    values_.Spend(Class::kSimple);
  }
  // Down and up again.
  if (IsHalf(to)) return Widen(convert(Class::kFloating, 1), to);
  if (to == DType::kBool) {
    if (!IsFloating(from)) {
      if (values_.IsTruth(value)) return value;
      return values_.Binary(ValueOp::kNotEqual, value, values_.Constant(0));
    }
    return values_.Make(ValueOp::kNotEqual, Class::kFloating, 1, value);
  }
  if (IsFloating(from) || IsFloating(to)) {
    return convert(Class::kFloating, 1);
  }
  if (values_.ConstantOf(value)) return value;
  if (values_.IsTruth(value)) return values_.AsInteger(value);
  if (BitsOf(from) == BitsOf(to)) return value;
  if (BitsOf(from) > BitsOf(to)) {
    if (const auto narrow = InNarrow(value, to, 0)) return *narrow;
  }
  ValueOp op = ValueOp::kConvert;
  if (BitsOf(from) < BitsOf(to)) {
    op = IsSigned(from) ? ValueOp::kExtendSign : ValueOp::kExtend;
  }
  return values_.Make(op, Class::kSimple, 1, value, -1, ConversionOf(from, to));
}

Value CompiledExpressions::AsElement(const Scalar& scalar, DType dtype) {
  const Value value = Of(scalar);
  const ValueOp op = values_.OpOf(value);
  if (op == ValueOp::kReal || op == ValueOp::kConstant) return value;
  if (IsHalf(dtype)) {
    // What was widened is there.
    if (op == ValueOp::kWiden &&
        values_.NumberOf(value) == static_cast<int64_t>(dtype)) {
      return values_.ArgOf(value, 0);
    }
    if (ChoosesConstants(value)) return value;
    return values_.Make(ValueOp::kConvert, Class::kFloating, 1, value, -1,
                        ConversionOf(DType::kFloat, dtype));
  }
  if (dtype == DType::kBool || values_.IsTruth(value)) {
    return values_.AsInteger(value);
  }
  return Cast(value, scalar.dtype, dtype);
}

// Sums and products of what was widened, cut again, are worked out narrow.
std::optional<Value> CompiledExpressions::InNarrow(Value value, DType dtype,
                                                   int depth) {
  constexpr int kDeepest = 8;
  const ValueOp op = values_.OpOf(value);
  if (op == ValueOp::kConstant) return value;
  if (op == ValueOp::kConvert || op == ValueOp::kExtend ||
      op == ValueOp::kExtendSign) {
    const int64_t from = (values_.NumberOf(value) - kFirstConversion) / kDtypes;
    if (from != static_cast<int64_t>(dtype)) return std::nullopt;
    return values_.ArgOf(value, 0);
  }
  const bool keeps = op == ValueOp::kAdd || op == ValueOp::kSub ||
                     op == ValueOp::kMul || op == ValueOp::kAnd ||
                     op == ValueOp::kOr || op == ValueOp::kXor;
  if (!keeps || depth == kDeepest) return std::nullopt;
  const auto a = InNarrow(values_.ArgOf(value, 0), dtype, depth + 1);
  const auto b = InNarrow(values_.ArgOf(value, 1), dtype, depth + 1);
  if (!a || !b) return std::nullopt;
  return values_.Binary(op, *a, *b);
}

}  // namespace belay::crux::run
