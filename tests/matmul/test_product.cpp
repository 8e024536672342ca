// SPDX-License-Identifier: Apache-2.0
// Products of all types, formats and cuts on one cube core, against plain
// loops, under all checkers. Inputs are small multiples of 1/8, so that every
// sum is exact in float.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <random>

#include "base/dtype.h"
#include "belay/guest_abi.h"
#include "product_bench.h"

namespace belay::runtime::matmul {
namespace {

using abi::DType;
using abi::MatmulCall;
using abi::MatmulFormat;

struct Types {
  DType input;
  DType bias;
  DType result;
};
constexpr Types kTypes[] = {
    {DType::kHalf, DType::kFloat, DType::kFloat},
    {DType::kHalf, DType::kHalf, DType::kHalf},
    {DType::kBfloat16, DType::kFloat, DType::kBfloat16},
    {DType::kFloat, DType::kFloat, DType::kFloat},
    {DType::kInt8, DType::kInt32, DType::kInt32},
    {DType::kInt4, DType::kInt32, DType::kInt32},
};

int RoundUp(int value, int to) { return (value + to - 1) / to * to; }

// A problem with a tiling that fits, drawn from `random`.
Problem DrawProblem(std::mt19937_64& random) {
  const auto draw = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  Problem problem;
  const Types& types = kTypes[draw(0, std::size(kTypes) - 1)];
  const int wide = 256 / BitsOf(types.input);
  problem.spec.a.dtype = problem.spec.b.dtype = types.input;
  problem.spec.bias.dtype = types.bias;
  problem.spec.c.dtype = types.result;
  problem.m = draw(0, 9) == 0 ? 1 : draw(1, 100);
  problem.n = draw(1, 100);
  problem.k = draw(1, 150);
  problem.transpose_a = draw(0, 1) == 1;
  problem.transpose_b = draw(0, 1) == 1;
  problem.bias = draw(0, 1) == 1;
  const int unit = std::max(16, wide);
  if (draw(0, 3) == 0) {
    problem.spec.a.format = MatmulFormat::kNz;
    problem.m = RoundUp(problem.m, unit);
    problem.k = RoundUp(problem.k, unit);
  }
  if (draw(0, 3) == 0) {
    problem.spec.b.format = MatmulFormat::kNz;
    problem.n = RoundUp(problem.n, unit);
    problem.k = RoundUp(problem.k, unit);
  }
  if (draw(0, 3) == 0) {
    problem.spec.c.format = MatmulFormat::kNz;
    problem.m = RoundUp(problem.m, 16);
    problem.n = RoundUp(problem.n, 16);
  }
  if (types.input == DType::kInt4) {
    // Pairs share a byte, and only B can be turned.
    problem.transpose_a = false;
    problem.k = RoundUp(problem.k, 2);
    problem.n = RoundUp(problem.n, 2);
  } else if (draw(0, 9) == 0 && problem.spec.c.format == MatmulFormat::kNd) {
    problem.spec.a.format = MatmulFormat::kVector;
    problem.m = 1;
    problem.transpose_a = false;
  }
  problem.spec.whole_slabs = static_cast<uint8_t>(draw(0, 1));
  AscendC::tiling::TCubeTiling& tiling = problem.tiling;
  tiling.M = tiling.singleCoreM = problem.m;
  tiling.N = tiling.singleCoreN = problem.n;
  tiling.Ka = tiling.Kb = tiling.singleCoreK = problem.k;
  tiling.baseM = unit * draw(1, 3);
  tiling.baseN = unit * draw(1, 3);
  tiling.baseK = unit * draw(1, 3);
  tiling.stepM = draw(1, 2);
  tiling.stepN = draw(1, 2);
  tiling.stepKa = draw(1, 3);
  tiling.stepKb = draw(1, 3);
  tiling.depthA1 = tiling.stepM * tiling.stepKa * draw(1, 2);
  tiling.depthB1 = tiling.stepN * tiling.stepKb * draw(1, 2);
  tiling.iterateOrder = draw(0, 1);
  tiling.dbL0A = tiling.dbL0B = draw(1, 2);
  tiling.dbL0C = draw(1, 2);
  tiling.isBias = problem.bias;
  return problem;
}

void ExpectResult(const ProductBench& bench, const Problem& problem) {
  const Matrix got = bench.Result();
  const Matrix expected = bench.Expected();
  const double precision = problem.spec.c.dtype == DType::kHalf       ? 0x1p-11
                           : problem.spec.c.dtype == DType::kBfloat16 ? 0x1p-8
                                                                      : 0;
  for (int row = 0; row < problem.m; ++row) {
    for (int column = 0; column < problem.n; ++column) {
      const double want = expected.At(row, column);
      ASSERT_LE(std::abs(got.At(row, column) - want),
                std::abs(want) * precision)
          << "at " << row << ", " << column << ": " << got.At(row, column)
          << " instead of " << want << "\n"
          << problem.Text();
    }
  }
}

abi::MatmulRequest AllInto(const abi::Operand& place) {
  abi::MatmulRequest request{};
  request.call = MatmulCall::kIterateAll;
  request.sync = 1;
  request.global = place;
  request.has_global = 1;
  return request;
}

uint64_t Seed() {
  const char* given = std::getenv("BELAY_TEST_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
}

TEST(Product, AllBlocksAtOnce) {
  std::mt19937_64 random(Seed());
  ProductBench bench;
  for (int i = 0; i < 150; ++i) {
    const Problem problem = DrawProblem(random);
    SCOPED_TRACE(problem.Text());
    bench.Prepare(problem, random());
    ASSERT_TRUE(bench.Run("cube", [&](abi::MatmulState& state) {
      const abi::MatmulRequest request = AllInto(bench.result());
      belay_matmul_call(&state, &request);
    })) << bench.FaultText();
    ExpectResult(bench, problem);
    if (HasFatalFailure()) {
      RecordProperty("seed", static_cast<int>(Seed()));
      return;
    }
  }
}

TEST(Product, BlockByBlock) {
  std::mt19937_64 random(Seed() + 1);
  ProductBench bench;
  for (int i = 0; i < 60; ++i) {
    const Problem problem = DrawProblem(random);
    SCOPED_TRACE(problem.Text());
    bench.Prepare(problem, random());
    ASSERT_TRUE(bench.Run("cube", [&](abi::MatmulState& state) {
      abi::MatmulRequest iterate{};
      iterate.call = MatmulCall::kIterate;
      iterate.sync = 1;
      abi::MatmulRequest get = AllInto(bench.result());
      get.call = MatmulCall::kGet;
      while (belay_matmul_call(&state, &iterate) != 0) {
        belay_matmul_call(&state, &get);
      }
    })) << bench.FaultText();
    ExpectResult(bench, problem);
    if (HasFatalFailure()) return;
  }
}

TEST(Product, VectorCoreAsksItsCubeCore) {
  std::mt19937_64 random(Seed() + 2);
  for (const char* kind : {"mix:1:1", "mix:1:2"}) {
    ProductBench bench;
    for (int i = 0; i < 25; ++i) {
      const Problem problem = DrawProblem(random);
      SCOPED_TRACE(problem.Text());
      bench.Prepare(problem, random());
      ASSERT_TRUE(bench.Run(kind, [&](abi::MatmulState& state) {
        if (belay_subblock_index() != 0) return;
        const abi::MatmulRequest request = AllInto(bench.result());
        belay_matmul_call(&state, &request);
      })) << bench.FaultText();
      ExpectResult(bench, problem);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Product, VectorCoreFetchesBlocks) {
  std::mt19937_64 random(Seed() + 3);
  ProductBench bench;
  for (int i = 0; i < 25; ++i) {
    const Problem problem = DrawProblem(random);
    SCOPED_TRACE(problem.Text());
    bench.Prepare(problem, random());
    ASSERT_TRUE(bench.Run("mix:1:2", [&](abi::MatmulState& state) {
      if (belay_subblock_index() != 1) return;
      abi::MatmulRequest iterate{};
      iterate.call = MatmulCall::kIterate;
      iterate.sync = 1;
      abi::MatmulRequest get = AllInto(bench.result());
      get.call = MatmulCall::kGet;
      while (belay_matmul_call(&state, &iterate) != 0) {
        belay_matmul_call(&state, &get);
      }
    })) << bench.FaultText();
    ExpectResult(bench, problem);
    if (HasFatalFailure()) return;
  }
}

// The register value that multiplies by a power of two.
uint64_t Scale(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

TEST(Product, ConvertsOnTheWayOut) {
  std::mt19937_64 random(Seed() + 4);
  ProductBench bench;
  for (int i = 0; i < 20; ++i) {
    Problem problem = DrawProblem(random);
    problem.spec.a = problem.spec.b = problem.spec.c = {};
    problem.spec.a.dtype = problem.spec.b.dtype = DType::kInt8;
    problem.spec.bias.dtype = DType::kInt32;
    problem.spec.c.dtype = DType::kHalf;
    problem.k = problem.tiling.Ka = problem.tiling.Kb =
        problem.tiling.singleCoreK = 1 + problem.k % 20;
    problem.tiling.M = problem.tiling.singleCoreM = problem.m;
    problem.tiling.N = problem.tiling.singleCoreN = problem.n;
    problem.tiling.baseM = problem.tiling.baseN = problem.tiling.baseK = 32;
    SCOPED_TRACE(problem.Text());
    bench.Prepare(problem, random());
    const bool by_column = i % 2 == 1;
    const uint64_t scales = bench.device().chip().global().Allocate(
        static_cast<uint64_t>(problem.n) * 8);
    for (int column = 0; column < problem.n; ++column) {
      reinterpret_cast<uint64_t*>(scales)[column] =
          Scale(column % 2 == 0 ? 0.5f : 0.25f);
    }
    bench.device().chip().NotifyHostWrite(
        {scales, static_cast<uint64_t>(problem.n) * 8, 0});
    ASSERT_TRUE(bench.Run("cube", [&](abi::MatmulState& state) {
      state.job.quant_kind =
          by_column ? abi::MatmulQuant::kVector : abi::MatmulQuant::kScalar;
      state.job.quant_scalar = Scale(0.5f);
      state.job.quant = GlobalOperand(scales, DType::kUint64);
      const abi::MatmulRequest request = AllInto(bench.result());
      belay_matmul_call(&state, &request);
    })) << bench.FaultText();
    const Matrix got = bench.Result();
    const Matrix expected = bench.Expected();
    for (int row = 0; row < problem.m; ++row) {
      for (int column = 0; column < problem.n; ++column) {
        const double scale = by_column && column % 2 == 1 ? 0.25 : 0.5;
        ASSERT_EQ(got.At(row, column), expected.At(row, column) * scale)
            << row << ", " << column;
      }
    }
  }
}

TEST(Product, RefusesWhatCannotBe) {
  std::mt19937_64 random(Seed());
  ProductBench bench(false);
  Problem problem = DrawProblem(random);
  bench.Prepare(problem, 1);
  const auto code_of = [&](const ProductBench::Ask& ask) {
    EXPECT_FALSE(bench.Run("cube", ask));
    return bench.faults().empty() ? "" : bench.faults()[0].diagnostic.code;
  };
  EXPECT_EQ(code_of([&](abi::MatmulState& state) {
              state.job.b.address = 0;
              const abi::MatmulRequest request = AllInto(bench.result());
              belay_matmul_call(&state, &request);
            }),
            "BLY-N161");
  EXPECT_EQ(code_of([&](abi::MatmulState& state) {
              abi::MatmulRequest get = AllInto(bench.result());
              get.call = MatmulCall::kGet;
              belay_matmul_call(&state, &get);
            }),
            "BLY-N162");
  EXPECT_EQ(code_of([&](abi::MatmulState& state) {
              abi::MatmulRequest batch = AllInto(bench.result());
              batch.call = MatmulCall::kIterateBatch;
              batch.batch_a = 3;
              batch.batch_b = 2;
              belay_matmul_call(&state, &batch);
            }),
            "BLY-N163");
  problem.tiling.depthA1 = 4096;
  problem.tiling.stepKa = 2048;
  bench.Prepare(problem, 1);
  EXPECT_EQ(code_of([](abi::MatmulState&) {}), "BLY-N160");
}

}  // namespace
}  // namespace belay::runtime::matmul
