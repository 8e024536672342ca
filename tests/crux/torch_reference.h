// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_TORCH_REFERENCE_H_
#define BELAY_TESTS_CRUX_TORCH_REFERENCE_H_

// What libtorch gives for the programs of examples/crux, in float64.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace belay::testing {

// A tensor of float64 in C order; integers and bool are held as numbers.
struct Real {
  std::vector<int64_t> shape;
  std::vector<double> values;
};

struct LayerNorm {
  Real y, mean, rstd;
};

struct LayerNormGrad {
  Real dx, dgamma, dbeta;
};

struct Pooling {
  std::vector<int64_t> kernel, stride, padding, dilation;
  bool ceil_mode = false;
};

struct Attention {
  Real output, lse;
};

Real TorchSwish(const Real& x, double scale);
Real TorchSoftmax(const Real& x);
LayerNorm TorchAddLayerNorm(const Real& x1, const Real& x2, const Real& gamma,
                            const Real& beta, const std::optional<Real>& bias,
                            double eps);
// `mean` and `rstd` as the kernel is given them.
LayerNormGrad TorchAddLayerNormGrad(const Real& dy, const Real& x1,
                                    const Real& x2, const Real& mean,
                                    const Real& rstd, const Real& gamma,
                                    const std::optional<Real>& dsum);
Real TorchRmsNormGradGamma(const Real& dy, const Real& x, const Real& rstd);
Real TorchMaxOverMiddle(const Real& x);
Real TorchMaxPool2d(const Real& x, int64_t k, int64_t s, int64_t p);
Real TorchMaxPool3d(const Real& x, const Pooling& pooling);
Real TorchMatmulGelu(const Real& a, const Real& b, const Real& bias);
// `mask` may have fewer, trailing, dimensions.
Real TorchMaskedSelect(const Real& x, const Real& mask);
LayerNorm TorchGroupNormSwish(const Real& x, const Real& gamma,
                              const Real& beta, int64_t groups, double eps,
                              double scale);
Real TorchCrossEntropy(const Real& x, const Real& target,
                       const std::optional<Real>& weight,
                       const std::string& reduction, int64_t ignore_index,
                       double smoothing);
Real TorchCumsum(const Real& x, int64_t dim, bool reverse, bool exclusive);
// [B, H, M, D] by [B, HK, N, D].
Attention TorchAttention(const Real& q, const Real& k, const Real& v,
                         double scale, bool causal);
Real TorchGroupedMatmul(const Real& x, const Real& w,
                        const std::optional<Real>& bias,
                        const std::vector<int64_t>& sizes);
// Values and indices; equal values by their index.
std::pair<Real, Real> TorchTopk(const Real& x, int64_t k, int64_t dim,
                                bool largest);

// An operation of the registry by its id ("Exp", "Add", "Sum", …) on whole
// tensors; nothing if libtorch has none of that name here.
std::optional<Real> TorchOperation(const std::string& id,
                                   const std::vector<Real>& args);

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_TORCH_REFERENCE_H_
