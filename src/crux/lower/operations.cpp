// SPDX-License-Identifier: Apache-2.0
// Operations of the registry as computations on tiles.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "crux/lower/lowering.h"

namespace belay::crux::lower {
namespace {

using typed::ExprKind;

// An optional argument may be null or missing at the end.
const typed::Expr* ArgumentAt(const typed::Expr& expr, size_t i) {
  return i < expr.args.size() ? expr.args[i] : nullptr;
}

abi::Round RoundNamed(const std::string& mode) {
  if (mode == "rint") return abi::Round::kRint;
  if (mode == "floor") return abi::Round::kFloor;
  if (mode == "ceil") return abi::Round::kCeil;
  if (mode == "round") return abi::Round::kRound;
  if (mode == "trunc") return abi::Round::kTrunc;
  if (mode == "odd") return abi::Round::kOdd;
  throw InternalError("[crux] rounding mode " + mode);
}

}  // namespace

std::vector<Dim> BroadcastDims(std::vector<Dim> a, const std::vector<Dim>& b) {
  if (b.size() > a.size()) {
    a.insert(a.begin(), b.size() - a.size(), Dim{1, 1});
  }
  for (size_t i = 0; i < b.size(); ++i) {
    Dim& have = a[a.size() - b.size() + i];
    if (have.is_one() && !b[i].is_one()) have = b[i];
  }
  return a;
}

std::string NameOfOperation(Op op) {
  std::string name;
  for (const char c : InfoOf(op).id) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital && !name.empty()) name += '_';
    name += capital ? static_cast<char>(c | 0x20) : c;
  }
  return name;
}

// A loaded tile in another dtype keeps the tensor's name.
std::string Lowering::ResultName(const ir::Stmt& stmt, DType dtype) const {
  constexpr std::string_view kLoaded = "_local";
  const int* tile =
      stmt.op == Op::kTo ? std::get_if<int>(&stmt.operands[0]) : nullptr;
  if (tile != nullptr) {
    const std::string& from = TileAt(*tile).name;
    if (from.ends_with(kLoaded)) {
      return fmt::format("{}_{}", from.substr(0, from.size() - kLoaded.size()),
                         dtype == DType::kFloat ? "float" : "cast");
    }
  }
  return NameOfOperation(stmt.op);
}

int Lowering::Compute(ir::Stmt stmt, DType dtype, std::vector<Dim> dims,
                      Target* target) {
  const OpFamily family = InfoOf(stmt.op).family;
  const bool lanewise = family == OpFamily::kElementwise ||
                        family == OpFamily::kCompare ||
                        family == OpFamily::kConvert;
  // Only lane by lane may a result be written over an operand.
  if (target != nullptr && target->home >= 0 && !lanewise) {
    for (const ir::Operand& operand : stmt.operands) {
      const int* tile = std::get_if<int>(&operand);
      if (tile != nullptr && *tile == target->home) {
        target = nullptr;
        break;
      }
    }
  }
  const bool fresh = target == nullptr || target->home < 0;
  const int result = ResultTile(target, ResultName(stmt, dtype), dtype,
                                std::move(dims), stmt.line);
  stmt.kind = ir::StmtKind::kCompute;
  stmt.results = {result};
  block_->push_back(std::make_shared<ir::Stmt>(std::move(stmt)));
  if (fresh) LearnFacts(ir::Stmt(*block_->back()));
  return result;
}

int Lowering::Compute(Op op, std::vector<ir::Operand> operands, DType dtype,
                      std::vector<Dim> dims, Target* target, int line) {
  ir::Stmt stmt;
  stmt.op = op;
  stmt.operands = std::move(operands);
  stmt.line = line;
  return Compute(std::move(stmt), dtype, std::move(dims), target);
}

std::optional<Int> Lowering::ScalarOf(const ir::Operand& operand) {
  if (const auto* number = std::get_if<ir::Number>(&operand)) {
    if (number->kind == ir::Number::Kind::kInt) return number->integer;
    return std::nullopt;
  }
  const int tile = std::get<int>(operand);
  if (!TileAt(tile).dims.empty()) return std::nullopt;
  return ReadTile(tile, TileAt(tile).name, nullptr);
}

