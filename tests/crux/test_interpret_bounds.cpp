// SPDX-License-Identifier: Apache-2.0
// Error bounds: over random chains of operations, exact and float64 results
// never lie farther apart than the bound says.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "crux/interpret/across.h"
#include "crux/interpret/elementwise.h"
#include "crux/interpret/matmul.h"
#include "crux/interpret/order.h"
#include "crux/interpret/reduce.h"
#include "crux/interpret/reshape.h"
#include "crux/interpret/scan.h"
#include "crux/type.h"
#include "tiles.h"

namespace belay::crux::interpret::test_interpret_bounds {
namespace {

// One value of a chain, computed both ways.
struct Both {
  TilePtr exact;
  TilePtr real;
  std::string text;
};

constexpr int64_t kRows = 3;
constexpr int64_t kColumns = 5;

class Chain {
 public:
  explicit Chain(uint64_t seed) : random_(seed) {}

  void Run(int steps) {
    for (int i = 0; i < 4; ++i) AddInput();
    for (int i = 0; i < steps; ++i) {
      AddStep();
      if (::testing::Test::HasFailure()) return;
    }
  }

  size_t bounded = 0;
  size_t unbounded = 0;

 private:
  size_t Below(size_t n) { return random_() % n; }
  bool Flip() { return Below(2) == 0; }

  DType AnyFloat() {
    return std::array{DType::kHalf, DType::kBfloat16, DType::kFloat}[Below(3)];
  }

  void AddInput() {
    const DType dtype = AnyFloat();
    std::normal_distribution<double> normal(0, Flip() ? 1 : 8);
    std::vector<double> values(kRows * kColumns);
    for (double& value : values) value = normal(random_);
    if (Below(4) == 0) values[Below(values.size())] = INFINITY;
    if (Below(4) == 0) values[Below(values.size())] = 0;
    if (Below(8) == 0) values[Below(values.size())] = NAN;
    const auto tile = test_.Make(dtype, {kRows, kColumns}, values);
    pool_.push_back({tile, tile, fmt::format("input{}", pool_.size())});
  }

  const Both& Any() { return pool_[Below(pool_.size())]; }

  // One of the pool brought to the dtype.
  Both AnyOf(DType dtype) {
    const Both& any = Any();
    if (any.exact->dtype == dtype) return any;
    return Cast(any, dtype);
  }

  Both Cast(const Both& x, DType dtype) {
    const Round mode = IsFloating(dtype) ? Round::kRint : Round::kTrunc;
    return {Convert(test_.exact, *x.exact, dtype, mode),
            Convert(test_.real, *x.real, dtype, mode),
            fmt::format("{}({})", belay::NameOf(dtype), x.text)};
  }

  template <typename Call>
  Both Apply(const std::string& text, Call&& call) {
    return {call(test_.exact, true), call(test_.real, false), text};
  }

