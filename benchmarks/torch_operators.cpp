// SPDX-License-Identifier: Apache-2.0
#include "torch_operators.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>

namespace belay::benchmarks {
namespace {

at::Tensor Wrap(const float* data, int64_t n) {
  static const bool one_thread = [] {
    at::set_num_threads(1);
    return true;
  }();
  (void)one_thread;
  return at::from_blob(const_cast<float*>(data), {n}, at::kFloat);
}

}  // namespace

std::string TorchCapability() {
  // A line of the configuration: "  - CPU capability usage: AVX2".
  const std::string config = at::show_config();
  const std::string key = "CPU capability usage: ";
  const size_t begin = config.find(key);
  if (begin == std::string::npos) return "unknown capability";
  const size_t value = begin + key.size();
  return config.substr(value, config.find('\n', value) - value);
}

void TorchAdd(float* dst, const float* a, const float* b, int64_t n) {
  at::Tensor result = Wrap(dst, n);
  at::add_out(result, Wrap(a, n), Wrap(b, n));
}

void TorchExp(float* dst, const float* a, int64_t n) {
  at::Tensor result = Wrap(dst, n);
  at::exp_out(result, Wrap(a, n));
}

float TorchSum(const float* a, int64_t n) {
  return at::sum(Wrap(a, n)).item<float>();
}

}  // namespace belay::benchmarks
