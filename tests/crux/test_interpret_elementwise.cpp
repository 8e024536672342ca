// SPDX-License-Identifier: Apache-2.0
// Elementwise operations, one by one, against plain C++.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "base/catalogue.h"
#include "crux/interpret/elementwise.h"
#include "crux/interpret/whole_rules.h"
#include "crux/type.h"
#include "tiles.h"

namespace belay::crux::interpret::test_interpret_elementwise {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

void ExpectSame(double got, double expected, const std::string& what) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(got)) << what << " gave " << got;
  } else {
    EXPECT_EQ(got, expected) << what;
  }
}

// Long double references, written apart from the rules.
const std::map<Op, std::function<long double(long double)>> kUnary = {
    {Op::kAbs, [](long double x) { return x < 0 ? -x : x; }},
    {Op::kAcos, [](long double x) { return acosl(x); }},
    {Op::kAsin, [](long double x) { return asinl(x); }},
    {Op::kAtan, [](long double x) { return atanl(x); }},
    {Op::kCeil, [](long double x) { return ceill(x); }},
    {Op::kCos, [](long double x) { return cosl(x); }},
    {Op::kCosh, [](long double x) { return coshl(x); }},
    {Op::kErf, [](long double x) { return erfl(x); }},
    {Op::kErfc, [](long double x) { return erfcl(x); }},
    {Op::kExp, [](long double x) { return expl(x); }},
    {Op::kExpm1, [](long double x) { return expm1l(x); }},
    {Op::kFloor, [](long double x) { return floorl(x); }},
    {Op::kGelu, [](long double x) { return x / 2 * erfcl(-x / sqrtl(2.0l)); }},
    {Op::kLn, [](long double x) { return logl(x); }},
    {Op::kLog10, [](long double x) { return log10l(x); }},
    {Op::kLog1p, [](long double x) { return log1pl(x); }},
    {Op::kLog2, [](long double x) { return log2l(x); }},
    {Op::kNegate, [](long double x) { return -x; }},
    {Op::kReciprocal, [](long double x) { return 1 / x; }},
    {Op::kRound, [](long double x) { return rintl(x); }},
    {Op::kRsqrt, [](long double x) { return 1 / sqrtl(x); }},
    {Op::kSigmoid, [](long double x) { return 1 / (1 + expl(-x)); }},
    {Op::kSign, [](long double x) { return x > 0   ? 1.0l
                                           : x < 0 ? -1.0l
                                                   : x; }},
    {Op::kSilu, [](long double x) { return x / (1 + expl(-x)); }},
    {Op::kSin, [](long double x) { return sinl(x); }},
    {Op::kSinh, [](long double x) { return sinhl(x); }},
    {Op::kSoftplus, [](long double x) { return log1pl(expl(x)); }},
    {Op::kSqrt, [](long double x) { return sqrtl(x); }},
    {Op::kTan, [](long double x) { return tanl(x); }},
    {Op::kTanh, [](long double x) { return tanhl(x); }},
    {Op::kTrunc, [](long double x) { return truncl(x); }},
};

std::vector<double> UnarySamples() {
  std::mt19937_64 random(TestSeed());
  std::normal_distribution<double> normal(0, 3);
  std::vector<double> samples = {0, 0.5, -0.5, 1, -1, 2.5, -2.5, 0.999, 6e-5};
  for (int i = 0; i < 200; ++i) samples.push_back(normal(random));
  return samples;
}

TEST(InterpretElementwise, UnaryIsTheRoundedFunction) {
  TileTest test;
  for (const DType dtype : {DType::kHalf, DType::kBfloat16, DType::kFloat}) {
    const auto x = test.Make(dtype, UnarySamples());
    for (const auto& [op, function] : kUnary) {
      const TilePtr y = Unary(test.exact, op, *x);
      for (size_t i = 0; i < x->size(); ++i) {
        const auto expected = static_cast<double>(function(x->real[i]));
        const std::string what = fmt::format("{} of {} as {}", InfoOf(op).id,
                                             x->real[i], belay::NameOf(dtype));
        // Rounding to double first may move a value across a halfway point;
        // a chain of double operations has a few roundings of its own.
        EXPECT_LE(DistanceOf(y->real[i], RoundTo(dtype, expected)),
                  std::isfinite(expected) ? std::fabs(expected) * 1e-12 : 0)
            << what;
      }
    }
  }
}

