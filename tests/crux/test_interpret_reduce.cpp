// SPDX-License-Identifier: Apache-2.0
// Reductions, scans, sorting and shape operations on small tiles and against
// naive loops.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/catalogue.h"
#include "crux/interpret/matmul.h"
#include "crux/interpret/order.h"
#include "crux/interpret/philox.h"
#include "crux/interpret/reduce.h"
#include "crux/interpret/reshape.h"
#include "crux/interpret/scan.h"
#include "tiles.h"

namespace belay::crux::interpret::test_interpret_reduce {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");
using Numbers = std::vector<double>;

template <typename Call>
std::string CodeOf(Call&& call) {
  try {
    call();
  } catch (const Fault& fault) {
    return fault.code();
  }
  return "";
}

TEST(InterpretReduce, AlongEachAxis) {
  TileTest test;
  const auto x = test.Make(DType::kFloat, {2, 3}, {1, 5, 3, 4, 2, 6});
  EXPECT_EQ(NumbersOf(*Reduce(test.exact, Op::kSum, *x, {}, false)),
            (Numbers{21}));
  EXPECT_EQ(Reduce(test.exact, Op::kSum, *x, {}, true)->shape, (Shape{1, 1}));
  EXPECT_EQ(NumbersOf(*Reduce(test.exact, Op::kSum, *x, {0}, false)),
            (Numbers{5, 7, 9}));
  EXPECT_EQ(NumbersOf(*Reduce(test.exact, Op::kMax, *x, {1}, false)),
            (Numbers{5, 6}));
  EXPECT_EQ(NumbersOf(*Reduce(test.exact, Op::kMin, *x, {0, 1}, false)),
            (Numbers{1}));
  EXPECT_EQ(NumbersOf(*Reduce(test.exact, Op::kProd, *x, {1}, false)),
            (Numbers{15, 48}));
  EXPECT_EQ(NumbersOf(*ReduceIndex(test.exact, Op::kArgmax, *x, {1}, false)),
            (Numbers{1, 2}));
  EXPECT_EQ(NumbersOf(*ReduceIndex(test.exact, Op::kArgmax, *x, {}, false)),
            (Numbers{5}));
  EXPECT_EQ(NumbersOf(*ReduceIndex(test.exact, Op::kArgmin, *x, {0}, false)),
            (Numbers{0, 1, 0}));
}

TEST(InterpretReduce, MiddleAxesAgainstLoops) {
  TileTest test;
  std::mt19937_64 random(TestSeed());
  const Shape shape = {3, 4, 5, 2};
  Numbers values(120);
  for (double& value : values) value = static_cast<double>(random() % 100);
  const auto x = test.Make(DType::kInt32, shape, values);
  const TilePtr sum = Reduce(test.exact, Op::kSum, *x, {1, 3}, false);
  ASSERT_EQ(sum->shape, (Shape{3, 5}));
  for (size_t a = 0; a < 3; ++a) {
    for (size_t c = 0; c < 5; ++c) {
      double expected = 0;
      for (size_t b = 0; b < 4; ++b) {
        for (size_t d = 0; d < 2; ++d) {
          expected += values[((a * 4 + b) * 5 + c) * 2 + d];
        }
      }
      EXPECT_EQ(sum->NumberAt(a * 5 + c), expected);
    }
  }
}

TEST(InterpretReduce, HalvesAccumulateInFloat) {
  TileTest test;
  // 2048 + 1 is no half: a sum in f16 would stand still.
  Numbers values(4096, 1);
  const auto x = test.Make(DType::kHalf, values);
  EXPECT_EQ(Reduce(test.exact, Op::kSum, *x, {}, false)->real[0], 4096);
  const auto y = test.Make(DType::kFloat, {0x1p24, 1, 1});
  EXPECT_EQ(Reduce(test.exact, Op::kSum, *y, {}, false)->real[0], 0x1p24);
  EXPECT_EQ(Reduce(test.real, Op::kSum, *y, {}, false)->real[0], 0x1p24 + 2);
  const TilePtr sum = Reduce(test.exact, Op::kSum, *y, {}, false);
  EXPECT_GE(sum->error.at(0), 2);
}

TEST(InterpretReduce, NanAndNothing) {
  TileTest test;
  const auto x = test.Make(DType::kFloat, {1, kNan, 3});
  EXPECT_TRUE(std::isnan(Reduce(test.exact, Op::kMax, *x, {}, false)->real[0]));
  EXPECT_EQ(ReduceIndex(test.exact, Op::kArgmax, *x, {}, false)->whole[0], 1);
  EXPECT_EQ(ReduceIndex(test.exact, Op::kArgmin, *x, {}, false)->whole[0], 1);
  const auto ties = test.Make(DType::kInt32, {2, 7, 7, 2});
  EXPECT_EQ(ReduceIndex(test.exact, Op::kArgmax, *ties, {}, false)->whole[0],
            1);
  const auto none = test.Make(DType::kFloat, {0}, {});
  EXPECT_EQ(Reduce(test.exact, Op::kSum, *none, {}, false)->real[0], 0);
  EXPECT_EQ(CodeOf([&] { Reduce(test.exact, Op::kMax, *none, {}, false); }),
            code::kX187);
}

TEST(InterpretReduce, BoolAndNorm) {
  TileTest test;
  const auto mask = test.Make(DType::kBool, {2, 2}, {0, 1, 0, 0});
  EXPECT_EQ(NumbersOf(*Reduce(test.exact, Op::kAny, *mask, {1}, false)),
            (Numbers{1, 0}));
  EXPECT_EQ(NumbersOf(*Reduce(test.exact, Op::kAll, *mask, {0}, false)),
            (Numbers{0, 0}));
  const auto x = test.Make(DType::kFloat, {3, -4});
  EXPECT_EQ(Norm(test.exact, *x, {}, false, 2)->real[0], 5);
  EXPECT_EQ(Norm(test.exact, *x, {}, false, 1)->real[0], 7);
  EXPECT_EQ(Norm(test.exact, *x, {}, false, kInfinity)->real[0], 4);
  EXPECT_NEAR(Norm(test.exact, *x, {}, false, 3)->real[0], std::cbrt(27 + 64.0),
              1e-5);
}

TEST(InterpretScan, ForwardBackwardInclusiveExclusive) {
  TileTest test;
  const auto x = test.Make(DType::kFloat, {1, 2, 3, 4});
  const auto scan = [&](Op op, bool reverse, bool exclusive) {
    return NumbersOf(*Scan(test.exact, op, *x, 0, reverse, exclusive));
  };
  EXPECT_EQ(scan(Op::kCumsum, false, false), (Numbers{1, 3, 6, 10}));
  EXPECT_EQ(scan(Op::kCumsum, true, false), (Numbers{10, 9, 7, 4}));
  EXPECT_EQ(scan(Op::kCumsum, false, true), (Numbers{0, 1, 3, 6}));
  EXPECT_EQ(scan(Op::kCumsum, true, true), (Numbers{9, 7, 4, 0}));
  EXPECT_EQ(scan(Op::kCumprod, false, false), (Numbers{1, 2, 6, 24}));
  EXPECT_EQ(scan(Op::kCummax, false, true), (Numbers{-kInfinity, 1, 2, 3}));
  const auto whole = test.Make(DType::kInt8, {2, 2}, {100, 3, 100, -4});
  EXPECT_EQ(NumbersOf(*Scan(test.exact, Op::kCumsum, *whole, 0, false, false)),
            (Numbers{100, 3, -56, -1}));
  EXPECT_EQ(NumbersOf(*Scan(test.exact, Op::kCummax, *whole, 1, false, true)),
            (Numbers{-128, 100, -128, 100}));
}

TEST(InterpretOrder, SortsNanLastTiesInOrder) {
  TileTest test;
  const auto x = test.Make(DType::kFloat, {3, kNan, 1, 3, -kInfinity});
  const TilePtr up = Sort(test.exact, *x, 0, false);
  EXPECT_EQ(Numbers(up->real.begin(), up->real.begin() + 4),
            (Numbers{-kInfinity, 1, 3, 3}));
  EXPECT_TRUE(std::isnan(up->real[4]));
  EXPECT_EQ(NumbersOf(*Argsort(test.exact, *x, 0, false)),
            (Numbers{4, 2, 0, 3, 1}));
  EXPECT_EQ(NumbersOf(*Argsort(test.exact, *x, 0, true)),
            (Numbers{1, 0, 3, 2, 4}));
  const auto rows = test.Make(DType::kInt32, {2, 3}, {5, 1, 3, 2, 9, 2});
  EXPECT_EQ(NumbersOf(*Sort(test.exact, *rows, 0, false)),
            (Numbers{2, 1, 2, 5, 9, 3}));
  EXPECT_EQ(NumbersOf(*Sort(test.exact, *rows, 1, true)),
            (Numbers{5, 3, 1, 9, 2, 2}));
}

TEST(InterpretOrder, TopkAndMergingItGiveTheSame) {
  TileTest test;
  std::mt19937_64 random(TestSeed());
  for (int round = 0; round < 50; ++round) {
    const auto length = static_cast<int64_t>(random() % 20 + 3);
    const int64_t cut = static_cast<int64_t>(random() % 3 + 1);
    const bool largest = random() % 2 == 0;
    Numbers values(static_cast<size_t>(length * 2));
    for (double& value : values) value = static_cast<double>(random() % 6);
    values[random() % values.size()] = kNan;
    const auto x = test.Make(DType::kFloat, {length, 2}, values);
    const auto [best, at] = Topk(test.exact, *x, 3, 0, largest);
    auto running = test.Make(DType::kFloat, {3, 2},
                             Numbers(6, largest ? -kInfinity : kNan));
    auto where = test.Make(DType::kInt32, {3, 2}, Numbers(6, 2147483647));
    TilePair merged{running, where};
    for (int64_t from = 0; from < length; from += cut) {
      const int64_t count = std::min(cut, length - from);
      const auto piece =
          test.Make(DType::kFloat, {count, 2},
                    Numbers(values.begin() + from * 2,
                            values.begin() + (from + count) * 2));
      Numbers positions;
      for (int64_t i = 0; i < count; ++i) {
        positions.push_back(static_cast<double>(from + i));
      }
      const auto places = test.Make(DType::kInt32, {count, 1}, positions);
      merged = MergeTopk(test.exact, *merged.first, *merged.second, *piece,
                         *places, 0, largest);
    }
    EXPECT_EQ(merged.second->whole, at->whole);
    for (size_t i = 0; i < best->size(); ++i) {
      EXPECT_EQ(DistanceOf(best->real[i], merged.first->real[i]), 0);
    }
  }
  const auto small = test.Make(DType::kFloat, {1, 2});
  EXPECT_EQ(CodeOf([&] { Topk(test.exact, *small, 3, 0, true); }), code::kX193);
}

TEST(InterpretOrder, TakeCompressDeinterleave) {
  TileTest test;
  const auto x = test.Make(DType::kInt32, {2, 3}, {1, 2, 3, 4, 5, 6});
  const auto at = test.Make(DType::kInt32, {2, 2}, {2, 0, 1, 1});
  const TilePtr taken = Take(test.exact, *x, *at, 1);
  EXPECT_EQ(taken->shape, (Shape{2, 2, 2}));
  EXPECT_EQ(NumbersOf(*taken), (Numbers{3, 1, 2, 2, 6, 4, 5, 5}));
  const auto beyond = test.Make(DType::kInt32, {1}, {3});
  EXPECT_EQ(CodeOf([&] { Take(test.exact, *x, *beyond, 1); }), code::kX191);
  const auto row = test.Make(DType::kFloat, {1, 2, 3, 4});
  const auto mask = test.Make(DType::kBool, {1, 0, 0, 1});
  const auto [kept, count] = Compress(test.exact, *row, *mask);
  EXPECT_EQ(NumbersOf(*kept), (Numbers{1, 4}));
  EXPECT_EQ(count->whole[0], 2);
  const auto [even, odd] = Deinterleave(test.exact, *row);
  EXPECT_EQ(NumbersOf(*even), (Numbers{1, 3}));
  EXPECT_EQ(NumbersOf(*odd), (Numbers{2, 4}));
}

TEST(InterpretReshape, MovesElements) {
  TileTest test;
  const auto x = test.Make(DType::kInt32, {2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(Reshape(test.exact, *x, {3, -1})->shape, (Shape{3, 2}));
  EXPECT_EQ(CodeOf([&] { Reshape(test.exact, *x, {4, -1}); }), code::kX193);
  EXPECT_EQ(CodeOf([&] { Reshape(test.exact, *x, {5}); }), code::kX193);
  EXPECT_EQ(NumbersOf(*Transpose(test.exact, *x, {1, 0})),
            (Numbers{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(NumbersOf(*Concat(test.exact, {x, x}, 1)),
            (Numbers{1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}));
  EXPECT_EQ(NumbersOf(*Last(test.exact, *x, 1)), (Numbers{3, 6}));
  const auto row = test.Make(DType::kInt32, {1});
  EXPECT_EQ(CodeOf([&] { Concat(test.exact, {x, row}, 0); }), code::kX187);
}

TEST(InterpretMatmul, AccumulatesInFloat) {
  TileTest test;
  const auto a = test.Make(DType::kHalf, {2, 3}, {1, 2, 3, 4, 5, 6});
  const auto b = test.Make(DType::kHalf, {3, 2}, {1, 2, 3, 4, 5, 6});
  const TilePtr c = Matmul(test.exact, *a, *b);
  EXPECT_EQ(c->dtype, DType::kFloat);
  EXPECT_EQ(NumbersOf(*c), (Numbers{22, 28, 49, 64}));
  const auto big = test.Make(DType::kHalf, {1, 1}, {60000});
  EXPECT_EQ(Matmul(test.exact, *big, *big)->real[0],
            RoundTo(DType::kFloat, 60000.0 * 60000.0));
  const auto i = test.Make(DType::kInt8, {1, 2}, {-128, 127});
  const auto j = test.Make(DType::kInt8, {2, 1}, {-128, 127});
  EXPECT_EQ(Matmul(test.exact, *i, *j)->whole[0], 128 * 128 + 127 * 127);
  EXPECT_EQ(CodeOf([&] { Matmul(test.exact, *a, *a); }), code::kX187);
}

// The known-answer vectors that the authors of Philox published.
TEST(InterpretPhilox, KnownAnswers) {
  EXPECT_EQ(Philox4x32({0, 0, 0, 0}, {0, 0}),
            (std::array<uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c,
                                     0x9b00dbd8}));
  EXPECT_EQ(Philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                       {0xffffffff, 0xffffffff}),
            (std::array<uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6,
                                     0x6d5451fd}));
  EXPECT_EQ(Philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                       {0xa4093822, 0x299f31d0}),
            (std::array<uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420,
                                     0x24126ea1}));
}

TEST(InterpretPhilox, PiecesAreOneStream) {
  TileTest test;
  const TilePtr all = Philox(test.exact, 7, 100, DType::kUint32, {10});
  const TilePtr tail = Philox(test.exact, 7, 104, DType::kUint32, {6});
  EXPECT_TRUE(std::equal(tail->whole.begin(), tail->whole.end(),
                         all->whole.begin() + 4));
  const TilePtr real = Philox(test.exact, 7, 100, DType::kFloat, {10});
  for (size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(real->real[i],
              static_cast<double>(all->whole[i] / 256) / 16777216);
    EXPECT_EQ(real->real[i], RoundTo(DType::kFloat, real->real[i]));
  }
}

}  // namespace
}  // namespace belay::crux::interpret::test_interpret_reduce