void Lowering::LearnFacts(const ir::Stmt& stmt) {
  const int result = stmt.results[0];
  const DType dtype = TileAt(result).dtype;
  if (dtype != DType::kInt32 && dtype != DType::kInt64) return;
  const auto bound_of = [&](const ir::Operand& operand) -> Bound {
    if (const auto* number = std::get_if<ir::Number>(&operand)) {
      if (number->kind != ir::Number::Kind::kInt) return {};
      return {Lower(number->integer), Upper(number->integer)};
    }
    const auto found = tile_bounds_.find(std::get<int>(operand));
    return found == tile_bounds_.end() ? Bound() : found->second;
  };
  if (TileAt(result).dims.empty()) {
    Bound bound;
    switch (stmt.op) {
      case Op::kFull:
      case Op::kTo:
        bound = bound_of(stmt.operands[0]);
        break;
      case Op::kMinimum:
      case Op::kMaximum: {
        const Bound a = bound_of(stmt.operands[0]);
        const Bound b = bound_of(stmt.operands[1]);
        const bool least = stmt.op == Op::kMinimum;
        if (a.high && b.high) {
          bound.high = least ? Min(*a.high, *b.high) : Max(*a.high, *b.high);
        } else if (least) {
          bound.high = a.high ? a.high : b.high;
        }
        if (a.low && b.low) {
          bound.low = least ? Min(*a.low, *b.low) : Max(*a.low, *b.low);
        } else if (!least) {
          bound.low = a.low ? a.low : b.low;
        }
        break;
      }
      case Op::kClamp:
        bound.low = bound_of(stmt.operands[1]).low;
        bound.high = bound_of(stmt.operands[2]).high;
        break;
      case Op::kWhere: {
        const Bound a = bound_of(stmt.operands[1]);
        const Bound b = bound_of(stmt.operands[2]);
        if (a.high && b.high) bound.high = Max(*a.high, *b.high);
        if (a.low && b.low) bound.low = Min(*a.low, *b.low);
        break;
      }
      default:
        break;
    }
    if (bound.low || bound.high) tile_bounds_[result] = bound;
    return;
  }
  if (stmt.op == Op::kArange) {
    const Int start = std::get<ir::Number>(stmt.operands[0]).integer;
    affine_[result] = {start, 1, TileAt(result).dims[0]};
    return;
  }
  const bool moves = stmt.op == Op::kAdd || stmt.op == Op::kSub;
  if (!moves && stmt.op != Op::kMul) return;
  for (const size_t at : {size_t{0}, size_t{1}}) {
    const int* tile = std::get_if<int>(&stmt.operands[at]);
    const auto found = tile != nullptr ? affine_.find(*tile) : affine_.end();
    if (found == affine_.end()) continue;
    Range range = found->second;
    const auto number = ScalarOf(stmt.operands[1 - at]);
    if (!number) continue;
    if (stmt.op == Op::kSub && at == 1) {
      range.start = *number - range.start;
      range.step = Int(0) - range.step;
    } else if (moves) {
      range.start =
          stmt.op == Op::kAdd ? range.start + *number : range.start - *number;
    } else if (number->is_constant() && number->value() > 0) {
      range.start = range.start * *number;
      range.step = range.step * *number;
    } else {
      continue;
    }
    affine_[result] = range;
    return;
  }
}

bool Lowering::Flag(const Expr* expr, bool fallback) {
  return expr == nullptr ? fallback : Decide(*expr);
}

ir::Operand Lowering::LowerElementwise(const Expr& expr, Target* target) {
  const int line = expr.range.line;
  std::vector<const Expr*> args;
  for (const Expr* arg : expr.args) {
    if (arg == nullptr || arg->type.kind == TypeKind::kHostString) continue;
    args.push_back(arg);
  }
  const bool tiles = std::any_of(args.begin(), args.end(), [](const Expr* arg) {
    return arg->type.is_tile();
  });
  // Indices compared: an integer, 0 or 1.
  if (!tiles) return IntegerNumber(ConditionOf(expr));
  std::vector<ir::Operand> operands;
  for (const Expr* arg : args) operands.push_back(OperandOf(*arg));
  const auto materialise = [&](size_t i) {
    operands[i] = Materialised(operands[i], DtypeOf(args[i]->type.element),
                               nullptr, line);
  };
  const bool numbers = std::all_of(
      operands.begin(), operands.end(), [](const ir::Operand& operand) {
        return std::holds_alternative<ir::Number>(operand);
      });
  if (numbers || expr.op == Op::kWhere) materialise(0);
  std::vector<Dim> dims;
  for (const ir::Operand& operand : operands) {
    if (const int* tile = std::get_if<int>(&operand)) {
      dims = BroadcastDims(std::move(dims), TileAt(*tile).dims);
    }
  }
  const DType dtype = DtypeOf(expr.type.element);
  if (expr.op == Op::kCeilDiv) {
    const int negated =
        Compute(Op::kNegate, {operands[0]}, dtype, dims, nullptr, line);
    const int quotient = Compute(Op::kFloorDiv, {negated, operands[1]}, dtype,
                                 dims, nullptr, line);
    return Compute(Op::kNegate, {quotient}, dtype, dims, target, line);
  }
  ir::Stmt stmt;
  stmt.op = expr.op;
  stmt.line = line;
  stmt.operands = std::move(operands);
  if (const Expr* form = expr.op == Op::kGelu ? ArgumentAt(expr, 1) : nullptr) {
    stmt.tanh = Inlined(*form)->text == "tanh";
  }
  return Compute(std::move(stmt), dtype, std::move(dims), target);
}

