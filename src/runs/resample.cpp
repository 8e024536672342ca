// SPDX-License-Identifier: Apache-2.0
#include "runs/resample.h"

#include <algorithm>
#include <cmath>

#include "bench/random.h"

namespace belay::runs {
namespace {

double QuantileOf(std::vector<double>& values, double share) {
  const auto place = static_cast<std::ptrdiff_t>(
      std::llround(share * static_cast<double>(values.size() - 1)));
  std::ranges::nth_element(values, values.begin() + place);
  return values[static_cast<size_t>(place)];
}

}  // namespace

double PassAtK(int64_t n, int64_t c, int64_t k) {
  if (n - c < k) return 1;
  double none = 1;
  for (int64_t i = n - c + 1; i <= n; ++i) {
    none *= 1 - static_cast<double>(k) / static_cast<double>(i);
  }
  return 1 - none;
}

std::vector<Interval> BootstrapMeans(
    const std::vector<std::vector<Part>>& parts, uint64_t seed, int resamples) {
  if (parts.empty()) return {};
  const size_t tasks = parts.size();
  const size_t statistics = parts.front().size();
  std::vector<Interval> intervals(statistics);
  std::vector<Part> totals(statistics);
  for (const std::vector<Part>& task : parts) {
    for (size_t s = 0; s < statistics; ++s) {
      totals[s].sum += task[s].sum;
      totals[s].count += task[s].count;
    }
  }
  std::vector<std::vector<double>> drawn(statistics);
  bench::Random random(seed);
  std::vector<Part> sums(statistics);
  for (int r = 0; r < resamples; ++r) {
    std::ranges::fill(sums, Part{});
    for (size_t i = 0; i < tasks; ++i) {
      const std::vector<Part>& task = parts[static_cast<size_t>(
          random.Integer(0, static_cast<int64_t>(tasks) - 1))];
      for (size_t s = 0; s < statistics; ++s) {
        sums[s].sum += task[s].sum;
        sums[s].count += task[s].count;
      }
    }
    for (size_t s = 0; s < statistics; ++s) {
      if (sums[s].count > 0) drawn[s].push_back(sums[s].sum / sums[s].count);
    }
  }
  for (size_t s = 0; s < statistics; ++s) {
    if (totals[s].count == 0) continue;
    intervals[s].value = totals[s].sum / totals[s].count;
    intervals[s].low = intervals[s].high = intervals[s].value;
    if (drawn[s].empty()) continue;
    intervals[s].low = QuantileOf(drawn[s], 0.025);
    intervals[s].high = QuantileOf(drawn[s], 0.975);
  }
  return intervals;
}

double McNemar(int64_t only_first, int64_t only_second) {
  const int64_t n = only_first + only_second;
  const int64_t fewer = std::min(only_first, only_second);
  double tail = 0;
  for (int64_t i = 0; i <= fewer; ++i) {
    const double log_choose = std::lgamma(static_cast<double>(n + 1)) -
                              std::lgamma(static_cast<double>(i + 1)) -
                              std::lgamma(static_cast<double>(n - i + 1));
    tail += std::exp(log_choose - static_cast<double>(n) * std::log(2.0));
  }
  return std::min(1.0, 2 * tail);
}

}  // namespace belay::runs
