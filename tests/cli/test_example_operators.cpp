// SPDX-License-Identifier: Apache-2.0
// The operator projects of examples/ops in all their dtypes, over shapes with
// tails, single elements, nothing at all, fewer and more rows than cores. The
// golden values are computed here in double.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "operator_call.h"

namespace belay::testing {
namespace {

// Every call starts a compiler: only one dtype of an operator takes all shapes,
// the others every third.
template <typename T, size_t size>
std::vector<T> SomeOf(const T (&cases)[size], bool all) {
  std::vector<T> some;
  for (size_t i = 0; i < size; i += all ? 1 : 3) some.push_back(cases[i]);
  return some;
}

constexpr DType kFloats[] = {DType::kHalf, DType::kFloat, DType::kBfloat16};

std::string NameText(DType dtype) { return std::string(NameOf(dtype)); }

// Values in -limit .. limit as the dtype stores them, the same on every run.
Array Random(DType dtype, const Shape& shape, double limit = 2.0,
             uint32_t seed = 1) {
  std::mt19937 random(seed);
  std::vector<double> values(ElementCount(shape));
  for (double& value : values) {
    const double unit = random() / 4294967296.0 * 2 - 1;
    value = !IsFloating(dtype) ? std::trunc(unit * limit) : unit * limit;
  }
  return MakeArray(dtype, shape, values);
}

// ForeachScaleList.

Array Scaled(const Array& x, double scale) {
  std::vector<double> values = ValuesOf(x);
  for (double& value : values) value *= scale;
  return MakeArray(x.dtype, x.shape, values);
}

class ForeachScaleList : public ::testing::TestWithParam<DType> {};

TEST_P(ForeachScaleList, ScalesEveryTensorOfTheList) {
  const DType dtype = GetParam();
  const bool is_integer = dtype == DType::kInt32;
  const double scale = is_integer ? -3 : 1.25;
  const std::vector<std::vector<Shape>> lists = {
      {{1}},
      {{0}},
      {{3, 5}, {0, 4}, {1}, {}, {100001}},
      {{0}, {4099}, {0}, {2, 3, 7, 11}, {0}},
      {{8, 4096}, {8, 4096}, {33}},
  };
  for (const std::vector<Shape>& shapes : lists) {
    std::vector<Array> x, y;
    for (const Shape& shape : shapes) {
      x.push_back(Random(dtype, shape, is_integer ? 100000 : 8,
                         static_cast<uint32_t>(x.size())));
      y.push_back(Scaled(x.back(), scale));
    }
    OperatorCall("examples/ops/foreach_scale_list")
        .InputList("x", x)
        .Words(is_integer ? "--in scale=scalar:-3:i32"
                          : "--in scale=scalar:1.25:f32")
        .GoldenList("y", y)
        .RunAndCompare();
  }
}

TEST_P(ForeachScaleList, TakesMoreTensorsThanCores) {
  std::vector<Array> x, y;
  for (uint32_t i = 0; i < 100; ++i) {
    x.push_back(Random(GetParam(), {i % 7, 3}, 8, i));
    y.push_back(Scaled(x.back(), 2));
  }
  OperatorCall("examples/ops/foreach_scale_list")
      .InputList("x", x)
      .Words(GetParam() == DType::kInt32 ? "--in scale=scalar:2:i32"
                                         : "--in scale=scalar:2:f32")
      .GoldenList("y", y)
      .RunAndCompare();
}

INSTANTIATE_TEST_SUITE_P(All, ForeachScaleList,
                         ::testing::Values(DType::kHalf, DType::kFloat,
                                           DType::kBfloat16, DType::kInt32),
                         [](const auto& info) { return NameText(info.param); });

// LayerNorm.

struct Normalised {
  std::vector<double> y, mean, rstd;
};

Normalised LayerNormGolden(const Array& x, int64_t columns, double epsilon,
                           bool unbiased, const Array* gamma,
                           const Array* bias) {
  const std::vector<double> in = ValuesOf(x);
  std::vector<double> scale(columns, 1), shift(columns, 0);
  if (gamma != nullptr) scale = ValuesOf(*gamma);
  if (bias != nullptr) shift = ValuesOf(*bias);
  Normalised golden;
  golden.y.resize(in.size());
  for (size_t start = 0; start < in.size(); start += columns) {
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < columns; ++i) sum += in[start + i];
    const double mean = sum / columns;
    for (int64_t i = 0; i < columns; ++i) {
      squares += (in[start + i] - mean) * (in[start + i] - mean);
    }
    const double rstd =
        1 / std::sqrt(squares / (columns - (unbiased ? 1 : 0)) + epsilon);
    for (int64_t i = 0; i < columns; ++i) {
      golden.y[start + i] = (in[start + i] - mean) * rstd * scale[i] + shift[i];
    }
    golden.mean.push_back(mean);
    golden.rstd.push_back(rstd);
  }
  return golden;
}

struct LayerNormCase {
  Shape shape;
  int64_t axis;
  bool has_gamma, has_bias, unbiased;
  double epsilon;
};

class LayerNorm : public ::testing::TestWithParam<DType> {};

TEST_P(LayerNorm, NormalisesRows) {
  const DType dtype = GetParam();
  const LayerNormCase cases[] = {
      {{1, 1}, -1, true, true, false, 1e-5},
      {{5, 77}, -1, true, true, false, 1e-5},
      {{3, 64}, 1, false, false, false, 1e-3},
      {{101, 129}, 1, true, false, true, 1e-5},
      {{2, 3, 5, 7}, 2, false, true, false, 1e-2},
      {{4, 1000}, 0, true, true, false, 1e-5},
      {{0, 16}, -1, true, true, false, 1e-5},
      {{600, 3}, -1, true, true, true, 0.1},
      {{2, 20011}, -1, true, true, false, 1e-5},
  };
  for (const LayerNormCase& test : cases) {
    const size_t begin =
        test.axis < 0 ? test.axis + test.shape.size() : test.axis;
    const Shape row(test.shape.begin() + begin, test.shape.end());
    Shape statistic = test.shape;
    std::fill(statistic.begin() + begin, statistic.end(), 1);
    const Array x = Random(dtype, test.shape, 3, 7);
    const Array gamma = Random(dtype, row, 1, 8);
    const Array bias = Random(dtype, row, 1, 9);
    const Normalised golden = LayerNormGolden(
        x, ElementCount(row), test.epsilon, test.unbiased,
        test.has_gamma ? &gamma : nullptr, test.has_bias ? &bias : nullptr);
    OperatorCall call("examples/ops/layer_norm");
    call.Input("x", x);
    if (test.has_gamma) call.Input("gamma", gamma);
    if (test.has_bias) call.Input("bias", bias);
    call.Words("--attr epsilon=" + std::to_string(test.epsilon));
    call.Words("--attr begin_norm_axis=" + std::to_string(test.axis));
    call.Words(test.unbiased ? "--attr unbiased=true" : "");
    call.Golden("y", MakeArray(dtype, test.shape, golden.y),
                dtype == DType::kFloat ? 40 : 4);
    call.Golden("mean", MakeArray(DType::kFloat, statistic, golden.mean), 40);
    call.Golden("rstd", MakeArray(DType::kFloat, statistic, golden.rstd), 40);
    call.RunAndCompare();
  }
}

INSTANTIATE_TEST_SUITE_P(All, LayerNorm, ::testing::ValuesIn(kFloats),
                         [](const auto& info) { return NameText(info.param); });

TEST(ExampleOperators, AWrongGoldenValueIsFound) {
  const Array x = Random(DType::kFloat, {5, 77});
  Normalised golden = LayerNormGolden(x, 77, 1e-5, false, nullptr, nullptr);
  golden.y[100] += 0.01;
  OperatorCall call("examples/ops/layer_norm");
  call.Input("x", x);
  call.Golden("y", MakeArray(DType::kFloat, {5, 77}, golden.y));
  const Outcome outcome = call.Run();
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("BLY-H114"), std::string::npos) << outcome.err;
}

