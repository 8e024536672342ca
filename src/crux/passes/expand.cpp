// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/expand.h"

#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>

#include "crux/passes/builder.h"
#include "crux/passes/ranges.h"
#include "crux/passes/walk.h"

namespace belay::crux::passes {
namespace {

using Operands = std::vector<ir::Operand>;

class Expander {
 public:
  Expander(ir::Kernel& kernel, const Ranges& ranges, const ir::Stmt& stmt)
      : build_(kernel, stmt), ranges_(ranges), stmt_(stmt) {}

  // Nothing: the statement stays.
  ir::Block Run() {
    switch (stmt_.op) {
      case Op::kReciprocal:
        Result(Op::kDiv, {RealNumber(1), X()});
        break;
      case Op::kRsqrt:
        Result(Op::kDiv, {RealNumber(1), Make(Op::kSqrt, {X()}, "root")});
        break;
      case Op::kSigmoid:
        Result(Op::kDiv, {RealNumber(1), OnePlusExp(Negative(X()))});
        break;
      case Op::kSilu:
        Silu();
        break;
      case Op::kGelu:
        stmt_.tanh ? TanhGelu() : Gelu();
        break;
      case Op::kSoftplus:
        Softplus();
        break;
      case Op::kLog1p:
        Log1p();
        break;
      case Op::kExpm1:
        Expm1();
        break;
      case Op::kLerp:
        Lerp();
        break;
      case Op::kClamp:
        Result(Op::kMinimum,
               {Make(Op::kMaximum, {Tile(0), stmt_.operands[1]}, "raised"),
                stmt_.operands[2]});
        break;
      case Op::kPow:
        Power();
        break;
      case Op::kNorm:
        Norm();
        break;
      case Op::kSort:
      case Op::kArgsort:
      case Op::kTopk:
        SortAsFloats();
        break;
      case Op::kArgmax:
      case Op::kArgmin:
        FirstPlace();
        break;
      case Op::kIsNan:
        Result(Op::kNotEqual, {X(), X()});
        break;
      case Op::kIsInf:
        Result(Op::kEqual, {Make(Op::kAbs, {X()}, "size"), Infinity()});
        break;
      case Op::kIsFinite:
        Result(Op::kLess, {Make(Op::kAbs, {X()}, "size"), Infinity()});
        break;
      default:
        break;
    }
    return build_.Take();
  }

 private:
  const ir::Operand& X() const { return stmt_.operands[0]; }
  static ir::Number Infinity() {
    return RealNumber(std::numeric_limits<double>::infinity());
  }
  int Make(Op op, Operands operands, const char* wish) {
    return build_.Make(op, std::move(operands), wish);
  }
  void Result(Op op, Operands operands) {
    build_.Set(stmt_.results[0], op, std::move(operands));
  }
  int Negative(const ir::Operand& a) {
    return Make(Op::kNegate, {a}, "negative");
  }
  int OnePlusExp(const ir::Operand& a) {
    return Make(Op::kAdd, {Make(Op::kExp, {a}, "exp"), RealNumber(1)},
                "denominator");
  }
  // An operand as a tile: a number becomes a scalar.
  ir::Operand Tile(size_t i) {
    if (std::holds_alternative<int>(stmt_.operands[i])) {
      return stmt_.operands[i];
    }
    const DType dtype = build_.kernel().tiles[stmt_.results[0]].dtype;
    return build_.MakeAs(dtype, Op::kFull, {stmt_.operands[i]}, "number");
  }

  // Below -88 the result is no normal number, and -inf must give 0.
  void Silu() {
    const int x = Make(Op::kMaximum, {X(), RealNumber(-88)}, "held");
    Result(Op::kDiv, {x, OnePlusExp(Negative(x))});
  }

  // (c0·first + c1)·uⁿ + c2·uⁿ⁻¹ + …; at least two numbers. One instruction a
  // step, the first one as well where `first` ends there.
  int Polynomial(int first, int u, std::initializer_list<double> numbers) {
    const double* number = numbers.begin();
    int product = Make(Op::kMul, {first, RealNumber(*number)}, "product");
    while (true) {
      const int sum = Make(Op::kAdd, {product, RealNumber(*++number)}, "sum");
      if (number + 1 == numbers.end()) return sum;
      product = Make(Op::kMul, {sum, u}, "product");
    }
  }