TEST(InterpretElementwise, EveryElementwiseOperationHasARule) {
  for (const OpInfo& info : AllOperations()) {
    if (info.family != OpFamily::kElementwise) continue;
    size_t tiles = 0;
    for (const OpParameter& parameter : info.parameters) {
      tiles += parameter.role == ArgRole::kTile ? 1 : 0;
    }
    // lerp is its difference, product and sum.
    if (Allows(info.dtypes, DType::kFloat) && info.op != Op::kLerp) {
      EXPECT_TRUE(tiles == 1   ? FindRealUnary(info.op) != nullptr
                  : tiles == 2 ? FindRealBinary(info.op) != nullptr
                               : FindRealTernary(info.op) != nullptr)
          << info.id;
    }
    if (!Allows(info.dtypes, DType::kInt32)) continue;
    TileTest test;
    const auto one = test.Make(DType::kInt32, {3});
    EXPECT_NO_THROW(tiles == 1 ? Unary(test.exact, info.op, *one)
                    : tiles == 2
                        ? Binary(test.exact, info.op, *one, *one)
                        : Ternary(test.exact, info.op, *one, *one, *one))
        << info.id;
  }
}

TEST(InterpretElementwise, FloatDivisionAndRemainderAreNumPys) {
  TileTest test;
  struct Case {
    double a, b, quotient, remainder;
  };
  // As numpy.float32 gives them.
  for (const Case& c : std::vector<Case>{{7, 2, 3, 1},
                                         {-7, 2, -4, 1},
                                         {7, -2, -4, -1},
                                         {-7, -2, 3, -1},
                                         {6, 3, 2, 0},
                                         {-6, 3, -2, 0},
                                         {1, 0, kInfinity, kNan},
                                         {0.5, 0.25, 2, 0},
                                         {5.5, -2, -3, -0.5}}) {
    const auto a = test.Make(DType::kFloat, {c.a});
    const auto b = test.Make(DType::kFloat, {c.b});
    ExpectSame(Binary(test.exact, Op::kFloorDiv, *a, *b)->real[0], c.quotient,
               fmt::format("{} // {}", c.a, c.b));
    ExpectSame(Binary(test.exact, Op::kMod, *a, *b)->real[0], c.remainder,
               fmt::format("{} % {}", c.a, c.b));
  }
}

TEST(InterpretElementwise, MaximumAndMinimumPassNanOn) {
  TileTest test;
  const auto a = test.Make(DType::kHalf, {1, kNan, 3, kNan});
  const auto b = test.Make(DType::kHalf, {2, 2, kNan, kNan});
  const TilePtr high = Binary(test.exact, Op::kMaximum, *a, *b);
  const TilePtr low = Binary(test.exact, Op::kMinimum, *a, *b);
  EXPECT_EQ(high->real[0], 2);
  EXPECT_EQ(low->real[0], 1);
  for (size_t i = 1; i < 4; ++i) {
    EXPECT_TRUE(std::isnan(high->real[i])) << i;
    EXPECT_TRUE(std::isnan(low->real[i])) << i;
  }
}

TEST(InterpretElementwise, IntegersWrap) {
  TileTest test;
  std::mt19937_64 random(TestSeed());
  for (const DType dtype : {DType::kInt8, DType::kInt16, DType::kInt32}) {
    for (int round = 0; round < 500; ++round) {
      const int64_t a = WrapTo(dtype, random());
      const int64_t b = WrapTo(dtype, random());
      const auto as128 = [&](Op op) -> __int128 {
        switch (op) {
          case Op::kAdd:
            return static_cast<__int128>(a) + b;
          case Op::kSub:
            return static_cast<__int128>(a) - b;
          default:
            return static_cast<__int128>(a) * b;
        }
      };
      for (const Op op : {Op::kAdd, Op::kSub, Op::kMul}) {
        const __int128 modulus = static_cast<__int128>(1) << BitsOf(dtype);
        __int128 expected = as128(op) % modulus;
        if (expected < -(modulus / 2)) expected += modulus;
        if (expected >= modulus / 2) expected -= modulus;
        EXPECT_EQ(WholeBinary(op, dtype, a, b), static_cast<int64_t>(expected))
            << a << InfoOf(op).spelling << b;
      }
      if (b == 0) continue;
      const auto floor =
          static_cast<int64_t>(std::floor(static_cast<long double>(a) / b));
      EXPECT_EQ(WholeBinary(Op::kFloorDiv, dtype, a, b),
                WrapTo(dtype, static_cast<uint64_t>(floor)));
      EXPECT_EQ(WholeBinary(Op::kMod, dtype, a, b), a - floor * b);
    }
  }
}