// CastColumns.

struct CastColumn {
  DType from, to;
  int dst_type;  // as the graph engine numbers types
};

class CastColumns : public ::testing::TestWithParam<CastColumn> {};

TEST_P(CastColumns, Converts) {
  const CastColumn column = GetParam();
  const bool is_narrow =
      column.from == DType::kInt8 || column.to == DType::kInt8;
  const double limit = is_narrow ? 127 : 3000;
  const Shape shapes[] = {{7, 13}, {1}, {}, {49155}, {4}, {0}, {1024, 3, 101}};
  for (const Shape& shape : SomeOf(shapes, column.to == DType::kHalf)) {
    const Array x = Random(column.from, shape, limit);
    OperatorCall("examples/ops/cast_columns")
        .Input("x", x)
        .Words("--attr dst_type=" + std::to_string(column.dst_type))
        .Golden("y", MakeArray(column.to, shape, ValuesOf(x)))
        .RunAndCompare();
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, CastColumns,
    ::testing::Values(CastColumn{DType::kHalf, DType::kFloat, 0},
                      CastColumn{DType::kHalf, DType::kInt8, 2},
                      CastColumn{DType::kFloat, DType::kHalf, 1},
                      CastColumn{DType::kFloat, DType::kBfloat16, 27},
                      CastColumn{DType::kFloat, DType::kInt32, 3},
                      CastColumn{DType::kBfloat16, DType::kHalf, 1},
                      CastColumn{DType::kInt32, DType::kFloat, 0},
                      CastColumn{DType::kInt8, DType::kFloat, 0},
                      CastColumn{DType::kInt64, DType::kInt32, 3}),
    [](const auto& info) {
      return NameText(info.param.from) + "_to_" + NameText(info.param.to);
    });

// SliceByValue.

Array SliceGolden(const Array& x, const Shape& begins, const Shape& sizes) {
  const std::vector<double> in = ValuesOf(x);
  std::vector<double> out(ElementCount(sizes));
  for (size_t i = 0; i < out.size(); ++i) {
    int64_t rest = static_cast<int64_t>(i), at = 0, stride = 1;
    for (size_t d = sizes.size(); d-- > 0;) {
      at += (begins[d] + rest % sizes[d]) * stride;
      rest /= sizes[d];
      stride *= x.shape[d];
    }
    out[i] = in[at];
  }
  return MakeArray(x.dtype, sizes, out);
}

Array IndexArray(DType dtype, const Shape& values) {
  return MakeArray(dtype, {static_cast<int64_t>(values.size())},
                   std::vector<double>(values.begin(), values.end()));
}

struct SliceColumn {
  DType x, index;
};

struct SliceCase {
  Shape x, begins, sizes;
};

class SliceByValue : public ::testing::TestWithParam<SliceColumn> {};

TEST_P(SliceByValue, TakesThePartThatTheValuesName) {
  const SliceCase cases[] = {
      {{9, 33}, {2, 5}, {5, 21}},
      {{1}, {0}, {1}},
      {{17}, {3}, {11}},
      {{5, 4, 3, 7}, {1, 1, 0, 2}, {3, 2, 3, 3}},
      {{9, 33}, {0, 0}, {9, 33}},
      {{9, 33}, {4, 1}, {0, 3}},
      {{2, 100, 3}, {0, 7, 1}, {2, 90, 1}},
      {{3, 4, 5, 6}, {1, 0, 0, 0}, {2, 4, 5, 6}},
      {{2, 150001}, {1, 17}, {1, 149971}},
      {{5000, 3}, {1, 0}, {4998, 2}},
  };
  const SliceColumn column = GetParam();
  for (const SliceCase& test : SomeOf(cases, column.x == DType::kHalf)) {
    const Array x =
        Random(column.x, test.x, column.x == DType::kBool ? 1.999 : 100);
    OperatorCall("examples/ops/slice_by_value")
        .Input("x", x)
        .Input("begins", IndexArray(column.index, test.begins))
        .Input("sizes", IndexArray(column.index, test.sizes))
        .Golden("y", SliceGolden(x, test.begins, test.sizes))
        .RunAndCompare();
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, SliceByValue,
    ::testing::Values(SliceColumn{DType::kHalf, DType::kInt64},
                      SliceColumn{DType::kFloat, DType::kInt64},
                      SliceColumn{DType::kBfloat16, DType::kInt64},
                      SliceColumn{DType::kInt8, DType::kInt64},
                      SliceColumn{DType::kInt32, DType::kInt64},
                      SliceColumn{DType::kInt64, DType::kInt64},
                      SliceColumn{DType::kFloat, DType::kInt32},
                      SliceColumn{DType::kBool, DType::kInt32}),
    [](const auto& info) {
      return NameText(info.param.x) + "_" + NameText(info.param.index);
    });

TEST(ExampleOperators, ASizeOfMinusOneGoesToTheEnd) {
  const Array x = Random(DType::kFloat, {6, 10});
  OperatorCall("examples/ops/slice_by_value")
      .Input("x", x)
      .Input("begins", IndexArray(DType::kInt64, {-2, 3}))
      .Input("sizes", IndexArray(DType::kInt64, {-1, -1}))
      .Golden("y", SliceGolden(x, {4, 3}, {2, 7}))
      .RunAndCompare();
}

// ReduceTwoWays.

struct ReduceCase {
  Shape x;
  std::vector<int64_t> axes;
  bool keeps_dims;
};

Array ReduceGolden(const Array& x, const ReduceCase& test, bool is_max) {
  const size_t rank = test.x.size();
  std::vector<bool> is_reduced(rank, test.axes.empty());
  for (int64_t axis : test.axes) {
    is_reduced[axis < 0 ? axis + rank : axis] = true;
  }
  Shape shape;
  int64_t outputs = 1;
  for (size_t d = 0; d < rank; ++d) {
    if (!is_reduced[d]) outputs *= test.x[d];
    if (!is_reduced[d]) shape.push_back(test.x[d]);
    if (is_reduced[d] && test.keeps_dims) shape.push_back(1);
  }
  std::vector<double> out(outputs, is_max ? -INFINITY : 0);
  const std::vector<double> in = ValuesOf(x);
  for (size_t i = 0; i < in.size(); ++i) {
    int64_t rest = static_cast<int64_t>(i), at = 0, stride = 1;
    for (size_t d = rank; d-- > 0;) {
      if (!is_reduced[d]) {
        at += rest % test.x[d] * stride;
        stride *= test.x[d];
      }
      rest /= test.x[d];
    }
    out[at] = is_max ? std::max(out[at], in[i]) : out[at] + in[i];
  }
  return MakeArray(x.dtype, shape, out);
}

std::string ListText(const std::vector<int64_t>& values) {
  std::string text = "[";
  for (int64_t value : values) {
    text += (text.size() > 1 ? "," : "") + std::to_string(value);
  }
  return text + "]";
}

class ReduceTwoWays
    : public ::testing::TestWithParam<std::tuple<DType, std::string>> {};

TEST_P(ReduceTwoWays, ReducesByBothWays) {
  const auto& [dtype, mode] = GetParam();
  const ReduceCase cases[] = {
      // Whole outputs for every core.
      {{1}, {0}, false},
      {{13, 77}, {1}, false},
      {{13, 77}, {-1}, true},
      {{13, 77}, {0}, false},
      {{3, 5, 7, 9}, {1, 2}, true},
      {{2500, 2}, {1}, false},
      {{7, 2600}, {0}, false},
      {{50, 30011}, {1}, false},
      {{1, 100}, {}, false},
      // Every core a part.
      {{100003}, {0}, false},
      {{1021, 37}, {0}, true},
      {{2, 2000, 33}, {1}, false},
      {{3, 70001}, {-1}, false},
      {{400, 2600}, {0}, false},
  };
  for (const ReduceCase& test : SomeOf(cases, dtype == DType::kFloat)) {
    // Small integers: sums are exact in float, and mostly in the dtype.
    Array x = Random(dtype, test.x, 4);
    std::vector<double> values = ValuesOf(x);
    for (double& value : values) value = std::round(value);
    x = MakeArray(dtype, test.x, values);
    OperatorCall("examples/ops/reduce_two_ways")
        .Input("x", x)
        .Words("--attr axes=" + ListText(test.axes) + " --attr mode=" + mode)
        .Words(test.keeps_dims ? "--attr keep_dims=true" : "")
        .Golden("y", ReduceGolden(x, test, mode == "max"))
        .RunAndCompare();
  }
}

INSTANTIATE_TEST_SUITE_P(All, ReduceTwoWays,
                         ::testing::Combine(::testing::ValuesIn(kFloats),
                                            ::testing::Values("sum", "max")),
                         [](const auto& info) {
                           return NameText(std::get<0>(info.param)) + "_" +
                                  std::get<1>(info.param);
                         });

TEST(ExampleOperators, TheSumOfNothingIsZero) {
  OperatorCall("examples/ops/reduce_two_ways")
      .Input("x", MakeArray(DType::kFloat, {3, 0}, {}))
      .Words("--attr axes=[1]")
      .Golden("y", MakeArray(DType::kFloat, {3}, {0, 0, 0}))
      .RunAndCompare();
}

TEST(ExampleOperators, TheOperatorsOwnWordsReachTheCaller) {
  const Outcome outcome = OperatorCall("examples/ops/reduce_two_ways")
                              .Input("x", Random(DType::kFloat, {4, 4}))
                              .Words("--attr axes=[1] --attr mode=mean")
                              .Run();
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("BLY-H101"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("mode is \"mean\""), std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace belay::testing
