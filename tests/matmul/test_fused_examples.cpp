// SPDX-License-Identifier: Apache-2.0
// The operator projects of examples/cube against libtorch, under every checker:
// shapes with and without tails, on few and on many cores.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "../cli/operator_call.h"
#include "torch_golden.h"

namespace belay::testing {
namespace {

// Of half's rounding error, relative to max(1, |golden|): the result's own
// rounding, and what was half in between.
constexpr double kHalfTolerance = 4;

class Values {
 public:
  explicit Values(uint32_t seed) : random_(seed) {}

  // Between -limit and limit as the dtype stores them.
  Array Make(DType dtype, const Shape& shape, double limit) {
    std::vector<double> values(ElementCount(shape));
    for (double& value : values) {
      const double unit = random_() / 4294967296.0 * 2 - 1;
      value = IsFloating(dtype) ? unit * limit : std::trunc(unit * limit);
    }
    return MakeArray(dtype, shape, values);
  }

 private:
  std::mt19937 random_;
};

Doubles ToDoubles(const Array& array) {
  return {{array.shape.begin(), array.shape.end()}, ValuesOf(array)};
}

Array ToHalves(const Doubles& doubles) {
  return MakeArray(DType::kHalf,
                   Shape(doubles.shape.begin(), doubles.shape.end()),
                   doubles.values);
}

TEST(FusedExamples, ATilingOfTheLibraryReachesTheKernel) {
  OperatorCall("tests/operators/cube_tiling")
      .Words("--attr size=128 --out-shape y=8:i32")
      .Golden("y",
              MakeArray(DType::kInt32, {8}, {1, 128, 96, 80, 160, 64, 32, 2}))
      .RunAndCompare();
  // No base block of 64 rows fits 32 of them.
  EXPECT_NE(OperatorCall("tests/operators/cube_tiling")
                .Words("--attr size=32 --out-shape y=8:i32 --out y=none.npy")
                .Run()
                .exit_code,
            0);
}

struct Product {
  int64_t m, n, k;
};

TEST(FusedExamples, MatmulEpilogue) {
  for (const auto& [m, n, k] :
       {Product{1, 1, 1}, Product{16, 16, 16}, Product{100, 200, 300},
        Product{257, 129, 65}, Product{512, 384, 256}}) {
    Values values(static_cast<uint32_t>(m));
    const Array a = values.Make(DType::kHalf, {m, k}, 1);
    const Array b = values.Make(DType::kHalf, {k, n}, 1 / std::sqrt(k));
    const Array bias = values.Make(DType::kFloat, {n}, 1);
    const Array residual = values.Make(DType::kHalf, {m, n}, 1);
    const Doubles golden = MatmulEpilogueGolden(
        ToDoubles(a), ToDoubles(b), ToDoubles(bias), ToDoubles(residual), 0.25);
    OperatorCall("examples/cube/matmul_epilogue")
        .Input("a", a)
        .Input("b", b)
        .Input("bias", bias)
        .Input("residual", residual)
        .Words("--attr slope=0.25")
        .Golden("y", ToHalves(golden), kHalfTolerance)
        .RunAndCompare();
  }
}

struct Attention {
  int64_t batch, heads, queries, keys, depth;
};

TEST(FusedExamples, FlashAttention) {
  for (const auto& [batch, heads, queries, keys, depth] :
       {Attention{1, 1, 1, 1, 16}, Attention{1, 2, 64, 256, 64},
        Attention{2, 3, 100, 300, 48}, Attention{1, 4, 200, 513, 128}}) {
    Values values(static_cast<uint32_t>(keys));
    const Array q =
        values.Make(DType::kHalf, {batch, heads, queries, depth}, 2);
    const Array k = values.Make(DType::kHalf, {batch, heads, keys, depth}, 2);
    const Array v = values.Make(DType::kHalf, {batch, heads, keys, depth}, 2);
    const Doubles golden =
        AttentionGolden(ToDoubles(q), ToDoubles(k), ToDoubles(v),
                        1 / std::sqrt(static_cast<double>(depth)));
    OperatorCall("examples/cube/flash_attention")
        .Input("q", q)
        .Input("k", k)
        .Input("v", v)
        .Golden("y", ToHalves(golden), kHalfTolerance)
        .RunAndCompare();
  }
}

// A scale as the cube takes it: a float's bits in the low half of 64.
Array ScaleBits(const std::vector<double>& scales, const Shape& shape) {
  Array array;
  array.dtype = DType::kUint64;
  array.shape = shape;
  array.data.resize(scales.size() * sizeof(uint64_t));
  for (size_t i = 0; i < scales.size(); ++i) {
    const auto scale = static_cast<float>(scales[i]);
    std::memcpy(&array.data[i * sizeof(uint64_t)], &scale, sizeof(scale));
  }
  return array;
}

struct Groups {
  std::vector<int64_t> rows;
  int64_t n, k;
};

TEST(FusedExamples, GroupedMatmulInt8) {
  for (const auto& [rows, n, k] :
       {Groups{{1}, 16, 32}, Groups{{130, 0, 7}, 300, 96},
        Groups{{256, 64, 1, 200}, 512, 200}}) {
    int64_t m = 0;
    for (const int64_t count : rows) m += count;
    const auto groups = static_cast<int64_t>(rows.size());
    Values values(static_cast<uint32_t>(n));
    const Array x = values.Make(DType::kInt8, {m, k}, 20);
    const Array weight = values.Make(DType::kInt8, {groups, k, n}, 20);
    // The cube reads the upper 19 bits of a scale: seven digits are enough.
    std::vector<double> scales(groups * n);
    for (size_t i = 0; i < scales.size(); ++i) {
      scales[i] = std::ldexp(64.0 + i % 64, -20);
    }
    const Array group_list =
        MakeArray(DType::kInt64, {groups}, {rows.begin(), rows.end()});
    const Doubles golden = GroupedMatmulGolden(ToDoubles(x), ToDoubles(weight),
                                               {{groups, n}, scales}, rows);
    OperatorCall("examples/cube/grouped_matmul_int8")
        .Input("x", x)
        .Input("weight", weight)
        .Input("scale", ScaleBits(scales, {groups, n}))
        .Input("group_list", group_list)
        .Golden("y", ToHalves(golden), 1)
        .RunAndCompare();
  }
}

}  // namespace
}  // namespace belay::testing