  // max(x, 0) + n·exp(P(n)), n = -|x|: exp(P) is the normal distribution, good
  // for 2 units in the last place of x. At -14 it is 0, and so it is at -inf.
  void Gelu() {
    const int size = Make(Op::kAbs, {X()}, "size");
    const int held = Make(Op::kMinimum, {size, RealNumber(14)}, "held");
    const int n = Negative(held);
    const int log =
        Polynomial(held, n,
                   {-1.44310179e-05, 0.000463819248, 0.0053913719, 0.0367280841,
                    -0.318190873, 0.797897518, -0.693146944});
    const int part = Make(Op::kExp, {log}, "part");
    const int positive = Make(Op::kMaximum, {X(), RealNumber(0)}, "positive");
    Result(Op::kAdd, {Make(Op::kMul, {part, n}, "tail"), positive});
  }

  // 0.5 · x · (1 + tanh(u)) = x / (1 + exp(-2u)), u = √(2/π)(x + 0.044715 x³).
  void TanhGelu() {
    constexpr double kLinear = -1.5957691216057308;
    constexpr double kCubic = kLinear * 0.044715;
    const int x = Make(Op::kMaximum, {X(), RealNumber(-10)}, "held");
    const int square = Make(Op::kMul, {x, x}, "square");
    const int cubic = Make(Op::kMul, {square, RealNumber(kCubic)}, "cubic");
    const int slope = Make(Op::kAdd, {cubic, RealNumber(kLinear)}, "slope");
    const int inner = Make(Op::kMul, {slope, x}, "inner");
    Result(Op::kDiv, {x, OnePlusExp(inner)});
  }

  // The two terms of ln(1 + e) for e between 0 and 1: of the sum as it is
  // rounded, and what that lost of e.
  Operands LogOfOnePlus(const ir::Operand& e) {
    const int sum = Make(Op::kAdd, {e, RealNumber(1)}, "sum");
    const int held = Make(Op::kAdd, {sum, RealNumber(-1)}, "held");
    const int lost = Make(Op::kSub, {e, held}, "lost");
    return {Make(Op::kLn, {sum}, "log"), lost};
  }

  // max(x, 0) + ln(1 + exp(-|x|)).
  void Softplus() {
    if (ranges_.Of(X()).high <= 0) {
      return Result(Op::kAdd, LogOfOnePlus(Make(Op::kExp, {X()}, "exp")));
    }
    const int size = Make(Op::kAbs, {X()}, "size");
    const int e = Make(Op::kExp, {Negative(size)}, "exp");
    const int log = Make(Op::kAdd, LogOfOnePlus(e), "log_whole");
    const int positive = Make(Op::kMaximum, {X(), RealNumber(0)}, "positive");
    Result(Op::kAdd, {log, positive});
  }

  // ln(u) - ((u - 1) - x) / u with u = 1 + x rounded. The correction is taken
  // of numbers that keep it finite: it is 0 beyond 2^25, and at -1.
  void Log1p() {
    if (ranges_.Of(X()).Within(0, 1)) {
      return Result(Op::kAdd, LogOfOnePlus(X()));
    }
    const int u = Make(Op::kAdd, {X(), RealNumber(1)}, "sum");
    const int log = Make(Op::kLn, {u}, "log");
    const int x = Make(Op::kMinimum, {X(), RealNumber(0x1p25)}, "held");
    const int held = Make(Op::kMinimum, {u, RealNumber(0x1p25)}, "held_sum");
    const int back = Make(Op::kAdd, {held, RealNumber(-1)}, "back");
    const int lost = Make(Op::kSub, {back, x}, "lost");
    const int divisor =
        Make(Op::kMaximum, {held, RealNumber(0x1p-24)}, "divisor");
    Result(Op::kSub, {log, Make(Op::kDiv, {lost, divisor}, "correction")});
  }

