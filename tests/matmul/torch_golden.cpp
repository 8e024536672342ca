// SPDX-License-Identifier: Apache-2.0
#include "torch_golden.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

namespace belay::testing {
namespace {

at::Tensor ToTorch(const Doubles& doubles) {
  at::set_num_threads(1);
  return at::from_blob(const_cast<double*>(doubles.values.data()),
                       doubles.shape, at::kDouble)
      .clone();
}

Doubles FromTorch(const at::Tensor& tensor) {
  const at::Tensor plain = tensor.contiguous();
  const double* data = plain.data_ptr<double>();
  return {plain.sizes().vec(), {data, data + plain.numel()}};
}

}  // namespace

Doubles MatmulGolden(const Doubles& a, const Doubles& b) {
  return FromTorch(at::matmul(ToTorch(a), ToTorch(b)));
}

Doubles LeakyReluMatmulGolden(const Doubles& a, const Doubles& b,
                              const Doubles& bias, double slope) {
  const at::Tensor sum = at::matmul(ToTorch(a), ToTorch(b)) + ToTorch(bias);
  return FromTorch(at::leaky_relu(sum, slope));
}

Doubles MatmulEpilogueGolden(const Doubles& a, const Doubles& b,
                             const Doubles& bias, const Doubles& residual,
                             double slope) {
  const Doubles active = LeakyReluMatmulGolden(a, b, bias, slope);
  return FromTorch(ToTorch(active) + ToTorch(residual));
}

Doubles AttentionGolden(const Doubles& q, const Doubles& k, const Doubles& v,
                        double scale) {
  const at::Tensor scores =
      at::matmul(ToTorch(q), ToTorch(k).transpose(-1, -2)) * scale;
  return FromTorch(at::matmul(at::softmax(scores, -1), ToTorch(v)));
}

Doubles GroupedMatmulGolden(const Doubles& x, const Doubles& weight,
                            const Doubles& scale,
                            const std::vector<int64_t>& rows) {
  const at::Tensor all = ToTorch(x);
  const at::Tensor weights = ToTorch(weight);
  const at::Tensor scales = ToTorch(scale);
  std::vector<at::Tensor> parts;
  int64_t first = 0;
  for (size_t group = 0; group < rows.size(); ++group) {
    const auto at = static_cast<int64_t>(group);
    parts.push_back(at::matmul(all.narrow(0, first, rows[group]), weights[at]) *
                    scales[at]);
    first += rows[group];
  }
  return FromTorch(at::cat(parts));
}

}  // namespace belay::testing