ir::Operand Lowering::LowerConvert(const Expr& expr, Target* target) {
  const DType dtype = DtypeOf(expr.type.element);
  const int tile = TileOf(*expr.args[0]);
  const DType from = TileAt(tile).dtype;
  if (from == dtype) return tile;
  ir::Stmt stmt;
  stmt.op = expr.op;
  stmt.line = expr.range.line;
  stmt.operands = {tile};
  if (expr.op == Op::kTo) {
    stmt.round = IsFloating(from) && !IsFloating(dtype) ? abi::Round::kTrunc
                                                        : abi::Round::kRint;
    if (const Expr* mode = ArgumentAt(expr, 2)) {
      stmt.round = RoundNamed(Inlined(*mode)->text);
    }
  }
  return Compute(std::move(stmt), dtype, TileAt(tile).dims, target);
}

int Lowering::LowerArange(const Expr& expr, Target* target) {
  const Expr& extent = *expr.args[0];
  Range range;
  if (extent.type.kind == TypeKind::kRange) {
    range = RangeOf(extent);
  } else {
    range.extent = DimOf(extent);
  }
  const DType dtype = DtypeOf(expr.type.element);
  const int line = expr.range.line;
  if (range.step.Is(1)) {
    return Compute(Op::kArange, {IntegerNumber(range.start)}, dtype,
                   {range.extent}, target, line);
  }
  const int counted = Compute(Op::kArange, {IntegerNumber(0)}, dtype,
                              {range.extent}, nullptr, line);
  const int spread = Compute(Op::kMul, {counted, IntegerNumber(range.step)},
                             dtype, {range.extent}, nullptr, line);
  return Compute(Op::kAdd, {spread, IntegerNumber(range.start)}, dtype,
                 {range.extent}, target, line);
}

int Lowering::LowerMake(const Expr& expr, Target* target) {
  if (expr.op == Op::kArange) return LowerArange(expr, target);
  const bool random = expr.op == Op::kPhilox;
  const Expr& type = *expr.args[random ? 2 : 0];
  std::vector<Dim> dims;
  for (const Expr* size : type.args) dims.push_back(DimOf(*size));
  ir::Stmt stmt;
  stmt.op = random ? Op::kPhilox : Op::kFull;
  stmt.line = expr.range.line;
  if (random) {
    const Int seed = IntOf(*expr.args[0]);
    stmt.operands = {IntegerNumber(seed), IntegerNumber(IntOf(*expr.args[1]))};
  } else if (expr.op == Op::kZeros) {
    stmt.operands = {IntegerNumber(0)};
  } else {
    stmt.operands = {OperandOf(*expr.args[1])};
    // A scalar of a scalar is that scalar.
    if (const int* tile = std::get_if<int>(&stmt.operands[0]);
        tile != nullptr && dims.empty()) {
      return *tile;
    }
  }
  return Compute(std::move(stmt), DtypeOf(type.type.element), std::move(dims),
                 target);
}

ir::Operand Lowering::LowerOperation(const Expr& expr, Target* target) {
  switch (InfoOf(expr.op).family) {
    case OpFamily::kElementwise:
    case OpFamily::kCompare:
    case OpFamily::kHost:
      return LowerElementwise(expr, target);
    case OpFamily::kConvert:
      return LowerConvert(expr, target);
    case OpFamily::kReduce:
      return LowerReduce(expr, target);
    case OpFamily::kMake:
      return LowerMake(expr, target);
    case OpFamily::kShape:
      return LowerShape(expr, target);
    case OpFamily::kScan:
    case OpFamily::kOrder:
      return LowerAlongAxis(expr, target);
    case OpFamily::kMove:
      return LowerLoad(expr, target);
    case OpFamily::kCube: {
      const int a = TileOf(*expr.args[0]);
      const int b = TileOf(*expr.args[1]);
      return Compute(Op::kMatmul, {a, b}, DtypeOf(expr.type.element),
                     {TileAt(a).dims[0], TileAt(b).dims[1]}, target,
                     expr.range.line);
    }
    default:
      throw InternalError(
          fmt::format("[crux] {} as a tile", InfoOf(expr.op).id));
  }
}

}  // namespace belay::crux::lower