  // (u - 1) + u·(x - ln(u)): u = exp(x) rounded, and what the rounding did to
  // it. Above ln(2) nothing cancels, and the correction is held where it is 0.
  void Expm1() {
    const Range range = ranges_.Of(X());
    const ir::Operand x =
        range.low >= -80
            ? X()
            : ir::Operand(Make(Op::kMaximum, {X(), RealNumber(-80)}, "held"));
    const int u = Make(Op::kExp, {x}, "exp");
    ir::Operand small = x;
    int factor = u;
    if (range.high > 0) {
      small = Make(Op::kMinimum, {x, RealNumber(std::numbers::ln2)}, "small");
      factor = Make(Op::kMinimum, {u, RealNumber(2)}, "factor");
    }
    const int log = Make(Op::kLn, {factor}, "log");
    const int lost = Make(Op::kSub, {small, log}, "lost");
    const int mend = Make(Op::kMul, {lost, factor}, "mend");
    const int less = Make(Op::kAdd, {u, RealNumber(-1)}, "less");
    Result(Op::kAdd, {mend, less});
  }

  // a + w · (b - a).
  void Lerp() {
    const ir::Operand a = Tile(0);
    const int way = Make(Op::kSub, {stmt_.operands[1], a}, "way");
    const int part = Make(Op::kMul, {way, stmt_.operands[2]}, "part");
    Result(Op::kAdd, {part, a});
  }

  // Exponents that products give more exactly.
  void Power() {
    const auto* exponent = std::get_if<ir::Number>(&stmt_.operands[1]);
    if (exponent == nullptr || !std::holds_alternative<int>(X())) return;
    if (!IsFloating(build_.DtypeOf(X()))) return;
    const double by = exponent->kind == ir::Number::Kind::kReal ? exponent->real
                      : exponent->kind == ir::Number::Kind::kInt &&
                              exponent->integer.is_constant()
                          ? static_cast<double>(exponent->integer.value())
                          : 0;
    if (by == 2) {
      Result(Op::kMul, {X(), X()});
    } else if (by == 3) {
      Result(Op::kMul, {Make(Op::kMul, {X(), X()}, "square"), X()});
    } else if (by == 4) {
      const int square = Make(Op::kMul, {X(), X()}, "square");
      Result(Op::kMul, {square, square});
    } else if (by == -1) {
      Result(Op::kDiv, {RealNumber(1), X()});
    } else if (ranges_.Of(X()).low >= 0) {
      PowerOfRoot(by);
    }
  }

  // Of numbers that are not negative: a root of -inf is NaN. -0 may be among
  // them, and is its own root.
  void PowerOfRoot(double by) {
    if (by == 0.5) {
      Result(Op::kSqrt, {X()});
    } else if (by == 1.5) {
      Result(Op::kMul, {X(), Make(Op::kSqrt, {X()}, "root")});
    } else if (by == -0.5 && ranges_.Of(X()).low > 0) {
      Result(Op::kDiv, {RealNumber(1), Make(Op::kSqrt, {X()}, "root")});
    }
  }

  // results[0], or a tile like it, = `op` of the tile along the same axes.
  int Reduced(Op op, int of, bool is_result) {
    auto reduce = std::make_shared<ir::Stmt>(stmt_);
    reduce->op = op;
    reduce->operands = {of};
    if (!is_result) {
      const ir::Tile result = build_.kernel().tiles[stmt_.results[0]];
      reduce->results = {
          build_.kernel()
              .NewTile("total", result.dtype, result.dims, build_.line())
              .id};
    }
    const int made = reduce->results[0];
    build_.Append(std::move(reduce));
    return made;
  }

  void Norm() {
    const double order = stmt_.order;
    if (order == 2) {
      const int square = Make(Op::kMul, {X(), X()}, "square");
      return Result(Op::kSqrt, {Reduced(Op::kSum, square, false)});
    }
    const int size = Make(Op::kAbs, {X()}, "size");
    if (std::isinf(order)) {
      Reduced(Op::kMax, size, true);
    } else if (order == 1) {
      Reduced(Op::kSum, size, true);
    } else {
      const int power = Make(Op::kPow, {size, RealNumber(order)}, "power");
      Result(Op::kPow,
             {Reduced(Op::kSum, power, false), RealNumber(1 / order)});
    }
  }

