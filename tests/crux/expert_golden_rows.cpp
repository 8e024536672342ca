// SPDX-License-Identifier: Apache-2.0
// Activations, normalisations, scans and reductions.

#include "expert_golden.h"
#include "torch_convert.h"

namespace belay::testing {
namespace {

// [before, after] a dimension that was reduced.
Real AroundReduced(const Real& x, int64_t dim, const at::Tensor& reduced) {
  if (dim < 0) dim += static_cast<int64_t>(x.shape.size());
  int64_t before = 1;
  for (int64_t d = 0; d < dim; ++d) before *= x.shape[static_cast<size_t>(d)];
  const int64_t after = before == 0 ? 0 : reduced.numel() / before;
  return FromTorch(reduced.reshape({before, after}));
}

Goldens Swish(const ExpertCall& call) {
  return {{"y", TorchSwish(call["x"], call.Number("scale", 1))}};
}

Goldens Softmax(const ExpertCall& call) {
  return {{"y", TorchSoftmax(call["x"])}};
}

Goldens GeluForms(const ExpertCall& call) {
  return {{"y", FromTorch(at::gelu(ToTorch(call["x"]),
                                   call.Word("approximate", "none")))}};
}

Goldens Swiglu(const ExpertCall& call) {
  const std::vector<at::Tensor> halves = ToTorch(call["x"]).chunk(2, -1);
  return {{"y", FromTorch(at::silu(halves[0]) * halves[1])}};
}

Goldens LogSoftmax(const ExpertCall& call) {
  return {{"y", FromTorch(at::log_softmax(ToTorch(call["x"]), 1))}};
}

Goldens Elu(const ExpertCall& call) {
  return {
      {"y", FromTorch(at::elu(ToTorch(call["x"]), call.Number("alpha", 1)))}};
}

Goldens Mish(const ExpertCall& call) {
  return {{"y", FromTorch(at::mish(ToTorch(call["x"])))}};
}

Goldens Prelu(const ExpertCall& call) {
  return {
      {"y", FromTorch(at::prelu(ToTorch(call["x"]), ToTorch(call["weight"])))}};
}

Goldens AddLayerNorm(const ExpertCall& call) {
  const LayerNorm norm =
      TorchAddLayerNorm(call["x1"], call["x2"], call["gamma"], call["beta"],
                        call.Optional("bias"), call.Number("eps", 1e-5));
  return {{"y", norm.y}, {"mean", norm.mean}, {"rstd", norm.rstd}};
}

Goldens PlainLayerNorm(const ExpertCall& call) {
  const Real& x = call["x"];
  const auto [y, mean, rstd] = at::native_layer_norm(
      ToTorch(x), {x.shape.back()}, ToTorch(call.Optional("gamma")),
      ToTorch(call.Optional("beta")), call.Number("epsilon", 1e-5));
  return {{"y", FromTorch(y)},
          {"mean", FromTorch(mean.squeeze(-1))},
          {"rstd", FromTorch(rstd.squeeze(-1))}};
}

Goldens RmsNorm(const ExpertCall& call) {
  const at::Tensor x = ToTorch(call["x"]);
  const at::Tensor rstd = at::rsqrt(at::mean(x * x, -1, /*keepdim=*/true) +
                                    call.Number("epsilon", 1e-6));
  return {{"y", FromTorch(x * rstd * ToTorch(call["gamma"]))},
          {"rstd", FromTorch(rstd)}};
}

Goldens BatchNorm(const ExpertCall& call) {
  at::Tensor mean = ToTorch(call["running_mean"]);
  at::Tensor variance = ToTorch(call["running_var"]);
  const auto [y, save_mean, save_rstd] = at::native_batch_norm(
      ToTorch(call["x"]), ToTorch(call["weight"]), ToTorch(call["bias"]), mean,
      variance, /*training=*/true, call.Number("momentum", 0.1),
      call.Number("epsilon", 1e-5));
  return {{"y", FromTorch(y)},
          {"save_mean", FromTorch(save_mean)},
          {"save_rstd", FromTorch(save_rstd)},
          {"running_mean", FromTorch(mean)},
          {"running_var", FromTorch(variance)}};
}

Goldens GroupNormSwish(const ExpertCall& call) {
  const LayerNorm norm = TorchGroupNormSwish(
      call["x"], call["gamma"], call["beta"], call.Whole("groups", 1),
      call.Number("eps", 1e-5), call.Number("scale", 1));
  return {{"y", norm.y}, {"mean", norm.mean}, {"rstd", norm.rstd}};
}

Goldens AdaLayerNorm(const ExpertCall& call) {
  const at::Tensor x = ToTorch(call["x"]);
  const at::Tensor y =
      at::layer_norm(x, {x.size(2)}, {}, {}, call.Number("epsilon", 1e-5)) *
          (1 + ToTorch(call["scale"]).unsqueeze(1)) +
      ToTorch(call["shift"]).unsqueeze(1);
  return {{"y", FromTorch(y)}};
}

Goldens LocalResponseNorm(const ExpertCall& call) {
  const at::Tensor x = ToTorch(call["x"]);
  const int64_t size = call.Whole("size", 1);
  const int64_t channels = x.size(1);
  at::Tensor squares = at::zeros_like(x);
  for (int64_t c = 0; c < channels; ++c) {
    const int64_t low = std::max<int64_t>(c - size / 2, 0);
    const int64_t high = std::min(c + (size - 1) / 2 + 1, channels);
    const at::Tensor window = x.narrow(1, low, high - low);
    squares.select(1, c).copy_(at::sum(window * window, 1));
  }
  const at::Tensor scale =
      call.Number("k", 1) +
      squares * (call.Number("alpha", 1e-4) / static_cast<double>(size));
  return {{"y", FromTorch(x / at::pow(scale, call.Number("beta", 0.75)))}};
}

Goldens CumsumDim(const ExpertCall& call) {
  return {{"y", TorchCumsum(call["x"], call.Whole("dim", -1),
                            call.Flag("reverse", false),
                            call.Flag("exclusive", false))}};
}

Goldens CumprodDim(const ExpertCall& call) {
  return {
      {"y", FromTorch(at::cumprod(ToTorch(call["x"]), call.Whole("dim", -1)))}};
}

Goldens MaskedCumsum(const ExpertCall& call) {
  return {{"y", FromTorch(at::cumsum(ToTorch(call["x"]) * ToTorch(call["mask"]),
                                     1))}};
}

Goldens CummaxDim(const ExpertCall& call) {
  const int64_t dim = call.Whole("dim", -1);
  const bool reverse = call.Flag("reverse", false);
  at::Tensor x = ToTorch(call["x"]);
  if (reverse) x = x.flip({dim});
  const at::Tensor y = std::get<0>(at::cummax(x, dim));
  return {{"y", FromTorch(reverse ? y.flip({dim}) : y)}};
}

Goldens LogAddExp(const ExpertCall& call) {
  return {
      {"y", FromTorch(at::logaddexp(ToTorch(call["a"]), ToTorch(call["b"])))}};
}

Goldens MaxOverMiddle(const ExpertCall& call) {
  return {{"y", TorchMaxOverMiddle(call["x"])}};
}

Goldens SumDim(const ExpertCall& call) {
  const int64_t dim = call.Whole("dim", -1);
  const at::Tensor x = ToTorch(call["x"]);
  const at::Tensor y =
      call.Flag("mean", false) ? at::mean(x, dim) : at::sum(x, dim);
  return {{"y", AroundReduced(call["x"], dim, y)}};
}

Goldens ProdDim(const ExpertCall& call) {
  const int64_t dim = call.Whole("dim", -1);
  return {
      {"y", AroundReduced(call["x"], dim, at::prod(ToTorch(call["x"]), dim))}};
}

Goldens LogsumexpDim(const ExpertCall& call) {
  const int64_t dim = call.Whole("dim", -1);
  return {{"y", AroundReduced(call["x"], dim,
                              at::logsumexp(ToTorch(call["x"]), {dim}))}};
}

Goldens VarMeanDim(const ExpertCall& call) {
  const int64_t dim = call.Whole("dim", -1);
  const std::vector<int64_t> dims = {dim};
  const auto [variance, mean] =
      at::var_mean(ToTorch(call["x"]), at::OptionalIntArrayRef(dims),
                   c10::optional<int64_t>(call.Whole("correction", 1)));
  return {{"variance", AroundReduced(call["x"], dim, variance)},
          {"mean", AroundReduced(call["x"], dim, mean)}};
}

}  // namespace

std::map<std::string, GoldenFunction> RowGoldens() {
  return {{"ada_layer_norm", AdaLayerNorm},
          {"add_layer_norm", AddLayerNorm},
          {"batch_norm", BatchNorm},
          {"cummax_dim", CummaxDim},
          {"cumprod_dim", CumprodDim},
          {"cumsum_dim", CumsumDim},
          {"elu", Elu},
          {"gelu_forms", GeluForms},
          {"group_norm_swish", GroupNormSwish},
          {"layer_norm", PlainLayerNorm},
          {"local_response_norm", LocalResponseNorm},
          {"log_add_exp", LogAddExp},
          {"log_softmax", LogSoftmax},
          {"logsumexp_dim", LogsumexpDim},
          {"masked_cumsum", MaskedCumsum},
          {"max_over_middle", MaxOverMiddle},
          {"mish", Mish},
          {"prelu", Prelu},
          {"prod_dim", ProdDim},
          {"rms_norm", RmsNorm},
          {"softmax", Softmax},
          {"sum_dim", SumDim},
          {"swiglu", Swiglu},
          {"swish", Swish},
          {"var_mean_dim", VarMeanDim}};
}

}  // namespace belay::testing
