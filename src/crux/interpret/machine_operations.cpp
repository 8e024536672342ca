// SPDX-License-Identifier: Apache-2.0
// Operations of the registry: from typed expressions to tiles.

#include <fmt/format.h>

#include "base/catalogue.h"
#include "base/error.h"
#include "crux/interpret/elementwise.h"
#include "crux/interpret/machine.h"
#include "crux/interpret/matmul.h"
#include "crux/interpret/order.h"
#include "crux/interpret/philox.h"
#include "crux/interpret/reduce.h"
#include "crux/interpret/reshape.h"
#include "crux/interpret/scan.h"

namespace belay::crux::interpret {
namespace {

using typed::Expr;

// An optional argument may be null or missing at the end.
const Expr* ArgumentOf(const Expr& expr, size_t i) {
  return i < expr.args.size() ? expr.args[i] : nullptr;
}

int AxisOf(const Expr& expr, const Tile& tile, bool last) {
  if (!expr.axes.empty()) return expr.axes.front();
  return last ? static_cast<int>(tile.shape.size()) - 1 : 0;
}

Round RoundOf(const std::string& mode) {
  if (mode == "rint") return Round::kRint;
  if (mode == "floor") return Round::kFloor;
  if (mode == "ceil") return Round::kCeil;
  if (mode == "round") return Round::kRound;
  if (mode == "trunc") return Round::kTrunc;
  if (mode == "odd") return Round::kOdd;
  throw InternalError("[interpret] rounding mode " + mode);
}

Value PairOf(TilePair pair) {
  auto tuple = std::make_shared<Tuple>();
  tuple->push_back({std::move(pair.first)});
  tuple->push_back({std::move(pair.second)});
  return {std::move(tuple)};
}

// A host number in the form its type says: floor(x) of a float is an int.
Value OfKind(Value value, TypeKind kind) {
  const bool whole = std::holds_alternative<int64_t>(value.data);
  if (kind == TypeKind::kHostFloat && whole) {
    return {static_cast<double>(std::get<int64_t>(value.data))};
  }
  const auto* real = std::get_if<double>(&value.data);
  if (kind == TypeKind::kHostFloat || real == nullptr) return value;
  if (!Fits(DType::kInt64, *real) || *real == 0x1p63) {
    throw Fault(code::kX188, fmt::format("{} is no 64-bit integer", *real),
                "check the host number with assert");
  }
  return {static_cast<int64_t>(*real)};
}

}  // namespace

bool Machine::ConditionOf(const Expr& expr) {
  const Value value = Evaluate(expr);
  const auto* tile = std::get_if<TilePtr>(&value.data);
  if (tile == nullptr) return std::get<int64_t>(value.data) != 0;
  if ((*tile)->ErrorAt(0) != 0) doubtful_ = true;
  return (*tile)->whole.at(0) != 0;
}

Value Machine::EvaluateOperation(const Expr& expr) {
  if (expr.op == Op::kPresent) {
    return {static_cast<int64_t>(
        !ParameterValue(*expr.args.at(0)->parameter).absent())};
  }
  switch (expr.type.kind) {
    case TypeKind::kRange:
      return EvaluateRange(expr);
    case TypeKind::kHostInt:
    case TypeKind::kHostFloat:
    case TypeKind::kHostBool:
    case TypeKind::kIndex: {
      if (expr.op == Op::kWhere) {
        return Evaluate(ConditionOf(*expr.args[0]) ? *expr.args[1]
                                                   : *expr.args[2]);
      }
      std::vector<Value> args;
      for (const Expr* arg : expr.args) {
        if (arg == nullptr) continue;
        if (arg->kind == typed::ExprKind::kTuple) {
          for (const Expr* member : arg->args) {
            args.push_back(Evaluate(*member));
          }
        } else {
          args.push_back(Evaluate(*arg));
        }
      }
      if (expr.type.kind == TypeKind::kIndex) {
        for (Value& arg : args) arg = {ToInteger(arg)};
      }
      return OfKind(HostOperation(expr.op, args), expr.type.kind);
    }
    default:
      return EvaluateTileOperation(expr);
  }
}

Value Machine::EvaluateRange(const Expr& expr) {
  const Value left = Evaluate(*expr.args.at(0));
  if (expr.op == Op::kNegate) {
    const Range range = std::get<Range>(left.data);
    const Value start = HostOperation(Op::kNegate, {{range.start}});
    return {Range{std::get<int64_t>(start.data), range.count, -range.step}};
  }
  const Value right = Evaluate(*expr.args.at(1));
  const bool first = std::holds_alternative<Range>(left.data);
  const Range range = std::get<Range>(first ? left.data : right.data);
  const Value number{ToInteger(first ? right : left)};
  const auto apply = [&](Op op, const Value& a, const Value& b) {
    return std::get<int64_t>(HostOperation(op, {a, b}).data);
  };
  const Value start{range.start};
  const Value step{range.step};
  Range result = range;
  switch (expr.op) {
    case Op::kAdd:
      result.start = apply(Op::kAdd, start, number);
      break;
    case Op::kSub:
      result.start = first ? apply(Op::kSub, start, number)
                           : apply(Op::kSub, number, start);
      if (!first) result.step = -range.step;
      break;
    case Op::kMul:
      result.start = apply(Op::kMul, start, number);
      result.step = apply(Op::kMul, step, number);
      break;
    default:
      throw InternalError("[interpret] a range that is not affine");
  }
  // The last position must be a number too.
  const Value last{range.count - 1};
  if (range.count > 0) {
    apply(Op::kAdd, {result.start}, {apply(Op::kMul, {result.step}, last)});
  }
  return {result};
}

TilePtr Machine::Elementwise(const Expr& expr) {
  std::vector<TilePtr> args;
  for (const Expr* arg : expr.args) {
    if (arg == nullptr || arg->type.kind == TypeKind::kHostString) continue;
    args.push_back(TileOf(*arg));
  }
  switch (expr.op) {
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
    case Op::kEqual:
    case Op::kNotEqual:
      return Compare(context_, expr.op, *args[0], *args[1]);
    case Op::kIsNan:
    case Op::kIsInf:
    case Op::kIsFinite:
      return Classify(context_, expr.op, *args[0]);
    case Op::kWhere:
      return Where(context_, *args[0], *args[1], *args[2]);
    case Op::kGelu: {
      const Expr* form = ArgumentOf(expr, 1);
      if (form != nullptr &&
          std::get<std::string>(Evaluate(*form).data) == "tanh") {
        return ApplyUnary(context_, TanhGeluRule(), *args[0]);
      }
      break;
    }
    case Op::kCeilDiv: {
      // -(-a // b) for integers of the device.
      const TilePtr negated = Unary(context_, Op::kNegate, *args[0]);
      return Unary(context_, Op::kNegate,
                   *Binary(context_, Op::kFloorDiv, *negated, *args[1]));
    }
    default:
      break;
  }
  switch (args.size()) {
    case 1:
      return Unary(context_, expr.op, *args[0]);
    case 2:
      return Binary(context_, expr.op, *args[0], *args[1]);
    default:
      return Ternary(context_, expr.op, *args[0], *args[1], *args[2]);
  }
}

TilePtr Machine::Reduction(const Expr& expr) {
  const TilePtr tile = TileOf(*expr.args.at(0));
  const bool keepdims = FlagOf(ArgumentOf(expr, 2), false);
  switch (expr.op) {
    case Op::kArgmax:
    case Op::kArgmin:
      return ReduceIndex(context_, expr.op, *tile, expr.axes, keepdims);
    case Op::kNorm: {
      double order = 2;
      if (const Expr* given = ArgumentOf(expr, 3)) {
        const Value value = Evaluate(*given);
        const auto* real = std::get_if<double>(&value.data);
        order = real != nullptr ? *real : static_cast<double>(ToInteger(value));
      }
      return Norm(context_, *tile, expr.axes, keepdims, order);
    }
    default:
      return Reduce(context_, expr.op, *tile, expr.axes, keepdims);
  }
}

TilePtr Machine::Load(const Expr& expr) {
  auto [tensor, window] = WindowOf(*expr.args.at(0));
  TilePtr fill;
  if (const Expr* given = ArgumentOf(expr, 1)) {
    fill = ToScalar(Evaluate(*given), tensor->dtype());
  }
  return tensor->Load(context_, iterations_, window, fill.get());
}

TilePtr Machine::Filled(const Expr& type, const Expr* value) {
  Shape shape;
  for (const Expr* size : type.args) shape.push_back(SizeOf(*size));
  const DType dtype = DtypeOf(type.type.element);
  if (value == nullptr) return NewTile(context_, dtype, shape);
  return BroadcastTo(context_, *ToScalar(Evaluate(*value), dtype), shape);
}

TilePtr Machine::ArangeOf(const Expr& expr) {
  const Value value = Evaluate(*expr.args.at(0));
  const auto* given = std::get_if<Range>(&value.data);
  const Range range = given != nullptr ? *given : Range{0, ToInteger(value), 1};
  if (range.count < 0) {
    throw Fault(code::kX193, fmt::format("arange({})", range.count),
                "the number of elements cannot be negative");
  }
  const DType dtype = DtypeOf(expr.type.element);
  auto tile = NewTile(context_, dtype, {range.count});
  for (int64_t i = 0; i < range.count; ++i) {
    tile->whole[static_cast<size_t>(i)] =
        WrapTo(dtype, static_cast<uint64_t>(range.at(i)));
  }
  return tile;
}

TilePtr Machine::ConvertTo(const Expr& expr) {
  const TilePtr tile = TileOf(*expr.args.at(0));
  const DType dtype = DtypeOf(expr.type.element);
  if (expr.op == Op::kBitcast) return Bitcast(context_, *tile, dtype);
  Round mode =
      tile->floating() && !IsFloating(dtype) ? Round::kTrunc : Round::kRint;
  if (const Expr* given = ArgumentOf(expr, 2)) {
    mode = RoundOf(std::get<std::string>(Evaluate(*given).data));
  }
  return Convert(context_, *tile, dtype, mode);
}

Value Machine::EvaluateTileOperation(const Expr& expr) {
  const auto tile = [&](size_t i) { return TileOf(*expr.args.at(i)); };
  switch (InfoOf(expr.op).family) {
    case OpFamily::kElementwise:
    case OpFamily::kCompare:
    case OpFamily::kHost:
      return {Elementwise(expr)};
    case OpFamily::kReduce:
      return {Reduction(expr)};
    case OpFamily::kConvert:
      return {ConvertTo(expr)};
    default:
      break;
  }
  switch (expr.op) {
    case Op::kLoad:
      return {Load(expr)};
    case Op::kFull:
      return {Filled(*expr.args.at(0), expr.args.at(1))};
    case Op::kZeros:
      return {Filled(*expr.args.at(0), nullptr)};
    case Op::kArange:
      return {ArangeOf(expr)};
    case Op::kPhilox: {
      const int64_t seed = IntegerOf(*expr.args.at(0));
      const int64_t offset = IntegerOf(*expr.args.at(1));
      const TilePtr like = Filled(*expr.args.at(2), nullptr);
      return {Philox(context_, seed, offset, like->dtype, like->shape)};
    }
    case Op::kCumsum:
    case Op::kCumprod:
    case Op::kCummax: {
      const TilePtr x = tile(0);
      return {Scan(context_, expr.op, *x, AxisOf(expr, *x, false),
                   FlagOf(ArgumentOf(expr, 2), false),
                   FlagOf(ArgumentOf(expr, 3), false))};
    }
    case Op::kLast: {
      const TilePtr x = tile(0);
      return {Last(context_, *x, AxisOf(expr, *x, false))};
    }
    case Op::kReshape:
      return {Reshape(context_, *tile(0), SizesOf(*expr.args.at(1)))};
    case Op::kBroadcast: {
      const TilePtr x = tile(0);
      return {BroadcastTo(context_, *x, SizesOf(*expr.args.at(1)))};
    }
    case Op::kTranspose: {
      const TilePtr x = tile(0);
      std::vector<int> order = expr.axes;
      if (order.empty()) {
        for (size_t d = x->shape.size(); d-- > 0;) {
          order.push_back(static_cast<int>(d));
        }
      }
      return {Transpose(context_, *x, order)};
    }
    case Op::kConcat: {
      std::vector<TilePtr> tiles;
      for (const Expr* part : expr.args.at(0)->args) {
        tiles.push_back(TileOf(*part));
      }
      return {Concat(context_, tiles, AxisOf(expr, *tiles.front(), false))};
    }
    case Op::kSort:
    case Op::kArgsort: {
      const TilePtr x = tile(0);
      const bool descending = FlagOf(ArgumentOf(expr, 2), false);
      const int axis = AxisOf(expr, *x, true);
      return {expr.op == Op::kSort ? Sort(context_, *x, axis, descending)
                                   : Argsort(context_, *x, axis, descending)};
    }
    case Op::kTopk: {
      const TilePtr x = tile(0);
      const int64_t k = IntegerOf(*expr.args.at(1));
      return PairOf(Topk(context_, *x, k, AxisOf(expr, *x, true),
                         FlagOf(ArgumentOf(expr, 3), true)));
    }
    case Op::kMergeTopk: {
      const TilePtr values = tile(0);
      return PairOf(MergeTopk(context_, *values, *tile(1), *tile(2), *tile(3),
                              AxisOf(expr, *values, true),
                              FlagOf(ArgumentOf(expr, 5), true)));
    }
    case Op::kTake: {
      const TilePtr x = tile(0);
      return {Take(context_, *x, *tile(1), AxisOf(expr, *x, false))};
    }
    case Op::kCompress:
      return PairOf(Compress(context_, *tile(0), *tile(1)));
    case Op::kDeinterleave:
      return PairOf(Deinterleave(context_, *tile(0)));
    case Op::kMatmul:
      return {Matmul(context_, *tile(0), *tile(1))};
    case Op::kAcrossCores: {
      const TilePtr like = Filled(*expr.args.at(1), nullptr);
      return {std::make_shared<Across>(context_, expr.type.combine, like->dtype,
                                       like->shape)};
    }
    default:
      throw InternalError(
          fmt::format("[interpret] {} as an expression", InfoOf(expr.op).id));
  }
}

}  // namespace belay::crux::interpret
