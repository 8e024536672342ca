// SPDX-License-Identifier: Apache-2.0
// The ten harder programs of examples/crux against libtorch.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program_case.h"

namespace belay::testing::test_interpret_harder_programs {
namespace {

constexpr DType kFloats[] = {DType::kHalf, DType::kBfloat16, DType::kFloat};

std::string Named(DType dtype, const Shape& shape) {
  return fmt::format("{}[{}]", NameOf(dtype), ToText(shape));
}

TEST(InterpretHarderPrograms, GroupNormSwish) {
  Inputs inputs;
  struct Groups {
    Shape shape;
    int64_t groups;
  };
  for (const Groups& g : std::vector<Groups>{{{1, 2, 3}, 1},
                                             {{2, 6, 5, 7}, 3},
                                             {{1, 4, 131}, 4},
                                             {{3, 8, 2, 3, 5}, 2}}) {
    for (const DType dtype : kFloats) {
      const Input x = inputs.Normal(dtype, g.shape);
      const Input gamma = inputs.Normal(dtype, {g.shape[1]});
      const Input beta = inputs.Normal(dtype, {g.shape[1]});
      ProgramCase run{"group_norm_swish", Named(dtype, g.shape), {}, {}};
      run.Add("x", x);
      run.Add("gamma", gamma);
      run.Add("beta", beta);
      run.arguments.attributes = {
          {"groups", g.groups}, {"eps", 1e-4}, {"scale", 1.5}};
      const LayerNorm torch = TorchGroupNormSwish(x.real, gamma.real, beta.real,
                                                  g.groups, 1e-4, 1.5);
      run.expected = {
          {"y", torch.y}, {"mean", torch.mean}, {"rstd", torch.rstd}};
      ExpectAsTorch(run);
    }
  }
}

TEST(InterpretHarderPrograms, CrossEntropy) {
  Inputs inputs;
  for (const Shape& shape : std::vector<Shape>{{1, 2}, {7, 13}, {5, 300}}) {
    for (const DType dtype : kFloats) {
      for (const std::string reduction : {"none", "mean", "sum"}) {
        for (const double smoothing : {0.0, 0.1}) {
          for (const bool weighted : {false, true}) {
            const Input x = inputs.Normal(dtype, shape, 2);
            Input target =
                inputs.Integers(weighted ? DType::kInt64 : DType::kInt32,
                                {shape[0]}, 0, shape[1] - 1);
            // One row is ignored, but never the only one.
            if (shape[0] > 1) {
              target.real.values[1] = -100;
              target =
                  InputOf(target.array.dtype, {shape[0]}, target.real.values);
            }
            Input weight = inputs.Normal(DType::kFloat, {shape[1]}, 0.2);
            for (double& w : weight.real.values) w = std::abs(w) + 0.5;
            weight = InputOf(DType::kFloat, {shape[1]}, weight.real.values);
            ProgramCase run{"cross_entropy", Named(dtype, shape), {}, {}};
            run.what += fmt::format(", {}, smoothing {}, {}", reduction,
                                    smoothing, weighted ? "weighted" : "even");
            run.Add("x", x);
            run.Add("target", target);
            if (weighted) run.Add("weight", weight);
            run.arguments.attributes = {{"reduction", reduction},
                                        {"ignore_index", int64_t{-100}},
                                        {"smoothing", smoothing}};
            run.expected = {
                {"loss", TorchCrossEntropy(x.real, target.real,
                                           weighted ? std::optional(weight.real)
                                                    : std::nullopt,
                                           reduction, -100, smoothing)}};
            ExpectAsTorch(run);
          }
        }
      }
    }
  }
}

TEST(InterpretHarderPrograms, AddLayerNormGrad) {
  Inputs inputs;
  for (const Shape& shape : std::vector<Shape>{{1, 3}, {7, 13}, {5, 131}}) {
    for (const DType dtype : kFloats) {
      for (const bool with_dsum : {false, true}) {
        const Shape row = {shape[1]};
        const Input dy = inputs.Normal(dtype, shape);
        const Input x1 = inputs.Normal(dtype, shape);
        const Input x2 = inputs.Normal(dtype, shape);
        const Input gamma = inputs.Normal(dtype, row);
        const Input dsum = inputs.Normal(dtype, shape);
        // As the forward pass gives them, rounded to f32.
        const LayerNorm forward = TorchAddLayerNorm(
            x1.real, x2.real, gamma.real, gamma.real, std::nullopt, 1e-5);
        const Input mean =
            InputOf(DType::kFloat, {shape[0]}, forward.mean.values);
        const Input rstd =
            InputOf(DType::kFloat, {shape[0]}, forward.rstd.values);
        ProgramCase run{"add_layer_norm_grad", Named(dtype, shape), {}, {}};
        run.Add("dy", dy);
        run.Add("x1", x1);
        run.Add("x2", x2);
        run.Add("mean", mean);
        run.Add("rstd", rstd);
        run.Add("gamma", gamma);
        if (with_dsum) run.Add("dsum", dsum);
        const LayerNormGrad torch = TorchAddLayerNormGrad(
            dy.real, x1.real, x2.real, mean.real, rstd.real, gamma.real,
            with_dsum ? std::optional(dsum.real) : std::nullopt);
        run.expected = {
            {"dx", torch.dx}, {"dgamma", torch.dgamma}, {"dbeta", torch.dbeta}};
        ExpectAsTorch(run);
      }
    }
  }
}

TEST(InterpretHarderPrograms, CumsumDim) {
  Inputs inputs;
  struct Axis {
    Shape shape;
    int64_t dim;
  };
  for (const Axis& axis : std::vector<Axis>{{{1}, 0},
                                            {{131}, -1},
                                            {{3, 70}, 1},
                                            {{3, 70, 5}, 1},
                                            {{4, 3, 7}, 0},
                                            {{1, 32768}, -1}}) {
    for (const DType dtype : kFloats) {
      for (const bool reverse : {false, true}) {
        for (const bool exclusive : {false, true}) {
          // Small tiles of a long row take long and show nothing new.
          if (axis.shape.back() == 32768 && dtype != DType::kFloat) continue;
          const Input x = inputs.Normal(dtype, axis.shape);
          ProgramCase run{"cumsum_dim", Named(dtype, axis.shape), {}, {}};
          run.Add("x", x);
          run.arguments.attributes = {{"dim", axis.dim},
                                      {"reverse", reverse},
                                      {"exclusive", exclusive}};
          run.expected = {
              {"y", TorchCumsum(x.real, axis.dim, reverse, exclusive)}};
          ExpectAsTorch(run);
        }
      }
    }
  }
}

TEST(InterpretHarderPrograms, MaxPool3d) {
  Inputs inputs;
  struct Windows {
    Shape shape;
    Pooling pooling;
  };
  for (const Windows& w : std::vector<Windows>{
           {{1, 1, 1, 1, 1}, {{1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {1, 1, 1}}},
           {{2, 2, 5, 6, 7}, {{2, 3, 2}, {2, 1, 3}, {1, 1, 0}, {1, 1, 1}}},
           {{1, 2, 7, 5, 11}, {{3, 2, 3}, {2, 2, 2}, {1, 1, 1}, {2, 1, 2}}},
           {{1, 1, 4, 5, 13},
            {{2, 2, 2}, {3, 2, 3}, {0, 1, 1}, {1, 1, 1}, true}}}) {
    for (const DType dtype : kFloats) {
      const Input x = inputs.Normal(dtype, w.shape);
      ProgramCase run{"max_pool3d", Named(dtype, w.shape), {}, {}};
      run.Add("x", x);
      run.arguments.attributes = {{"k", w.pooling.kernel},
                                  {"s", w.pooling.stride},
                                  {"p", w.pooling.padding},
                                  {"d", w.pooling.dilation},
                                  {"ceil_mode", w.pooling.ceil_mode}};
      run.expected = {{"y", TorchMaxPool3d(x.real, w.pooling)}};
      ExpectAsTorch(run);
    }
  }
}

TEST(InterpretHarderPrograms, MaskedSelectAny) {
  Inputs inputs;
  for (const Shape& shape :
       std::vector<Shape>{{1, 1}, {3, 7}, {2, 5, 11}, {4, 3, 2, 31}}) {
    for (const DType dtype : {DType::kHalf, DType::kFloat, DType::kInt32}) {
      const Input x = inputs.Integers(dtype, shape, -99, 99);
      const Input mask =
          inputs.Mask(Shape(shape.begin() + 1, shape.end()), 0.5);
      ProgramCase run{"masked_select_any", Named(dtype, shape), {}, {}};
      run.Add("x", x);
      run.Add("mask", mask);
      run.expected = {{"y", TorchMaskedSelect(x.real, mask.real)}};
      ExpectAsTorch(run);
    }
  }
}

TEST(InterpretHarderPrograms, ScatterList) {
  Inputs inputs;
  for (const DType dtype : {DType::kHalf, DType::kFloat, DType::kInt8}) {
    for (const bool masked : {false, true}) {
      constexpr int64_t kTensors = 3, kRows = 2, kLength = 70, kDepth = 5;
      constexpr int64_t kUpdates = 66;
      const Input updates =
          inputs.Integers(dtype, {kTensors, kRows, kUpdates, kDepth}, -99, 99);
      const Input indices =
          InputOf(DType::kInt64, {kTensors, 2}, {0, 66, 7, 5, 69, 1});
      const Input mask = InputOf(DType::kBool, {kTensors}, {1, 0, 1});
      ProgramCase run{"scatter_list", std::string(NameOf(dtype)), {}, {}};
      std::vector<Input> list;
      for (int64_t b = 0; b < kTensors; ++b) {
        list.push_back(
            inputs.Integers(dtype, {kRows, kLength, kDepth}, -99, 99));
        Real after = list.back().real;
        const auto start = static_cast<int64_t>(indices.real.values[2 * b]);
        auto length = static_cast<int64_t>(indices.real.values[2 * b + 1]);
        if (masked && b == 1) length = 0;
        for (int64_t r = 0; r < kRows; ++r) {
          for (int64_t u = 0; u < length; ++u) {
            for (int64_t d = 0; d < kDepth; ++d) {
              after.values[(r * kLength + start + u) * kDepth + d] =
                  updates.real
                      .values[((b * kRows + r) * kUpdates + u) * kDepth + d];
            }
          }
        }
        run.expected.emplace_back(fmt::format("var[{}]", b), after);
      }
      run.AddList("var", list);
      run.Add("indices", indices);
      run.Add("updates", updates);
      if (masked) run.Add("mask", mask);
      ExpectAsTorch(run);
    }
  }
}

TEST(InterpretHarderPrograms, FlashAttention) {
  Inputs inputs;
  struct Heads {
    int64_t batch, heads, key_heads, queries, keys, depth;
  };
  for (const Heads& h : std::vector<Heads>{{1, 1, 1, 1, 1, 1},
                                           {2, 4, 2, 5, 7, 16},
                                           {1, 2, 1, 70, 131, 33},
                                           {1, 1, 1, 66, 130, 512}}) {
    for (const DType dtype : {DType::kHalf, DType::kBfloat16}) {
      for (const bool causal : {false, true}) {
        const Input q =
            inputs.Normal(dtype, {h.batch, h.heads, h.queries, h.depth});
        const Input k =
            inputs.Normal(dtype, {h.batch, h.key_heads, h.keys, h.depth});
        const Input v =
            inputs.Normal(dtype, {h.batch, h.key_heads, h.keys, h.depth});
        const double scale = 1 / std::sqrt(static_cast<double>(h.depth));
        ProgramCase run{"flash_attention", Named(dtype, q.array.shape), {}, {}};
        run.Add("q", q);
        run.Add("k", k);
        run.Add("v", v);
        run.arguments.attributes = {{"scale", scale}, {"causal", causal}};
        run.arguments.wanted = {"lse"};
        const Attention torch =
            TorchAttention(q.real, k.real, v.real, scale, causal);
        run.expected = {{"o", torch.output}, {"lse", torch.lse}};
        ExpectAsTorch(run);
      }
    }
  }
}

TEST(InterpretHarderPrograms, GroupedMatmul) {
  Inputs inputs;
  const std::vector<std::vector<int64_t>> groups = {
      {1}, {3, 0, 5}, {130, 1, 7}};
  for (const auto& sizes : groups) {
    for (const DType dtype : kFloats) {
      for (const bool with_bias : {false, true}) {
        int64_t rows = 0;
        std::vector<double> numbers;
        for (const int64_t size : sizes) {
          rows += size;
          numbers.push_back(static_cast<double>(size));
        }
        const auto count = static_cast<int64_t>(sizes.size());
        const Input x = inputs.Normal(dtype, {rows, 31});
        const Input w = inputs.Normal(dtype, {count, 31, 11});
        const Input bias = inputs.Normal(DType::kFloat, {count, 11});
        ProgramCase run{"grouped_matmul", Named(dtype, {rows, 31}), {}, {}};
        run.Add("x", x);
        run.Add("w", w);
        run.Add("sizes", InputOf(DType::kInt64, {count}, numbers));
        if (with_bias) run.Add("bias", bias);
        run.expected = {
            {"y",
             TorchGroupedMatmul(
                 x.real, w.real,
                 with_bias ? std::optional(bias.real) : std::nullopt, sizes)}};
        ExpectAsTorch(run);
      }
    }
  }
}

TEST(InterpretHarderPrograms, TopkMiddle) {
  Inputs inputs;
  struct Best {
    Shape shape;
    int64_t k;
  };
  for (const Best& best : std::vector<Best>{{{1, 1, 1}, 1},
                                            {{2, 7, 5}, 3},
                                            {{1, 131, 3}, 10},
                                            {{2, 300, 2}, 300}}) {
    for (const DType dtype : kFloats) {
      for (const bool largest : {true, false}) {
        // Few different values: ties.
        Input x = inputs.Integers(dtype, best.shape, -9, 9);
        x.real.values[0] = std::nan("");
        x = InputOf(dtype, best.shape, x.real.values);
        ProgramCase run{"topk_middle", Named(dtype, best.shape), {}, {}};
        run.Add("x", x);
        run.arguments.attributes = {{"k", best.k}, {"largest", largest}};
        const auto [values, indices] = TorchTopk(x.real, best.k, 1, largest);
        run.expected = {{"values", values}, {"indices", indices}};
        ExpectAsTorch(run);
      }
    }
  }
}

}  // namespace
}  // namespace belay::testing::test_interpret_harder_programs