  Both Step() {
    static const std::vector<Op> kUnary = [] {
      std::vector<Op> ops;
      for (const OpInfo& info : AllOperations()) {
        if (FindRealUnary(info.op) != nullptr) ops.push_back(info.op);
      }
      return ops;
    }();
    static constexpr Op kBinary[] = {Op::kAdd,     Op::kSub,      Op::kMul,
                                     Op::kDiv,     Op::kFloorDiv, Op::kMod,
                                     Op::kMaximum, Op::kMinimum,  Op::kPow};
    static constexpr Op kWhole[] = {Op::kAdd, Op::kSub, Op::kMul, Op::kMaximum,
                                    Op::kMinimum};
    static constexpr Op kComparisons[] = {Op::kLess,         Op::kLessEqual,
                                          Op::kEqual,        Op::kGreater,
                                          Op::kGreaterEqual, Op::kNotEqual};
    const DType dtype = AnyFloat();
    const Both a = AnyOf(dtype);
    const Both b = AnyOf(dtype);
    const auto side = [](const Both& both, bool exact) -> const Tile& {
      return exact ? *both.exact : *both.real;
    };
    const auto two = [&](Op op) {
      return fmt::format("{}({}, {})", InfoOf(op).id, a.text, b.text);
    };
    const auto one = [&](Op op) {
      return fmt::format("{}({})", InfoOf(op).id, a.text);
    };
    switch (Below(15)) {
      case 0:
      case 1:
      case 2: {
        const Op op = kUnary[Below(kUnary.size())];
        return Apply(one(op), [&](const Context& context, bool exact) {
          return Unary(context, op, side(a, exact));
        });
      }
      case 3:
      case 4:
      case 5: {
        const Op op = kBinary[Below(std::size(kBinary))];
        return Apply(two(op), [&](const Context& context, bool exact) {
          return Binary(context, op, side(a, exact), side(b, exact));
        });
      }
      case 6: {
        const Op op = std::array{Op::kFma, Op::kLerp, Op::kClamp}[Below(3)];
        const Both c = AnyOf(dtype);
        return Apply(two(op) + c.text, [&](const Context& context, bool exact) {
          return Ternary(context, op, side(a, exact), side(b, exact),
                         side(c, exact));
        });
      }
      case 7: {
        const Op op = kComparisons[Below(std::size(kComparisons))];
        return Apply(
            "where " + two(op), [&](const Context& context, bool exact) {
              const TilePtr condition =
                  Compare(context, op, side(a, exact), side(b, exact));
              return Where(context, *condition, side(b, exact), side(a, exact));
            });
      }
      case 8: {
        const Op op =
            std::array{Op::kSum, Op::kProd, Op::kMax, Op::kMin}[Below(4)];
        const int axis = static_cast<int>(Below(2));
        return Apply(one(op), [&](const Context& context, bool exact) {
          return BroadcastTo(context,
                             *Reduce(context, op, side(a, exact), {axis}, true),
                             {kRows, kColumns});
        });
      }
      case 9: {
        const Op op =
            std::array{Op::kCumsum, Op::kCumprod, Op::kCummax}[Below(3)];
        const bool reverse = Flip();
        return Apply(one(op), [&](const Context& context, bool exact) {
          return Scan(context, op, side(a, exact), 1, reverse, false);
        });
      }
      case 10:
        return Apply("sort(" + a.text + ")",
                     [&](const Context& context, bool exact) {
                       return Sort(context, side(a, exact), 0, true);
                     });
      case 11: {
        // a @ b.T @ b has the shape of b.
        return Apply(two(Op::kMatmul), [&](const Context& context, bool exact) {
          const TilePtr turned = Transpose(context, side(b, exact), {1, 0});
          const TilePtr square = Matmul(context, side(a, exact), *turned);
          return Matmul(context,
                        *Convert(context, *square, dtype, Round::kRint),
                        side(b, exact));
        });
      }
      case 12: {
        const DType whole =
            std::array{DType::kInt8, DType::kInt32, DType::kInt64}[Below(3)];
        const Op op = kWhole[Below(std::size(kWhole))];
        const Both left = Cast(a, whole);
        const Both right = Cast(b, whole);
        return Cast(Apply(two(op),
                          [&](const Context& context, bool exact) {
                            return Binary(context, op, side(left, exact),
                                          side(right, exact));
                          }),
                    dtype);
      }
      case 13: {
        const Op op = Flip() ? Op::kArgmax : Op::kArgmin;
        return Cast(
            Apply(one(op),
                  [&](const Context& context, bool exact) {
                    return BroadcastTo(
                        context,
                        *ReduceIndex(context, op, side(a, exact), {1}, true),
                        {kRows, kColumns});
                  }),
            dtype);
      }
      default:
        return Apply(
            "norm(" + a.text + ")", [&](const Context& context, bool exact) {
              return BroadcastTo(context,
                                 *Norm(context, side(a, exact), {1}, true, 2),
                                 {kRows, kColumns});
            });
    }
  }

  void AddStep() {
    Both step = Step();
    for (size_t i = 0; i < step.exact->size(); ++i) {
      const double exact = step.exact->NumberAt(i);
      const double real = step.real->NumberAt(i);
      const double bound = step.exact->ErrorAt(i);
      std::isfinite(bound) ? ++bounded : ++unbounded;
      const double apart = DistanceOf(exact, real);
      if (apart == 0 || std::isinf(bound)) continue;
      // float64 arithmetic has roundings of its own.
      EXPECT_LE(apart, bound * (1 + 1e-6) + std::fabs(real) * 1e-13)
          << step.text << ", element " << i << ": exact " << exact << ", real "
          << real << ", bound " << bound;
    }
    if (step.text.size() > 200) step.text = "…";
    pool_.push_back(std::move(step));
    if (pool_.size() > 12) {
      pool_.erase(pool_.begin() + static_cast<ptrdiff_t>(Below(4)));
    }
  }

