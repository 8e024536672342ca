// SPDX-License-Identifier: Apache-2.0
// Checker: literals, operators, and what numbers, indices, ranges and tiles
// give when they meet.

#include <fmt/format.h>

#include <algorithm>

#include "crux/checker.h"

namespace belay::crux {

using syntax::ExprKind;
using syntax::Operator;

namespace {

Op OpOf(Operator op) {
  switch (op) {
    case Operator::kAdd:
      return Op::kAdd;
    case Operator::kSub:
      return Op::kSub;
    case Operator::kMul:
      return Op::kMul;
    case Operator::kDiv:
      return Op::kDiv;
    case Operator::kFloorDiv:
      return Op::kFloorDiv;
    case Operator::kMod:
      return Op::kMod;
    case Operator::kPow:
      return Op::kPow;
    case Operator::kMatmul:
      return Op::kMatmul;
    case Operator::kAnd:
      return Op::kBitAnd;
    case Operator::kOr:
      return Op::kBitOr;
    case Operator::kXor:
      return Op::kBitXor;
    case Operator::kShiftLeft:
      return Op::kShiftLeft;
    case Operator::kShiftRight:
      return Op::kShiftRight;
    case Operator::kLess:
      return Op::kLess;
    case Operator::kLessEqual:
      return Op::kLessEqual;
    case Operator::kGreater:
      return Op::kGreater;
    case Operator::kGreaterEqual:
      return Op::kGreaterEqual;
    case Operator::kEqual:
      return Op::kEqual;
    default:
      return Op::kNotEqual;
  }
}

}  // namespace

const typed::Expr* Checker::Eval(const syntax::Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kError:
      return Error(expr.range);
    case ExprKind::kName:
      return EvalName(expr);
    case ExprKind::kInteger:
    case ExprKind::kFloat:
    case ExprKind::kString:
    case ExprKind::kBool:
      return EvalLiteral(expr);
    case ExprKind::kUnary:
      return EvalUnary(expr);
    case ExprKind::kBinary:
      return EvalBinary(expr);
    case ExprKind::kCompare:
      return EvalCompare(expr);
    case ExprKind::kLogic:
      return EvalLogic(expr);
    case ExprKind::kSelect:
      return EvalSelect(expr);
    case ExprKind::kCall:
      return EvalCall(expr);
    case ExprKind::kAttribute:
      return EvalAttribute(expr);
    case ExprKind::kSubscript:
      return EvalSubscript(expr);
    case ExprKind::kNone:
      return Fail(code::kX128, expr.range, "None is not a value",
                  "whether an optional parameter is given: present(x); a new "
                  "axis: t[:, None]");
    case ExprKind::kEllipsis:
    case ExprKind::kSlice:
      return Fail(code::kX143, expr.range,
                  fmt::format("{} stands in subscripts only", Quote(expr)));
    case ExprKind::kTuple:
    case ExprKind::kList:
      return Fail(
          code::kX128, expr.range,
          fmt::format("{} is a tuple, where one value is needed", Quote(expr)),
          "tuples stand in assignments, shapes and axes only");
    case ExprKind::kStarred:
      break;
  }
  return Fail(
      code::kX119, expr.range,
      fmt::format("{} stands in the shape of a parameter only", Quote(expr)),
      "write S.size for the product of the sizes");
}

const typed::Expr* Checker::EvalOperand(const syntax::Expr& expr,
                                        std::string_view what) {
  return AsOperand(Eval(expr), expr, what);
}

const typed::Expr* Checker::AsOperand(const Expr* value,
                                      const syntax::Expr& expr,
                                      std::string_view what) {
  switch (value->type.kind) {
    case TypeKind::kView:
      return Fail(
          code::kX162, expr.range,
          fmt::format("{} is a view of global memory, not a tile", Quote(expr)),
          fmt::format("write load({})", source_.Text(expr.range)));
    case TypeKind::kTensor:
    case TypeKind::kTensorList:
      return Fail(code::kX162, expr.range,
                  fmt::format("{} is a tensor in global memory, not a tile",
                              Quote(expr)),
                  fmt::format("load a part of it: load({}[…])",
                              source_.Text(expr.range)));
    case TypeKind::kNothing:
      if (expr.kind == ExprKind::kCall &&
          expr.items[0]->kind == ExprKind::kName &&
          !FindOperation(expr.items[0]->text)) {
        return Fail(code::kX172, expr.range,
                    fmt::format("the helper '{}' returns no value",
                                expr.items[0]->text),
                    "end it with `return value`");
      }
      return Fail(code::kX163, expr.range,
                  fmt::format("{} gives no value", Quote(expr)),
                  "write it on a line of its own");
    case TypeKind::kTuple:
      return Fail(code::kX129, expr.range,
                  fmt::format("{} gives {} values, where one is needed",
                              Quote(expr), value->type.members.size()),
                  "unpack it first: a, b = …");
    case TypeKind::kType:
    case TypeKind::kFunction:
    case TypeKind::kAuto:
    case TypeKind::kHostList:
      return Fail(code::kX128, expr.range,
                  fmt::format("{} cannot be {}: it is {}", Quote(expr), what,
                              ToText(value->type)));
    default:
      return value;
  }
}

