// SPDX-License-Identifier: Apache-2.0
#include "torch_operators.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>

#include <map>

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

TorchOperator FindTorchOperator(const std::string& instruction) {
  using Data = const float*;
  static const std::map<std::string, TorchOperator> operators = {
      {"Abs",
       [](float* dst, Data a, Data, int64_t n) {
         at::Tensor out = Wrap(dst, n);
         at::abs_out(out, Wrap(a, n));
       }},
      {"Add",
       [](float* dst, Data a, Data b, int64_t n) {
         at::Tensor out = Wrap(dst, n);
         at::add_out(out, Wrap(a, n), Wrap(b, n));
       }},
      {"Cast",
       [](float* dst, Data a, Data, int64_t n) {
         at::from_blob(dst, {n}, at::kHalf).copy_(Wrap(a, n));
       }},
      {"Compare",
       [](float* dst, Data a, Data b, int64_t n) {
         at::Tensor out = at::from_blob(dst, {n}, at::kBool);
         at::lt_out(out, Wrap(a, n), Wrap(b, n));
       }},
      {"Div",
       [](float* dst, Data a, Data b, int64_t n) {
         at::Tensor out = Wrap(dst, n);
         at::div_out(out, Wrap(a, n), Wrap(b, n));
       }},
      {"Exp",
       [](float* dst, Data a, Data, int64_t n) {
         at::Tensor out = Wrap(dst, n);
         at::exp_out(out, Wrap(a, n));
       }},
      {"Ln",
       [](float* dst, Data a, Data, int64_t n) {
         at::Tensor out = Wrap(dst, n);
         at::log_out(out, Wrap(a, n));
       }},
      {"Max",
       [](float* dst, Data a, Data b, int64_t n) {
         at::Tensor out = Wrap(dst, n);
         at::maximum_out(out, Wrap(a, n), Wrap(b, n));
       }},
      {"Mul",
       [](float* dst, Data a, Data b, int64_t n) {
         at::Tensor out = Wrap(dst, n);
         at::mul_out(out, Wrap(a, n), Wrap(b, n));
       }},
      {"Muls",
       [](float* dst, Data a, Data, int64_t n) {
         at::Tensor out = Wrap(dst, n);
         at::mul_out(out, Wrap(a, n), at::scalar_tensor(1.5f));
       }},
      {"ReduceMax",
       [](float* dst, Data a, Data, int64_t n) {
         *dst = at::max(Wrap(a, n)).item<float>();
       }},
      {"ReduceSum",
       [](float* dst, Data a, Data, int64_t n) {
         *dst = at::sum(Wrap(a, n)).item<float>();
       }},
      {"Sqrt",
       [](float* dst, Data a, Data, int64_t n) {
         at::Tensor out = Wrap(dst, n);
         at::sqrt_out(out, Wrap(a, n));
       }},
  };
  return operators.at(instruction);
}

}  // namespace belay::benchmarks
