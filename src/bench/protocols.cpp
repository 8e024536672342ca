// SPDX-License-Identifier: Apache-2.0
#include "bench/protocols.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bench/tensor_edit.h"

namespace belay::bench {
namespace {

struct Named {
  Protocol protocol;
  std::string_view name;
};
constexpr std::array<Named, 5> kNames = {{
    {Protocol::kNpuTwofold, "npukernelbench:twofold"},
    {Protocol::kNpuRelative, "npukernelbench:relative"},
    {Protocol::kNpuMatmul, "npukernelbench:matmul"},
    {Protocol::kNpuQuantised, "npukernelbench:quantised"},
    {Protocol::kMultiKernelBench, "multikernelbench"},
}};

double RelativeTolerance(DType dtype, const ProtocolSettings& settings) {
  switch (dtype) {
    case DType::kHalf:
      return 1.0 / 512;
    case DType::kBfloat16:
      return 1.0 / 256 + 1.0 / 16384;
    default:
      return IsReal(dtype) ? 1.0 / 2048 + 1.0 / 16384
                           : settings.integer_tolerance;
  }
}

double MatmulTolerance(DType dtype, int64_t depth) {
  const bool deep = depth >= 2048;
  switch (dtype) {
    case DType::kHalf:
      return deep ? 1.0 / 128 : 1.0 / 256;
    case DType::kBfloat16:
      return deep ? 1.0 / 64 : 1.0 / 128;
    default:
      return deep ? 1.0 / 512 : 1.0 / 2048;
  }
}

// Whether the protocol takes one element for wrong. Comparisons with NaN are
// false, as in the programs these rules come from.
bool IsWrong(Protocol protocol, const ProtocolSettings& settings, DType dtype,
             double truth, double actual) {
  const double error = std::abs(actual - truth);
  switch (protocol) {
    case Protocol::kNpuTwofold: {
      if (settings.finite &&
          (!std::isfinite(truth) || !std::isfinite(actual))) {
        return true;
      }
      const auto own = settings.by_dtype.find(dtype);
      const double threshold =
          own == settings.by_dtype.end() ? settings.threshold : own->second;
      const double relative = error / (std::abs(truth) + 1e-7);
      return error > threshold && relative > threshold;
    }
    case Protocol::kNpuRelative:
      return error > RelativeTolerance(dtype, settings) *
                         std::max(1.0, std::abs(truth));
    case Protocol::kNpuMatmul:
      return error > MatmulTolerance(dtype, settings.depth) *
                         std::max(1.0, std::abs(truth));
    case Protocol::kMultiKernelBench:
      if (dtype == DType::kBool) return truth != actual;
      if (truth == actual) return false;
      return !(error <= 1e-4 + 1e-4 * std::abs(truth));
    case Protocol::kNpuQuantised:
      break;
  }
  return false;
}

// Adds a tensor to what is known of its output; what is wrong with it, or "".
std::string JudgeTensor(Protocol protocol, const ProtocolSettings& settings,
                        const Array& truth, const Array& candidate,
                        size_t tensor, OutputVerdict& output) {
  const int64_t count = CountOf(truth);
  int64_t wrong = 0;
  int64_t relatively_off = 0;
  int64_t first = -1;
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double right = NumberAt(truth, i);
    const double actual = NumberAt(candidate, i);
    const double error = std::abs(actual - right);
    if (std::isfinite(error)) sum += error;
    if (error > output.largest) {
      output.largest = error;
      output.worst = i;
      output.worst_tensor = tensor;
    }
    if (protocol == Protocol::kNpuQuantised) {
      wrong += error > settings.threshold;
      relatively_off += error > settings.threshold * std::abs(right);
    } else if (IsWrong(protocol, settings, truth.dtype, right, actual)) {
      if (wrong++ == 0) first = i;
    }
  }
  output.elements += count;
  output.wrong += wrong;
  if (count > 0) {
    output.mean = std::max(output.mean, sum / static_cast<double>(count));
  }
  if (protocol == Protocol::kNpuQuantised) {
    const double allowed = settings.threshold * static_cast<double>(count);
    if (static_cast<double>(wrong) > allowed &&
        static_cast<double>(relatively_off) > allowed) {
      return fmt::format("{} of {} elements are off", wrong, count);
    }
    return "";
  }
  if (first < 0) return "";
  return fmt::format("element {} is {:.9g} and must be {:.9g}", first,
                     NumberAt(candidate, first), NumberAt(truth, first));
}

}  // namespace

std::string_view NameOf(Protocol protocol) {
  for (const Named& named : kNames) {
    if (named.protocol == protocol) return named.name;
  }
  return "";
}

std::optional<Protocol> ParseProtocol(std::string_view name) {
  for (const Named& named : kNames) {
    if (named.name == name) return named.protocol;
  }
  return std::nullopt;
}

Verdict JudgeBy(Protocol protocol, const ProtocolSettings& settings,
                const Truth& truth, const Arguments& candidate) {
  Verdict verdict;
  verdict.reason = DifferenceInForm(truth.rounded, candidate);
  if (!verdict.reason.empty()) {
    verdict.accepted = false;
    return verdict;
  }
  for (size_t i = 0; i < candidate.size(); ++i) {
    OutputVerdict output;
    output.output = candidate[i].name;
    for (size_t k = 0; k < candidate[i].tensors.size(); ++k) {
      const std::string reason =
          JudgeTensor(protocol, settings, truth.rounded[i].tensors[k],
                      candidate[i].tensors[k], k, output);
      if (reason.empty()) continue;
      output.accepted = false;
      if (!verdict.reason.empty()) continue;
      verdict.reason = fmt::format("'{}': {}", candidate[i].name, reason);
    }
    verdict.outputs.push_back(std::move(output));
  }
  verdict.accepted = verdict.reason.empty();
  return verdict;
}

}  // namespace belay::bench