const typed::Expr* Checker::EvalLiteral(const syntax::Expr& expr) {
  Expr* literal =
      New(typed::ExprKind::kLiteral, TypeKind::kHostInt, expr.range);
  literal->integer = expr.integer;
  switch (expr.kind) {
    case ExprKind::kInteger:
      literal->value = Size(expr.integer);
      break;
    case ExprKind::kFloat:
      literal->type.kind = TypeKind::kHostFloat;
      literal->real = expr.real;
      break;
    case ExprKind::kString:
      literal->type.kind = TypeKind::kHostString;
      literal->text = expr.text;
      break;
    default:
      literal->type.kind = TypeKind::kHostBool;
      break;
  }
  return literal;
}

const typed::Expr* Checker::EvalUnary(const syntax::Expr& expr) {
  const Expr* operand = EvalOperand(*expr.items[0], "an operand");
  if (operand->type.is_error()) return operand;
  if (expr.op == Operator::kPlus) {
    if (operand->type.is_host_number() || operand->type.is_tile() ||
        operand->type.kind == TypeKind::kIndex) {
      return operand;
    }
    return Fail(code::kX128, expr.range,
                fmt::format("'+' before {}", ToText(operand->type)),
                "delete the '+'");
  }
  const bool negate = expr.op == Operator::kNegate;
  // A sign belongs to the number.
  if (negate && IsLiteral(*operand) && operand->type.is_host_number()) {
    Expr* literal = program_.NewExpr();
    *literal = *operand;
    literal->range = expr.range;
    literal->integer =
        static_cast<int64_t>(0 - static_cast<uint64_t>(operand->integer));
    literal->real = -operand->real;
    if (literal->type.kind == TypeKind::kHostInt) {
      literal->value = Size(literal->integer);
    }
    return literal;
  }
  return Unary(negate ? Op::kNegate : Op::kBitNot, operand, expr.range,
               expr.place);
}

const typed::Expr* Checker::Unary(Op op, const Expr* a,
                                  const SourceRange& range,
                                  const SourceRange& place) {
  if (a->type.is_error()) return a;
  const Type& type = a->type;
  if (type.is_tile()) return TileOperation(op, {a}, range, place);
  if (type.is_host_number() || type.kind == TypeKind::kIndex) {
    return HostOperation(op, {a}, range);
  }
  if (type.kind == TypeKind::kHostBool && op == Op::kBitNot) {
    return Fail(code::kX128, range, "`~` of a host bool", "write `not`");
  }
  if (type.kind == TypeKind::kRange) {
    return RangeArithmetic(op, a, nullptr, range);
  }
  return Fail(code::kX128, range,
              fmt::format("{} is {} and not a number or a tile",
                          Quote(a->range), ToText(type)));
}

const typed::Expr* Checker::EvalBinary(const syntax::Expr& expr) {
  const Expr* a = EvalOperand(*expr.items[0], "an operand");
  const Expr* b = EvalOperand(*expr.items[1], "an operand");
  return Binary(OpOf(expr.op), a, b, expr.range, expr.place);
}

const typed::Expr* Checker::EvalCompare(const syntax::Expr& expr) {
  if (expr.ops.size() > 1) {
    for (const syntax::Expr* item : expr.items) {
      if (EvalOperand(*item, "an operand")->type.is_error()) {
        return Error(expr.range);
      }
    }
    const auto part = [&](size_t i) {
      return fmt::format("({} {} {})", source_.Text(expr.items[i]->range),
                         SpellingOf(expr.ops[i]),
                         source_.Text(expr.items[i + 1]->range));
    };
    return Fail(code::kX136, expr.place, "Crux compares two values at a time",
                fmt::format("write {} & {}; between host conditions `and`",
                            part(0), part(1)));
  }
  const Operator op = expr.ops[0];
  if (op == Operator::kIs || op == Operator::kIsNot) {
    const bool none = expr.items[1]->kind == ExprKind::kNone;
    const std::string_view left = source_.Text(expr.items[0]->range);
    return Fail(code::kX107, expr.range, "Crux has no `is`",
                none ? fmt::format("write {}present({})",
                                   op == Operator::kIs ? "not " : "", left)
                     : "compare with == or !=");
  }
  if (op == Operator::kIn || op == Operator::kNotIn) {
    return Fail(code::kX107, expr.range, "Crux has no `in` in expressions",
                "compare with each value: mode == \"sum\" or mode == \"mean\"");
  }
  // T == f32 chooses a variant.
  if (IsTypeName(*expr.items[0]) && IsTypeName(*expr.items[1]) &&
      (op == Operator::kEqual || op == Operator::kNotEqual)) {
    const Expr* a = EvalType(*expr.items[0]);
    const Expr* b = EvalType(*expr.items[1]);
    if (a->type.is_error() || b->type.is_error()) return Error(expr.range);
    Expr* is = New(typed::ExprKind::kDtypeIs, TypeKind::kHostBool, expr.range);
    is->args = {a, b};
    if (op == Operator::kEqual) return is;
    Expr* negated =
        New(typed::ExprKind::kHostLogic, TypeKind::kHostBool, expr.range);
    negated->text = "not";
    negated->args = {is};
    return negated;
  }
  const Expr* a = EvalOperand(*expr.items[0], "an operand");
  const Expr* b = EvalOperand(*expr.items[1], "an operand");
  return Binary(OpOf(op), a, b, expr.range, expr.place);
}

