// SPDX-License-Identifier: Apache-2.0
#include "torch_reference.h"

#include <ATen/Parallel.h>

#include <functional>
#include <map>

#include "torch_convert.h"

namespace belay::testing {

at::Tensor ToTorch(const Real& real) {
  static const bool one_thread = [] {
    at::set_num_threads(1);
    return true;
  }();
  (void)one_thread;
  return at::from_blob(const_cast<double*>(real.values.data()), real.shape,
                       at::kDouble)
      .clone();
}

c10::optional<at::Tensor> ToTorch(const std::optional<Real>& real) {
  if (!real) return c10::nullopt;
  return ToTorch(*real);
}

Real FromTorch(const at::Tensor& tensor) {
  const at::Tensor plain = tensor.to(at::kDouble).contiguous();
  Real real;
  real.shape = plain.sizes().vec();
  const double* data = plain.data_ptr<double>();
  real.values.assign(data, data + plain.numel());
  return real;
}

namespace {

at::Tensor Silu(const at::Tensor& x, double scale) {
  return x * at::sigmoid(x * scale);
}

}  // namespace

Real TorchSwish(const Real& x, double scale) {
  return FromTorch(Silu(ToTorch(x), scale));
}

Real TorchSoftmax(const Real& x) {
  return FromTorch(at::softmax(ToTorch(x), 1));
}

LayerNorm TorchAddLayerNorm(const Real& x1, const Real& x2, const Real& gamma,
                            const Real& beta, const std::optional<Real>& bias,
                            double eps) {
  at::Tensor sum = ToTorch(x1) + ToTorch(x2);
  if (bias) sum = sum + ToTorch(*bias);
  const auto [y, mean, rstd] = at::native_layer_norm(
      sum, {x1.shape.back()}, ToTorch(gamma), ToTorch(beta), eps);
  return {FromTorch(y), FromTorch(mean.flatten()), FromTorch(rstd.flatten())};
}

LayerNormGrad TorchAddLayerNormGrad(const Real& dy, const Real& x1,
                                    const Real& x2, const Real& mean,
                                    const Real& rstd, const Real& gamma,
                                    const std::optional<Real>& dsum) {
  const at::Tensor scale = ToTorch(gamma);
  const int64_t rows = x1.shape.front();
  auto [dx, dgamma, dbeta] = at::native_layer_norm_backward(
      ToTorch(dy), ToTorch(x1) + ToTorch(x2), {x1.shape.back()},
      ToTorch(mean).view({rows, 1}), ToTorch(rstd).view({rows, 1}), scale,
      at::zeros_like(scale), {true, true, true});
  if (dsum) dx = dx + ToTorch(*dsum);
  return {FromTorch(dx), FromTorch(dgamma), FromTorch(dbeta)};
}

Real TorchRmsNormGradGamma(const Real& dy, const Real& x, const Real& rstd) {
  return FromTorch(
      (ToTorch(dy) * ToTorch(x) * ToTorch(rstd).unsqueeze(1)).sum(0));
}

Real TorchMaxOverMiddle(const Real& x) {
  return FromTorch(at::amax(ToTorch(x), 1));
}

Real TorchMaxPool2d(const Real& x, int64_t k, int64_t s, int64_t p) {
  return FromTorch(at::max_pool2d(ToTorch(x), {k, k}, {s, s}, {p, p}));
}

Real TorchMaxPool3d(const Real& x, const Pooling& pooling) {
  return FromTorch(at::max_pool3d(ToTorch(x), pooling.kernel, pooling.stride,
                                  pooling.padding, pooling.dilation,
                                  pooling.ceil_mode));
}

Real TorchMatmulGelu(const Real& a, const Real& b, const Real& bias) {
  return FromTorch(
      at::gelu(at::matmul(ToTorch(a), ToTorch(b)) + ToTorch(bias)));
}

Real TorchMaskedSelect(const Real& x, const Real& mask) {
  return FromTorch(at::masked_select(ToTorch(x), ToTorch(mask).to(at::kBool)));
}

LayerNorm TorchGroupNormSwish(const Real& x, const Real& gamma,
                              const Real& beta, int64_t groups, double eps,
                              double scale) {
  const at::Tensor input = ToTorch(x);
  const int64_t batch = x.shape[0];
  const int64_t channels = x.shape[1];
  const auto [y, mean, rstd] = at::native_group_norm(
      input, ToTorch(gamma), ToTorch(beta), batch, channels,
      input.numel() / (batch * channels), groups, eps);
  return {FromTorch(Silu(y, scale)), FromTorch(mean), FromTorch(rstd)};
}

Real TorchCrossEntropy(const Real& x, const Real& target,
                       const std::optional<Real>& weight,
                       const std::string& reduction, int64_t ignore_index,
                       double smoothing) {
  const int64_t mode = reduction == "none"   ? at::Reduction::None
                       : reduction == "mean" ? at::Reduction::Mean
                                             : at::Reduction::Sum;
  return FromTorch(
      at::cross_entropy_loss(ToTorch(x), ToTorch(target).to(at::kLong),
                             ToTorch(weight), mode, ignore_index, smoothing)
          .reshape({-1}));
}

Real TorchCumsum(const Real& x, int64_t dim, bool reverse, bool exclusive) {
  at::Tensor input = ToTorch(x);
  if (reverse) input = input.flip({dim});
  at::Tensor sum = at::cumsum(input, dim);
  if (exclusive) {
    const at::Tensor first = at::zeros_like(sum.narrow(dim, 0, 1));
    sum = at::cat({first, sum.narrow(dim, 0, sum.size(dim) - 1)}, dim);
  }
  return FromTorch(reverse ? sum.flip({dim}) : sum);
}

Attention TorchAttention(const Real& q, const Real& k, const Real& v,
                         double scale, bool causal) {
  const int64_t group = q.shape[1] / k.shape[1];
  const at::Tensor keys = ToTorch(k).repeat_interleave(group, 1);
  const at::Tensor values = ToTorch(v).repeat_interleave(group, 1);
  at::Tensor scores = at::matmul(ToTorch(q), keys.transpose(2, 3)) * scale;
  if (causal) {
    const int64_t rows = scores.size(2);
    const int64_t columns = scores.size(3);
    const at::Tensor hidden =
        at::ones({rows, columns}, at::kBool).triu(columns - rows + 1);
    scores = scores.masked_fill(hidden, -INFINITY);
  }
  return {FromTorch(at::matmul(at::softmax(scores, 3), values)),
          FromTorch(at::logsumexp(scores, {3}))};
}

Real TorchGroupedMatmul(const Real& x, const Real& w,
                        const std::optional<Real>& bias,
                        const std::vector<int64_t>& sizes) {
  const at::Tensor rows = ToTorch(x);
  const at::Tensor weights = ToTorch(w);
  std::vector<at::Tensor> parts;
  int64_t start = 0;
  for (size_t e = 0; e < sizes.size(); ++e) {
    const auto group = static_cast<int64_t>(e);
    at::Tensor part =
        at::matmul(rows.narrow(0, start, sizes[e]), weights[group]);
    if (bias) part = part + ToTorch(*bias)[group];
    parts.push_back(part);
    start += sizes[e];
  }
  return FromTorch(at::cat(parts, 0));
}

std::pair<Real, Real> TorchTopk(const Real& x, int64_t k, int64_t dim,
                                bool largest) {
  const auto [values, indices] = at::sort(ToTorch(x), true, dim, largest);
  return {FromTorch(values.narrow(dim, 0, k)),
          FromTorch(indices.narrow(dim, 0, k))};
}

std::optional<Real> TorchOperation(const std::string& id,
                                   const std::vector<Real>& args) {
  using Args = const std::vector<at::Tensor>&;
  using Function = std::function<at::Tensor(Args)>;
  static const std::map<std::string, Function> functions = {
      {"Abs", [](Args a) { return at::abs(a[0]); }},
      {"Acos", [](Args a) { return at::acos(a[0]); }},
      {"Add", [](Args a) { return a[0] + a[1]; }},
      {"Argmax", [](Args a) { return at::argmax(a[0], 1); }},
      {"Argmin", [](Args a) { return at::argmin(a[0], 1); }},
      {"Asin", [](Args a) { return at::asin(a[0]); }},
      {"Atan", [](Args a) { return at::atan(a[0]); }},
      {"Ceil", [](Args a) { return at::ceil(a[0]); }},
      {"Clamp", [](Args a) { return at::clamp(a[0], a[1], a[2]); }},
      {"Cos", [](Args a) { return at::cos(a[0]); }},
      {"Cosh", [](Args a) { return at::cosh(a[0]); }},
      {"Cummax", [](Args a) { return std::get<0>(at::cummax(a[0], 1)); }},
      {"Cumprod", [](Args a) { return at::cumprod(a[0], 1); }},
      {"Cumsum", [](Args a) { return at::cumsum(a[0], 1); }},
      {"Div", [](Args a) { return a[0] / a[1]; }},
      {"Equal", [](Args a) { return at::eq(a[0], a[1]); }},
      {"Erf", [](Args a) { return at::erf(a[0]); }},
      {"Erfc", [](Args a) { return at::erfc(a[0]); }},
      {"Exp", [](Args a) { return at::exp(a[0]); }},
      {"Expm1", [](Args a) { return at::expm1(a[0]); }},
      {"Floor", [](Args a) { return at::floor(a[0]); }},
      {"FloorDiv", [](Args a) { return at::div(a[0], a[1], "floor"); }},
      {"Fma", [](Args a) { return at::addcmul(a[2], a[0], a[1]); }},
      {"Gelu", [](Args a) { return at::gelu(a[0]); }},
      {"Greater", [](Args a) { return at::gt(a[0], a[1]); }},
      {"GreaterEqual", [](Args a) { return at::ge(a[0], a[1]); }},
      {"Lerp", [](Args a) { return at::lerp(a[0], a[1], a[2]); }},
      {"Less", [](Args a) { return at::lt(a[0], a[1]); }},
      {"LessEqual", [](Args a) { return at::le(a[0], a[1]); }},
      {"Ln", [](Args a) { return at::log(a[0]); }},
      {"Log10", [](Args a) { return at::log10(a[0]); }},
      {"Log1p", [](Args a) { return at::log1p(a[0]); }},
      {"Log2", [](Args a) { return at::log2(a[0]); }},
      {"Matmul", [](Args a) { return at::matmul(a[0], a[1]); }},
      {"Max", [](Args a) { return at::amax(a[0], 1); }},
      {"Maximum", [](Args a) { return at::maximum(a[0], a[1]); }},
      {"Min", [](Args a) { return at::amin(a[0], 1); }},
      {"Minimum", [](Args a) { return at::minimum(a[0], a[1]); }},
      {"Mod", [](Args a) { return at::remainder(a[0], a[1]); }},
      {"Mul", [](Args a) { return a[0] * a[1]; }},
      {"Negate", [](Args a) { return -a[0]; }},
      {"Norm", [](Args a) { return at::linalg_vector_norm(a[0], 2, 1); }},
      {"NotEqual", [](Args a) { return at::ne(a[0], a[1]); }},
      {"Pow", [](Args a) { return at::pow(a[0], a[1]); }},
      {"Prod", [](Args a) { return at::prod(a[0], 1); }},
      {"Reciprocal", [](Args a) { return at::reciprocal(a[0]); }},
      {"Round", [](Args a) { return at::round(a[0]); }},
      {"Rsqrt", [](Args a) { return at::rsqrt(a[0]); }},
      {"Sigmoid", [](Args a) { return at::sigmoid(a[0]); }},
      {"Sign", [](Args a) { return at::sign(a[0]); }},
      {"Silu", [](Args a) { return at::silu(a[0]); }},
      {"Sin", [](Args a) { return at::sin(a[0]); }},
      {"Sinh", [](Args a) { return at::sinh(a[0]); }},
      {"Softplus", [](Args a) { return at::softplus(a[0]); }},
      {"Sort", [](Args a) { return std::get<0>(at::sort(a[0], 1)); }},
      {"Sqrt", [](Args a) { return at::sqrt(a[0]); }},
      {"Sub", [](Args a) { return a[0] - a[1]; }},
      {"Sum", [](Args a) { return at::sum(a[0], 1); }},
      {"Tan", [](Args a) { return at::tan(a[0]); }},
      {"Tanh", [](Args a) { return at::tanh(a[0]); }},
      {"Transpose", [](Args a) { return a[0].t(); }},
      {"Trunc", [](Args a) { return at::trunc(a[0]); }},
      {"Where",
       [](Args a) { return at::where(a[0].to(at::kBool), a[1], a[2]); }},
  };
  const auto found = functions.find(id);
  if (found == functions.end()) return std::nullopt;
  std::vector<at::Tensor> tensors;
  for (const Real& arg : args) tensors.push_back(ToTorch(arg));
  return FromTorch(found->second(tensors));
}

}  // namespace belay::testing