  std::mt19937_64 random_;
  TileTest test_;
  std::vector<Both> pool_;
};

TEST(InterpretBounds, RandomChains) {
  const uint64_t seed = TestSeed();
  size_t bounded = 0;
  size_t unbounded = 0;
  for (uint64_t round = 0; round < 2000; ++round) {
    Chain chain(seed + round);
    chain.Run(8);
    bounded += chain.bounded;
    unbounded += chain.unbounded;
    ASSERT_FALSE(HasFailure()) << "chain " << round;
  }
  // Bounds that say nothing would prove nothing.
  EXPECT_GT(bounded, 2 * unbounded);
}

// Cores may add in any order: large numbers that cancel, and infinities that
// sums of large numbers would meet.
TEST(InterpretBounds, SumsAcrossCoresInAnyOrder) {
  std::mt19937_64 random(TestSeed());
  const auto below = [&](size_t n) { return random() % n; };
  size_t bounded = 0;
  for (int round = 0; round < 3000; ++round) {
    const DType dtype =
        std::array{DType::kHalf, DType::kBfloat16, DType::kFloat}[below(3)];
    const double huge = dtype == DType::kHalf ? 6e4 : 3e38;
    TileTest test;
    Across acc(test.exact, Op::kSum, dtype, {2});
    std::vector<double> terms;
    std::normal_distribution<double> normal(0, 1);
    for (size_t i = 0; i < 1 + below(8); ++i) {
      double term = normal(random) * (below(3) == 0 ? 1000 : 1);
      if (below(20) == 0) term = below(2) == 0 ? huge : -huge;
      if (below(20) == 0) term = below(2) == 0 ? INFINITY : -INFINITY;
      terms.push_back(RoundTo(dtype, term));
      const std::vector<Selection> second = {{{1}, {1}, {}}};
      acc.Update(test.exact, second, *test.Make(dtype, {terms.back()}), {});
    }
    EXPECT_EQ(acc.total()->ErrorAt(0), 0);
    const double bound = acc.total()->ErrorAt(1);
    if (bound == kUnbounded) continue;
    ++bounded;
    double real = 0;
    for (const double term : terms) real += term;
    for (int order = 0; order < 5; ++order) {
      std::shuffle(terms.begin(), terms.end(), random);
      double sum = 0;
      for (const double term : terms) sum = RoundTo(dtype, sum + term);
      EXPECT_LE(DistanceOf(sum, real), bound)
          << fmt::format("round {}: {} terms of {}", round, terms.size(),
                         belay::NameOf(dtype));
    }
  }
  EXPECT_GT(bounded, 2000u);
}

TEST(InterpretBounds, AreTight) {
  TileTest test;
  const auto x = test.Make(DType::kFloat, {0.3});
  TilePtr y = x;
  for (int i = 0; i < 10; ++i) y = Binary(test.exact, Op::kAdd, *y, *x);
  EXPECT_GT(y->error[0], 0);
  EXPECT_LT(y->error[0], 1e-5);
  const TilePtr e = Unary(test.exact, Op::kExp, *y);
  EXPECT_LT(e->error[0], 1e-5 * e->real[0]);
}

TEST(InterpretBounds, RulesOfDoubt) {
  TileTest test;
  auto x = test.Make(DType::kFloat, {1, 2});
  x->error = {0.25, 0.25};
  const auto near = test.Make(DType::kFloat, {1.125, 5});
  const TilePtr less = Compare(test.exact, Op::kLess, *x, *near);
  EXPECT_EQ(less->error, (std::vector<double>{1, 0}));
  const auto a = test.Make(DType::kFloat, {10, 10});
  const auto b = test.Make(DType::kFloat, {13, 13});
  const TilePtr chosen = Where(test.exact, *less, *a, *b);
  EXPECT_EQ(chosen->error, (std::vector<double>{3, 0}));
  // 1 ± 0.25 may be 0 or 1 as an integer; 2 ± 0.25 may be 1 or 2.
  const TilePtr whole = Convert(test.exact, *x, DType::kInt32, Round::kTrunc);
  EXPECT_EQ(whole->error, (std::vector<double>{1, 1}));
  EXPECT_EQ(Unary(test.exact, Op::kRound, *x)->error,
            (std::vector<double>{0, 0}));
  EXPECT_EQ(Sort(test.exact, *x, 0, false)->error,
            (std::vector<double>{0.25, 0.25}));
  EXPECT_EQ(Argsort(test.exact, *x, 0, false)->error[0], kUnbounded);
  const auto zero = test.Make(DType::kFloat, {0.125, 0.125});
  auto small = test.Make(DType::kFloat, {0.125, 0.125});
  small->error = {0.25, 0};
  const TilePtr quotient = Binary(test.exact, Op::kDiv, *zero, *small);
  EXPECT_EQ(quotient->error[0], kUnbounded);
  EXPECT_LT(quotient->error[1], 1e-6);
}

}  // namespace
}  // namespace belay::crux::interpret::test_interpret_bounds