const typed::Expr* Checker::Binary(Op op, const Expr* a, const Expr* b,
                                   const SourceRange& range,
                                   const SourceRange& place) {
  if (a->type.is_error()) return a;
  if (b->type.is_error()) return b;
  const OpInfo& info = InfoOf(op);
  if (a->type.kind == TypeKind::kRange || b->type.kind == TypeKind::kRange) {
    return RangeArithmetic(op, a, b, range);
  }
  const bool compares = info.result == OpResult::kBroadcastBool;
  const bool equality = op == Op::kEqual || op == Op::kNotEqual;
  const auto plain = [](const Type& type) {
    return type.is_host_number() || type.is_tile() ||
           type.kind == TypeKind::kIndex;
  };
  if (!plain(a->type) || !plain(b->type)) {
    const bool bools = a->type.kind == TypeKind::kHostBool &&
                       b->type.kind == TypeKind::kHostBool;
    const bool strings = a->type.kind == TypeKind::kHostString &&
                         b->type.kind == TypeKind::kHostString;
    if ((bools || strings) && equality) {
      return NewOperation(op, {a, b}, PlainType(TypeKind::kHostBool), range);
    }
    // A host bool beside a bool tile is a constant of it.
    const bool beside =
        (a->type.kind == TypeKind::kHostBool && b->type.is_tile()) ||
        (b->type.kind == TypeKind::kHostBool && a->type.is_tile());
    if (beside) return TileOperation(op, {a, b}, range, place);
    std::string fix;
    if (bools) fix = "write `and`, `or` or `not`";
    if (strings) fix = "strings are compared with == and !=";
    return Fail(code::kX128, place,
                fmt::format("'{}' of {} and {}",
                            info.spelling.substr(1, info.spelling.size() - 2),
                            ToText(a->type), ToText(b->type)),
                fix);
  }
  if (a->type.is_tile() || b->type.is_tile()) {
    if (op == Op::kMatmul) {
      Expr* call = NewOperation(op, {a, b}, Type(), range);
      return FinishMatmul(call, place);
    }
    return TileOperation(op, {a, b}, range, place);
  }
  if (!info.hosted) {
    return Fail(code::kX128, place,
                fmt::format("'{}' of {} and {}",
                            info.spelling.substr(1, info.spelling.size() - 2),
                            ToText(a->type), ToText(b->type)),
                "it takes tiles");
  }
  if (compares &&
      (a->type.kind == TypeKind::kIndex || b->type.kind == TypeKind::kIndex)) {
    if (a->type.kind == TypeKind::kHostFloat ||
        b->type.kind == TypeKind::kHostFloat) {
      return Fail(code::kX130, range, "an index is compared with a float",
                  "compare it with an integer");
    }
    return NewOperation(op, {a, b}, TileType({DType::kBool, nullptr}, {}),
                        range);
  }
  return HostOperation(op, {a, b}, range);
}

