// SPDX-License-Identifier: Apache-2.0
// Operations one by one against libtorch in float64.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "crux/interpret/elementwise.h"
#include "crux/interpret/matmul.h"
#include "crux/interpret/order.h"
#include "crux/interpret/reduce.h"
#include "crux/interpret/reshape.h"
#include "crux/interpret/scan.h"
#include "crux/type.h"
#include "tiles.h"
#include "torch_reference.h"

namespace belay::crux::interpret::test_interpret_torch {
namespace {

using belay::testing::Real;
using belay::testing::TorchOperation;

constexpr int64_t kRows = 4;
constexpr int64_t kColumns = 7;

// What the operation takes: from -1 to 1, above zero, above -1, any.
double InDomain(Op op, size_t operand, double value) {
  switch (op) {
    case Op::kAcos:
    case Op::kAsin:
      return std::tanh(value);
    case Op::kLn:
    case Op::kLog10:
    case Op::kLog2:
    case Op::kRsqrt:
    case Op::kSqrt:
      return std::fabs(value) + 0.1;
    case Op::kLog1p:
      return std::fabs(value) - 0.5;
    case Op::kPow:
      return operand == 0 ? std::fabs(value) + 0.1 : value;
    case Op::kWhere:
      return operand == 0 ? (value > 0 ? 1 : 0) : value;
    default:
      return value;
  }
}

TilePtr Computed(const Context& context, const OpInfo& info,
                 const std::vector<std::shared_ptr<Tile>>& args) {
  const Tile& a = *args[0];
  switch (info.family) {
    case OpFamily::kElementwise:
      return args.size() == 1 ? Unary(context, info.op, a)
             : args.size() == 2
                 ? Binary(context, info.op, a, *args[1])
                 : Ternary(context, info.op, a, *args[1], *args[2]);
    case OpFamily::kCompare:
      return info.op == Op::kWhere ? Where(context, a, *args[1], *args[2])
                                   : Compare(context, info.op, a, *args[1]);
    case OpFamily::kReduce:
      if (info.op == Op::kNorm) return Norm(context, a, {1}, false, 2);
      return info.op == Op::kArgmax || info.op == Op::kArgmin
                 ? ReduceIndex(context, info.op, a, {1}, false)
                 : Reduce(context, info.op, a, {1}, false);
    case OpFamily::kScan:
      return Scan(context, info.op, a, 1, false, false);
    case OpFamily::kOrder:
      return Sort(context, a, 1, false);
    case OpFamily::kShape:
      return Transpose(context, a, {1, 0});
    default:
      return Matmul(context, a, *args[1]);
  }
}

void ExpectClose(const Tile& got, const Real& expected, bool exact,
                 const std::string& what) {
  ASSERT_EQ(got.shape, expected.shape) << what;
  for (size_t i = 0; i < got.size(); ++i) {
    const double value = got.NumberAt(i);
    const double wanted = expected.values[i];
    const double bound = exact ? got.ErrorAt(i) : 0;
    ASSERT_TRUE(std::isfinite(bound)) << what << ", element " << i;
    ASSERT_LE(DistanceOf(value, wanted),
              bound + (got.floating() ? 1e-12 * (1 + std::fabs(wanted)) : 0))
        << what << ", element " << i << ": " << value << " against " << wanted;
  }
}

TEST(InterpretTorch, EachOperation) {
  std::mt19937_64 random(TestSeed());
  std::normal_distribution<double> normal(0, 2);
  std::set<std::string> compared;
  for (const OpInfo& info : AllOperations()) {
    size_t operands = 0;
    for (const OpParameter& parameter : info.parameters) {
      operands += parameter.role == ArgRole::kTile ? 1 : 0;
    }
    for (const DType dtype : {DType::kHalf, DType::kBfloat16, DType::kFloat}) {
      for (int round = 0; round < 5; ++round) {
        TileTest test;
        std::vector<std::shared_ptr<Tile>> args;
        std::vector<Real> reals;
        for (size_t k = 0; k < operands; ++k) {
          std::vector<double> values(kRows * kColumns);
          for (double& value : values) {
            value = InDomain(info.op, k, normal(random));
          }
          const bool turned = info.op == Op::kMatmul && k == 1;
          const bool condition = info.op == Op::kWhere && k == 0;
          args.push_back(test.Make(
              condition ? DType::kBool : dtype,
              turned ? Shape{kColumns, kRows} : Shape{kRows, kColumns},
              values));
          reals.push_back({args.back()->shape, NumbersOf(*args.back())});
        }
        const auto expected = TorchOperation(std::string(info.id), reals);
        if (!expected) continue;
        compared.insert(std::string(info.id));
        const std::string what =
            fmt::format("{} of {}", info.id, belay::NameOf(dtype));
        ExpectClose(*Computed(test.exact, info, args), *expected, true, what);
        ExpectClose(*Computed(test.real, info, args), *expected, false,
                    what + " in float64");
      }
    }
  }
  // Operations with a counterpart in libtorch that can be called so.
  for (const OpInfo& info : AllOperations()) {
    const bool plain = info.family == OpFamily::kElementwise ||
                       info.family == OpFamily::kCompare;
    if (!plain || !Allows(info.dtypes, DType::kFloat)) continue;
    const bool tests_kind = info.op == Op::kIsNan || info.op == Op::kIsInf ||
                            info.op == Op::kIsFinite;
    EXPECT_TRUE(tests_kind || compared.contains(std::string(info.id)))
        << info.id << " was not compared";
  }
}

}  // namespace
}  // namespace belay::crux::interpret::test_interpret_torch