TEST(InterpretElementwise, IntegerEdges) {
  EXPECT_EQ(WholeBinary(Op::kFloorDiv, DType::kInt8, -128, -1), -128);
  EXPECT_EQ(WholeBinary(Op::kFloorDiv, DType::kInt64, INT64_MIN, -1),
            INT64_MIN);
  EXPECT_EQ(WholeBinary(Op::kMod, DType::kInt64, INT64_MIN, -1), 0);
  EXPECT_EQ(WholeBinary(Op::kFloorDiv, DType::kUint64, -1, 2), INT64_MAX);
  EXPECT_EQ(WholeBinary(Op::kMaximum, DType::kUint64, -1, 2), -1);
  EXPECT_EQ(WholeBinary(Op::kPow, DType::kInt32, 3, 4), 81);
  EXPECT_EQ(WholeBinary(Op::kPow, DType::kUint8, 2, 9), 0);
  EXPECT_EQ(WholeBinary(Op::kShiftLeft, DType::kInt8, 1, 7), -128);
  EXPECT_EQ(WholeBinary(Op::kShiftLeft, DType::kInt8, 1, 8), 0);
  EXPECT_EQ(WholeBinary(Op::kShiftRight, DType::kInt8, -128, 9), -1);
  EXPECT_EQ(WholeBinary(Op::kShiftRight, DType::kUint64, -1, 63), 1);
  EXPECT_EQ(WholeUnary(Op::kAbs, DType::kInt8, -128), -128);
  EXPECT_EQ(WholeUnary(Op::kBitNot, DType::kUint8, 1), 254);
  EXPECT_EQ(WholeUnary(Op::kBitNot, DType::kBool, 1), 0);
  EXPECT_EQ(WholeUnary(Op::kSign, DType::kUint64, -5), 1);
}

TEST(InterpretElementwise, IntegersThatHaveNoResultAreFaults) {
  const auto code_of = [](Op op, int64_t a, int64_t b) -> std::string {
    try {
      WholeBinary(op, DType::kInt32, a, b);
    } catch (const Fault& fault) {
      return fault.code();
    }
    return "";
  };
  EXPECT_EQ(code_of(Op::kFloorDiv, 5, 0), code::kX188);
  EXPECT_EQ(code_of(Op::kMod, 5, 0), code::kX188);
  EXPECT_EQ(code_of(Op::kPow, 5, -1), code::kX188);
  EXPECT_EQ(code_of(Op::kPow, 5, 2), "");
}

TEST(InterpretElementwise, BroadcastsAsNumPy) {
  TileTest test;
  const auto column = test.Make(DType::kFloat, {2, 1}, {10, 20});
  const auto row = test.Make(DType::kFloat, {3}, {1, 2, 3});
  const TilePtr sum = Binary(test.exact, Op::kAdd, *column, *row);
  EXPECT_EQ(sum->shape, (Shape{2, 3}));
  EXPECT_EQ(NumbersOf(*sum), (std::vector<double>{11, 12, 13, 21, 22, 23}));
  const auto deep = test.Make(DType::kFloat, {2, 1, 2}, {1, 2, 3, 4});
  const TilePtr product = Binary(test.exact, Op::kMul, *deep, *column);
  EXPECT_EQ(product->shape, (Shape{2, 2, 2}));
  EXPECT_EQ(NumbersOf(*product),
            (std::vector<double>{10, 20, 20, 40, 30, 40, 60, 80}));
  const auto empty = test.Make(DType::kFloat, {0}, {});
  EXPECT_EQ(Binary(test.exact, Op::kAdd, *column, *empty)->shape,
            (Shape{2, 0}));
  const auto two = test.Make(DType::kFloat, {2}, {1, 2});
  try {
    Binary(test.exact, Op::kAdd, *two, *row);
    FAIL();
  } catch (const Fault& fault) {
    EXPECT_STREQ(fault.code(), code::kX187);
  }
}

