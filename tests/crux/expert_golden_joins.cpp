// SPDX-License-Identifier: Apache-2.0
// Losses, optimizers, pooling, indices and mHC.

#include "expert_golden.h"
#include "torch_convert.h"

namespace belay::testing {
namespace {

int64_t ReductionOf(const ExpertCall& call) {
  const std::string word = call.Word("reduction", "mean");
  return word == "none"   ? at::Reduction::None
         : word == "mean" ? at::Reduction::Mean
                          : at::Reduction::Sum;
}

Goldens LossOf(const at::Tensor& loss) {
  return {{"loss", FromTorch(loss.reshape({-1}))}};
}

Goldens CrossEntropy(const ExpertCall& call) {
  return {{"loss",
           TorchCrossEntropy(call["x"], call["target"], call.Optional("weight"),
                             call.Word("reduction", "mean"),
                             call.Whole("ignore_index", -100),
                             call.Number("smoothing", 0))}};
}

Goldens MseLoss(const ExpertCall& call) {
  return LossOf(at::mse_loss(ToTorch(call["predict"]), ToTorch(call["label"]),
                             ReductionOf(call)));
}

Goldens TripletMarginLoss(const ExpertCall& call) {
  return LossOf(at::triplet_margin_loss(
      ToTorch(call["anchor"]), ToTorch(call["positive"]),
      ToTorch(call["negative"]), call.Number("margin", 1), 2,
      call.Number("eps", 1e-6), call.Flag("swap", false), ReductionOf(call)));
}

at::Tensor BinaryCrossEntropy(const ExpertCall& call, int64_t reduction) {
  const at::Tensor pos_weight =
      at::full({1}, call.Number("pos_weight", 1), at::kDouble);
  return at::binary_cross_entropy_with_logits(
      ToTorch(call["x"]), ToTorch(call["target"]),
      ToTorch(call.Optional("weight")), pos_weight, reduction);
}

Goldens BceWithLogits(const ExpertCall& call) {
  return LossOf(BinaryCrossEntropy(call, ReductionOf(call)));
}

Goldens FocalLoss(const ExpertCall& call) {
  const at::Tensor p = at::sigmoid(ToTorch(call["x"]));
  const at::Tensor t = ToTorch(call["target"]);
  const double alpha = call.Number("alpha", 0.25);
  const at::Tensor right = p * t + (1 - p) * (1 - t);
  const at::Tensor losses = BinaryCrossEntropy(call, at::Reduction::None) *
                            at::pow(1 - right, call.Number("gamma", 2)) *
                            (alpha * t + (1 - alpha) * (1 - t));
  return LossOf(ReductionOf(call) == at::Reduction::Mean ? losses.mean()
                                                         : losses.sum());
}

Goldens RotaryEmbedding(const ExpertCall& call) {
  const std::vector<at::Tensor> halves = ToTorch(call["x"]).chunk(2, -1);
  const at::Tensor c = ToTorch(call["cosine"]).unsqueeze(1);
  const at::Tensor s = ToTorch(call["sine"]).unsqueeze(1);
  const at::Tensor first = halves[0] * c - halves[1] * s;
  const at::Tensor second = halves[1] * c + halves[0] * s;
  return {{"y", FromTorch(at::cat({first, second}, -1))}};
}

Goldens Adamw(const ExpertCall& call) {
  const double beta1 = call.Number("beta1", 0.9);
  const double beta2 = call.Number("beta2", 0.999);
  const double lr = call.Number("lr", 1e-3);
  const double t = call["step"].values[0] + 1;
  at::Tensor g = ToTorch(call["grad"]);
  if (call.Flag("maximize", false)) g = -g;
  const at::Tensor m = beta1 * ToTorch(call["m"]) + (1 - beta1) * g;
  const at::Tensor v = beta2 * ToTorch(call["v"]) + (1 - beta2) * g * g;
  Goldens goldens = {{"m", FromTorch(m)}, {"v", FromTorch(v)}};
  at::Tensor second = v;
  if (const std::optional<Real> top = call.Optional("max_grad_norm")) {
    second = at::maximum(ToTorch(*top), v);
    goldens.emplace_back("max_grad_norm", FromTorch(second));
  }
  const at::Tensor d =
      at::sqrt(second / (1 - std::pow(beta2, t))) + call.Number("eps", 1e-8);
  const at::Tensor decayed =
      ToTorch(call["var"]) * (1 - lr * call.Number("weight_decay", 0.01));
  goldens.emplace_back(
      "var", FromTorch(decayed - lr * (m / (1 - std::pow(beta1, t))) / d));
  return goldens;
}

Goldens Lion(const ExpertCall& call) {
  const double beta1 = call.Number("beta1", 0.9);
  const double beta2 = call.Number("beta2", 0.99);
  const double lr = call.Number("lr", 1e-4);
  const at::Tensor g = ToTorch(call["grad"]);
  const at::Tensor m = ToTorch(call["m"]);
  const at::Tensor decayed =
      ToTorch(call["var"]) * (1 - lr * call.Number("weight_decay", 0));
  return {
      {"var", FromTorch(decayed - lr * at::sign(beta1 * m + (1 - beta1) * g))},
      {"m", FromTorch(beta2 * m + (1 - beta2) * g)}};
}

Goldens Lars(const ExpertCall& call) {
  const double decay = call.Number("weight_decay", 1e-4);
  const at::Tensor w = ToTorch(call["var"]);
  const at::Tensor g = ToTorch(call["grad"]);
  const double a = at::norm(w).item<double>();
  const double b = at::norm(g).item<double>();
  const double rate = call.Number("lr", 0.1) * call.Number("trust", 1e-3) * a /
                      (b + decay * a + call.Number("eps", 1e-8));
  const at::Tensor v =
      call.Number("momentum", 0.9) * ToTorch(call["velocity"]) +
      rate * (g + decay * w);
  return {{"var", FromTorch(w - v)}, {"velocity", FromTorch(v)}};
}

Goldens MaxPool2d(const ExpertCall& call) {
  return {{"y", TorchMaxPool2d(call["x"], call.Whole("k", 1),
                               call.Whole("s", 1), call.Whole("p", 0))}};
}

Goldens AdaptiveAvgPool2d(const ExpertCall& call) {
  return {{"y", FromTorch(at::adaptive_avg_pool2d(
                    ToTorch(call["x"]),
                    {call.Whole("OH", 1), call.Whole("OW", 1)}))}};
}

Goldens LpPool2d(const ExpertCall& call) {
  const int64_t k = call.Whole("k", 1);
  const int64_t s = call.Whole("s", 1);
  const double p = call.Number("p", 2);
  const at::Tensor powers = at::pow(at::abs(ToTorch(call["x"])), p);
  const at::Tensor sums = at::avg_pool2d(powers, {k, k}, {s, s}) * (k * k);
  return {{"y", FromTorch(at::pow(sums, 1 / p))}};
}

Goldens TopkMiddle(const ExpertCall& call) {
  const auto [values, indices] =
      TorchTopk(call["x"], call.Whole("k", 1), 1, call.Flag("largest", true));
  return {{"values", values}, {"indices", indices}};
}

Goldens MoeGating(const ExpertCall& call) {
  const at::Tensor shares = at::softmax(ToTorch(call["x"]), 1);
  // Equal scores have equal shares in float64, so the order is that of x.
  const auto [best, experts] =
      TorchTopk(call["x"], call.Whole("k", 1), 1, /*largest=*/true);
  at::Tensor weights = shares.gather(1, ToTorch(experts).to(at::kLong));
  if (call.Flag("renormalise", false)) {
    weights = weights / weights.sum(1, /*keepdim=*/true);
  }
  return {{"weights", FromTorch(weights)}, {"experts", experts}};
}

Goldens EmbeddingBag(const ExpertCall& call) {
  const std::string mode = call.Word("mode", "mean");
  const auto bags = at::embedding_bag(
      ToTorch(call["table"]), ToTorch(call["words"]).to(at::kLong),
      ToTorch(call["starts"]).to(at::kLong), false,
      mode == "sum" ? 0 : (mode == "mean" ? 1 : 2));
  return {{"y", FromTorch(std::get<0>(bags))}};
}

Goldens MhcPre(const ExpertCall& call) {
  return {
      {"u", FromTorch(at::sum(
                ToTorch(call["h_pre"]).unsqueeze(2) * ToTorch(call["x"]), 1))}};
}

Goldens MhcPost(const ExpertCall& call) {
  const at::Tensor y =
      ToTorch(call["h_post"]).unsqueeze(2) * ToTorch(call["f"]).unsqueeze(1) +
      at::matmul(ToTorch(call["h_res"]).transpose(1, 2), ToTorch(call["x"]));
  return {{"y", FromTorch(y)}};
}

Goldens MhcSinkhorn(const ExpertCall& call) {
  const double eps = call.Number("eps", 1e-6);
  const auto normalised = [eps](const at::Tensor& m, int64_t dim) {
    return m / (at::sum(m, dim, /*keepdim=*/true) + eps);
  };
  at::Tensor m = normalised(at::softmax(ToTorch(call["x"]), 2) + eps, 1);
  for (int64_t i = 1; i < call.Whole("iterations", 20); ++i) {
    m = normalised(normalised(m, 2), 1);
  }
  return {{"y", FromTorch(m)}};
}

Goldens MhcPostGrad(const ExpertCall& call) {
  const at::Tensor dy = ToTorch(call["dy"]);
  const at::Tensor h_post = ToTorch(call["h_post"]).unsqueeze(2);
  return {
      {"dx", FromTorch(at::matmul(ToTorch(call["h_res"]), dy))},
      {"df", FromTorch(at::sum(dy * h_post, 1))},
      {"dh_post", FromTorch(at::sum(dy * ToTorch(call["f"]).unsqueeze(1), 2))},
      {"dh_res",
       FromTorch(at::matmul(ToTorch(call["x"]), dy.transpose(1, 2)))}};
}

}  // namespace

std::map<std::string, GoldenFunction> JoinGoldens() {
  return {{"adamw", Adamw},
          {"adaptive_avg_pool2d", AdaptiveAvgPool2d},
          {"bce_with_logits", BceWithLogits},
          {"cross_entropy", CrossEntropy},
          {"embedding_bag", EmbeddingBag},
          {"focal_loss", FocalLoss},
          {"lars", Lars},
          {"lion", Lion},
          {"lp_pool2d", LpPool2d},
          {"max_pool2d", MaxPool2d},
          {"mhc_post", MhcPost},
          {"mhc_post_grad", MhcPostGrad},
          {"mhc_pre", MhcPre},
          {"mhc_sinkhorn", MhcSinkhorn},
          {"moe_gating", MoeGating},
          {"mse_loss", MseLoss},
          {"rotary_embedding", RotaryEmbedding},
          {"topk_middle", TopkMiddle},
          {"triplet_margin_loss", TripletMarginLoss}};
}

}  // namespace belay::testing
