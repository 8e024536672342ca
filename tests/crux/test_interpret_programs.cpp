// SPDX-License-Identifier: Apache-2.0
// The nine programs of the language's first draft against libtorch.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program_case.h"

namespace belay::testing::test_interpret_programs {
namespace {

constexpr DType kFloats[] = {DType::kHalf, DType::kBfloat16, DType::kFloat};

std::string Named(DType dtype, const Shape& shape) {
  return fmt::format("{}[{}]", NameOf(dtype), ToText(shape));
}

TEST(InterpretPrograms, Swish) {
  Inputs inputs;
  for (const Shape& shape :
       std::vector<Shape>{{1}, {7}, {3, 5, 7}, {2, 1, 131}, {0}, {0, 3}, {}}) {
    for (const DType dtype : kFloats) {
      const Input x = inputs.Normal(dtype, shape, 3);
      ProgramCase run{"swish", Named(dtype, shape), {}, {}};
      run.Add("x", x);
      run.arguments.attributes["scale"] = 1.7;
      run.expected = {{"y", TorchSwish(x.real, 1.7)}};
      ExpectAsTorch(run);
    }
  }
}

TEST(InterpretPrograms, Softmax) {
  Inputs inputs;
  for (const Shape& shape :
       std::vector<Shape>{{1, 1}, {3, 7}, {5, 131}, {2, 640}, {13, 64}}) {
    for (const DType dtype : kFloats) {
      const Input x = inputs.Normal(dtype, shape, 4);
      ProgramCase run{"softmax", Named(dtype, shape), {}, {}};
      run.Add("x", x);
      run.expected = {{"y", TorchSoftmax(x.real)}};
      ExpectAsTorch(run);
    }
  }
}

TEST(InterpretPrograms, AddLayerNorm) {
  Inputs inputs;
  for (const Shape& shape :
       std::vector<Shape>{{1, 2}, {3, 7}, {5, 131}, {4, 256}}) {
    for (const DType dtype : kFloats) {
      for (const bool with_bias : {false, true}) {
        const Shape row = {shape[1]};
        const Input x1 = inputs.Normal(dtype, shape);
        const Input x2 = inputs.Normal(dtype, shape);
        const Input gamma = inputs.Normal(dtype, row);
        const Input beta = inputs.Normal(dtype, row);
        const Input bias = inputs.Normal(dtype, row);
        ProgramCase run{"add_layer_norm", Named(dtype, shape), {}, {}};
        run.Add("x1", x1);
        run.Add("x2", x2);
        run.Add("gamma", gamma);
        run.Add("beta", beta);
        if (with_bias) run.Add("bias", bias);
        run.arguments.attributes["eps"] = 1e-3;
        const LayerNorm torch = TorchAddLayerNorm(
            x1.real, x2.real, gamma.real, beta.real,
            with_bias ? std::optional(bias.real) : std::nullopt, 1e-3);
        run.expected = {
            {"y", torch.y}, {"mean", torch.mean}, {"rstd", torch.rstd}};
        ExpectAsTorch(run);
      }
    }
  }
}

TEST(InterpretPrograms, RmsNormGradGamma) {
  Inputs inputs;
  for (const Shape& shape :
       std::vector<Shape>{{1, 1}, {17, 5}, {64, 131}, {0, 4}}) {
    for (const DType dtype : kFloats) {
      const Input dy = inputs.Normal(dtype, shape);
      const Input x = inputs.Normal(dtype, shape);
      const Input rstd = inputs.Normal(DType::kFloat, {shape[0]});
      ProgramCase run{"rms_norm_grad_gamma", Named(dtype, shape), {}, {}};
      run.Add("dy", dy);
      run.Add("x", x);
      run.Add("rstd", rstd);
      run.expected = {
          {"dgamma", TorchRmsNormGradGamma(dy.real, x.real, rstd.real)}};
      ExpectAsTorch(run);
    }
  }
}

TEST(InterpretPrograms, MaxOverMiddle) {
  Inputs inputs;
  for (const Shape& shape :
       std::vector<Shape>{{1, 1, 1}, {2, 7, 5}, {3, 70, 131}, {2, 300, 3}}) {
    for (const DType dtype : kFloats) {
      const Input x = inputs.Normal(dtype, shape);
      ProgramCase run{"max_over_middle", Named(dtype, shape), {}, {}};
      run.Add("x", x);
      run.expected = {{"y", TorchMaxOverMiddle(x.real)}};
      ExpectAsTorch(run);
    }
  }
}

TEST(InterpretPrograms, MaxPool2d) {
  struct Windows {
    Shape shape;
    int64_t k, s, p;
  };
  Inputs inputs;
  for (const Windows& w : std::vector<Windows>{{{1, 1, 1, 1}, 1, 1, 0},
                                               {{2, 3, 7, 11}, 3, 2, 1},
                                               {{1, 2, 13, 67}, 5, 1, 2},
                                               {{1, 1, 9, 9}, 2, 3, 0}}) {
    for (const DType dtype : kFloats) {
      const Input x = inputs.Normal(dtype, w.shape);
      ProgramCase run{"max_pool2d", Named(dtype, w.shape), {}, {}};
      run.Add("x", x);
      run.arguments.attributes = {{"k", w.k}, {"s", w.s}, {"p", w.p}};
      run.expected = {{"y", TorchMaxPool2d(x.real, w.k, w.s, w.p)}};
      ExpectAsTorch(run);
    }
  }
}

TEST(InterpretPrograms, MatmulGelu) {
  Inputs inputs;
  for (const auto& [m, k, n] : std::vector<std::array<int64_t, 3>>{
           {1, 1, 1}, {7, 13, 5}, {130, 31, 3}, {3, 70, 260}}) {
    const Input a = inputs.Normal(DType::kHalf, {m, k});
    const Input b = inputs.Normal(DType::kHalf, {k, n});
    const Input bias = inputs.Normal(DType::kHalf, {n});
    ProgramCase run{"matmul_gelu", fmt::format("{} {} {}", m, k, n), {}, {}};
    run.Add("a", a);
    run.Add("b", b);
    run.Add("bias", bias);
    run.expected = {{"c", TorchMatmulGelu(a.real, b.real, bias.real)}};
    ExpectAsTorch(run);
  }
}

TEST(InterpretPrograms, ForeachAddScalar) {
  Inputs inputs;
  for (const DType dtype : kFloats) {
    const std::vector<Shape> shapes = {{3}, {2, 5, 7}, {1}, {131, 2}};
    ProgramCase run{"foreach_add_scalar", std::string(NameOf(dtype)), {}, {}};
    std::vector<Input> list;
    for (size_t i = 0; i < shapes.size(); ++i) {
      list.push_back(inputs.Normal(dtype, shapes[i]));
      Real sum = list.back().real;
      for (double& value : sum.values) value += 2.3;
      run.expected.emplace_back(fmt::format("y[{}]", i), sum);
    }
    run.AddList("x", list);
    run.arguments.attributes["value"] = 2.3;
    ExpectAsTorch(run);
  }
}

TEST(InterpretPrograms, MaskedSelect) {
  Inputs inputs;
  for (const int64_t n : {1, 7, 131, 600}) {
    for (const double share : {0.0, 0.4, 1.0}) {
      for (const DType dtype : kFloats) {
        const Input x = inputs.Normal(dtype, {n});
        const Input mask = inputs.Mask({n}, share);
        ProgramCase run{"masked_select", Named(dtype, {n}), {}, {}};
        run.Add("x", x);
        run.Add("mask", mask);
        run.expected = {{"y", TorchMaskedSelect(x.real, mask.real)}};
        ExpectAsTorch(run);
      }
    }
  }
}

}  // namespace
}  // namespace belay::testing::test_interpret_programs