TEST(InterpretElementwise, ComparisonsWithNan) {
  TileTest test;
  const auto a = test.Make(DType::kFloat, {1, 2, kNan, kInfinity});
  const auto b = test.Make(DType::kFloat, {2, 2, 1, kInfinity});
  const std::map<Op, std::vector<double>> expected = {
      {Op::kLess, {1, 0, 0, 0}},    {Op::kLessEqual, {1, 1, 0, 1}},
      {Op::kGreater, {0, 0, 0, 0}}, {Op::kGreaterEqual, {0, 1, 0, 1}},
      {Op::kEqual, {0, 1, 0, 1}},   {Op::kNotEqual, {1, 0, 1, 0}},
  };
  for (const auto& [op, values] : expected) {
    EXPECT_EQ(NumbersOf(*Compare(test.exact, op, *a, *b)), values)
        << InfoOf(op).id;
  }
  EXPECT_EQ(NumbersOf(*Classify(test.exact, Op::kIsNan, *a)),
            (std::vector<double>{0, 0, 1, 0}));
  EXPECT_EQ(NumbersOf(*Classify(test.exact, Op::kIsInf, *a)),
            (std::vector<double>{0, 0, 0, 1}));
  EXPECT_EQ(NumbersOf(*Classify(test.exact, Op::kIsFinite, *a)),
            (std::vector<double>{1, 1, 0, 0}));
}

TEST(InterpretElementwise, FusedOperations) {
  TileTest test;
  const auto a = test.Make(DType::kHalf, {1 + 0x1p-10});
  const auto c = test.Make(DType::kHalf, {-1 - 0x1p-9});
  // a * a - (1 + 2^-9) is 2^-20, which rounding the product would lose.
  EXPECT_EQ(Ternary(test.exact, Op::kFma, *a, *a, *c)->real[0], 0x1p-20);
  const auto x = test.Make(DType::kFloat, {-5, 0.5, 5, kNan});
  const auto low = test.Make(DType::kFloat, Shape{}, {-1});
  const auto high = test.Make(DType::kFloat, Shape{}, {1});
  const TilePtr held = Ternary(test.exact, Op::kClamp, *x, *low, *high);
  EXPECT_EQ(held->real[0], -1);
  EXPECT_EQ(held->real[1], 0.5);
  EXPECT_EQ(held->real[2], 1);
  EXPECT_TRUE(std::isnan(held->real[3]));
  EXPECT_EQ(Ternary(test.exact, Op::kLerp, *low, *high, *x)->real[1], 0);
}

TEST(InterpretElementwise, ConversionsRoundWrapAndHold) {
  TileTest test;
  const auto x = test.Make(DType::kFloat, {2.5, -2.5, 300, kNan, 0.1});
  EXPECT_EQ(NumbersOf(*Convert(test.exact, *x, DType::kInt8, Round::kTrunc)),
            (std::vector<double>{2, -2, 127, 0, 0}));
  EXPECT_EQ(NumbersOf(*Convert(test.exact, *x, DType::kBool, Round::kTrunc)),
            (std::vector<double>{1, 1, 1, 1, 1}));
  const TilePtr half = Convert(test.exact, *x, DType::kHalf, Round::kRint);
  EXPECT_EQ(half->real[4], RoundTo(DType::kHalf, 0.1f));
  EXPECT_EQ(Convert(test.real, *x, DType::kHalf, Round::kRint)->real[4],
            x->real[4]);
  const auto whole = test.Make(DType::kInt32, {300, -1, 16777217});
  EXPECT_EQ(
      NumbersOf(*Convert(test.exact, *whole, DType::kUint8, Round::kTrunc)),
      (std::vector<double>{44, 255, 1}));
  EXPECT_EQ(Convert(test.exact, *whole, DType::kFloat, Round::kRint)->real[2],
            16777216);
}

TEST(InterpretElementwise, BitcastKeepsBits) {
  TileTest test;
  const auto x = test.Make(DType::kFloat, {1, -0.0, 0x1p-149});
  const TilePtr bits = Bitcast(test.exact, *x, DType::kUint32);
  EXPECT_EQ(bits->whole, (std::vector<int64_t>{0x3f800000, 0x80000000, 1}));
  const TilePtr back = Bitcast(test.exact, *bits, DType::kFloat);
  EXPECT_EQ(back->real, x->real);
  EXPECT_TRUE(std::signbit(back->real[1]));
  const auto half = test.Make(DType::kHalf, {1});
  EXPECT_EQ(Bitcast(test.exact, *half, DType::kInt16)->whole[0], 0x3c00);
  const auto brain = test.Make(DType::kBfloat16, {-2});
  EXPECT_EQ(Bitcast(test.exact, *brain, DType::kUint16)->whole[0], 0xc000);
}

}  // namespace
}  // namespace belay::crux::interpret::test_interpret_elementwise