  // Integers that f32 holds.
  void SortAsFloats() {
    const DType dtype = build_.DtypeOf(X());
    if (IsFloating(dtype) || belay::BytesOf(dtype) > 2) return;
    auto sort = std::make_shared<ir::Stmt>(stmt_);
    const int wide =
        build_.Convert(std::get<int>(X()), DType::kFloat, "as_floats");
    sort->operands[0] = wide;
    const int result = stmt_.results[0];
    const bool gives_values = stmt_.op != Op::kArgsort;
    if (gives_values) {
      const std::vector<ir::Dim> dims = build_.kernel().tiles[result].dims;
      sort->results[0] =
          build_.kernel()
              .NewTile("sorted", DType::kFloat, dims, build_.line())
              .id;
    }
    const int sorted = sort->results[0];
    build_.Append(std::move(sort));
    if (gives_values) Result(Op::kTo, {sorted});
  }

  // The first place of what is as large as the largest, or NaN: then the
  // largest is NaN, and equal to nothing.
  void FirstPlace() {
    const ir::Tile x = build_.kernel().tiles[std::get<int>(X())];
    const auto axis = static_cast<size_t>(stmt_.axes[0]);
    if (belay::BytesOf(x.dtype) > 4 || x.dims[axis].is_one()) return;
    const auto reduce = [&](Op op, int of, std::vector<ir::Dim> dims,
                            DType dtype, const char* wish) {
      auto stmt = std::make_shared<ir::Stmt>(stmt_);
      stmt->op = op;
      stmt->operands = {of};
      stmt->results = {build_.kernel()
                           .NewTile(wish, dtype, std::move(dims), build_.line())
                           .id};
      const int made = stmt->results[0];
      build_.Append(std::move(stmt));
      return made;
    };
    std::vector<ir::Dim> kept = x.dims;
    kept[axis] = {1, 1};
    const int best = reduce(stmt_.op == Op::kArgmax ? Op::kMax : Op::kMin, x.id,
                            kept, x.dtype, "best");
    int found = Make(Op::kEqual, {x.id, best}, "found");
    if (IsFloating(x.dtype)) {
      const int nan = Make(Op::kNotEqual, {x.id, x.id}, "is_nan");
      found = Make(Op::kBitOr, {found, nan}, "found");
    }
    const int numbers =
        build_.kernel()
            .NewTile("numbers", DType::kInt32, {x.dims[axis]}, build_.line())
            .id;
    build_.Set(numbers, Op::kArange, {IntNumber(0)});
    int places = build_.Convert(numbers, DType::kFloat, "places");
    if (axis + 1 < x.dims.size()) {
      std::vector<ir::Dim> dims(x.dims.size() - axis, ir::Dim{1, 1});
      dims[0] = x.dims[axis];
      const int column = build_.kernel()
                             .NewTile("places_column", DType::kFloat,
                                      std::move(dims), build_.line())
                             .id;
      build_.Append(Reshape(column, places, build_.line()));
      places = column;
    }
    const int candidates = build_.MakeAs(
        DType::kFloat, Op::kWhere, {found, places, Infinity()}, "candidates");
    const std::vector<ir::Dim> dims =
        build_.kernel().tiles[stmt_.results[0]].dims;
    const int first =
        reduce(Op::kMin, candidates, dims, DType::kFloat, "first");
    Result(Op::kTo, {first});
  }

  Builder build_;
  const Ranges& ranges_;
  const ir::Stmt& stmt_;
};

}  // namespace

void Expand(ir::Kernel& kernel) {
  const Ranges ranges(kernel);
  RewriteBlock(kernel.body,
               [&](const std::shared_ptr<ir::Stmt>& stmt) -> Replacement {
                 if (stmt->kind != ir::StmtKind::kCompute) return std::nullopt;
                 ir::Block made = Expander(kernel, ranges, *stmt).Run();
                 if (made.empty()) return std::nullopt;
                 return made;
               });
}

}  // namespace belay::crux::passes