// Ranges move and stretch; anything else needs their positions as a tile.
const typed::Expr* Checker::RangeArithmetic(Op op, const Expr* a, const Expr* b,
                                            const SourceRange& range) {
  const bool left = a->type.kind == TypeKind::kRange;
  const Expr* moved = left ? a : b;
  const Expr* by = left ? b : a;
  const std::string name(source_.Text(moved->range));
  const auto refuse = [&](std::string message) {
    return Fail(code::kX143, range, std::move(message),
                fmt::format("the positions as a tile are arange({})", name));
  };
  if (!b) return refuse(fmt::format("'{}' is a range and has no sign", name));
  if (by->type.kind == TypeKind::kRange) {
    return refuse("two ranges meet: a range can be moved by an integer only");
  }
  if (!IsIntegerScalar(by->type)) {
    return refuse(fmt::format("'{}' is a range; with {} it gives nothing", name,
                              ToText(by->type)));
  }
  const bool affine = op == Op::kAdd || (op == Op::kSub && left) ||
                      (op == Op::kMul && by->type.kind == TypeKind::kHostInt);
  if (!affine) {
    return refuse(
        fmt::format("{} is not affine: of a range there is range + "
                    "integer, range - integer and range * host "
                    "integer",
                    Quote(range)));
  }
  if (const auto factor = by->value.constant();
      op == Op::kMul && factor && *factor <= 0) {
    return Fail(code::kX177, by->range,
                fmt::format("a range times {}", *factor),
                "the step of a range is positive");
  }
  Expr* result = NewOperation(op, {a, b}, moved->type, range);
  result->value = ValueOf(op, {a, b});
  return result;
}

Size Checker::ValueOf(Op op, const std::vector<const Expr*>& args) {
  const Size& a = args[0]->value;
  if (args.size() == 1) {
    return op == Op::kNegate ? Size(0) - a : Size::Unknown();
  }
  const Size& b = args[1]->value;
  switch (op) {
    case Op::kAdd:
      return a + b;
    case Op::kSub:
      return a - b;
    case Op::kMul:
      return a * b;
    case Op::kFloorDiv:
      return sizes_.FloorDiv(a, b);
    case Op::kMod:
      return sizes_.Mod(a, b);
    case Op::kMaximum:
      return sizes_.Maximum(a, b);
    case Op::kMinimum:
      return sizes_.Minimum(a, b);
    case Op::kCeilDiv:
      return sizes_.CeilDiv(a, b);
    case Op::kPow: {
      const auto power = b.constant();
      if (!power || *power < 0 || *power > 8) return Size::Unknown();
      Size product(1);
      for (int64_t i = 0; i < *power; ++i) product = product * a;
      return product;
    }
    case Op::kShiftLeft: {
      const auto shift = b.constant();
      if (!shift || *shift < 0 || *shift > 40) return Size::Unknown();
      return a * Size(int64_t{1} << *shift);
    }
    default:
      return Size::Unknown();
  }
}

const typed::Expr* Checker::HostOperation(Op op, std::vector<const Expr*> args,
                                          const SourceRange& range) {
  const OpInfo& info = InfoOf(op);
  bool floats = false;
  bool index = false;
  for (const Expr* arg : args) {
    floats |= arg->type.kind == TypeKind::kHostFloat;
    index |= arg->type.kind == TypeKind::kIndex;
  }
  if (index && (floats || info.dtypes == OpDtypes::kFloat)) {
    return Fail(code::kX130, range,
                fmt::format("an index has no dtype, so {} cannot be computed",
                            Quote(range)),
                op == Op::kDiv && !floats
                    ? "write // for a whole quotient"
                    : "make it a tile first: full(f32, r)");
  }
  const bool bits =
      info.dtypes == OpDtypes::kBits || info.dtypes == OpDtypes::kInteger;
  if (bits && floats) {
    return Fail(code::kX131, range,
                fmt::format("{} is for integers", Quote(range)),
                "use integers on both sides");
  }
  if ((op == Op::kFloorDiv || op == Op::kMod || op == Op::kDiv) &&
      args[1]->value.constant() == 0) {
    return Fail(code::kX144, range,
                fmt::format("{} divides by 0", Quote(range)),
                "divide by a size or number that is not 0");
  }
  Type type = PlainType(TypeKind::kHostInt);
  const bool whole = op == Op::kFloor || op == Op::kCeil || op == Op::kRound ||
                     op == Op::kTrunc;
  if (info.result == OpResult::kBroadcastBool ||
      info.result == OpResult::kSameBool) {
    type.kind = TypeKind::kHostBool;
  } else if (index) {
    type.kind = TypeKind::kIndex;
  } else if (op == Op::kPow && !floats) {
    const auto power = args[1]->value.constant();
    if (!power || *power < 0) type.kind = TypeKind::kHostFloat;
  } else if (!whole && (floats || info.dtypes == OpDtypes::kFloat)) {
    type.kind = TypeKind::kHostFloat;
  }
  Expr* result = NewOperation(op, std::move(args), type, range);
  if (type.kind == TypeKind::kHostInt || type.kind == TypeKind::kIndex) {
    if (!floats) result->value = ValueOf(op, result->args);
    if (!result->value.known()) {
      result->value =
          sizes_.Fresh(type.kind == TypeKind::kHostInt ? SizeAtomKind::kOpaque
                                                       : SizeAtomKind::kDevice,
                       source_.Text(range));
    }
  }
  return result;
}

}  // namespace belay::crux
