// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNS_RESAMPLE_H_
#define BELAY_RUNS_RESAMPLE_H_

// The statistics of a benchmark: unbiased pass@k, bootstrap over tasks, the
// exact test of McNemar.

#include <cstdint>
#include <vector>

namespace belay::runs {

// The chance that at least one of k samples passes, drawn without putting back
// from n of which c pass: 1 - C(n-c, k) / C(n, k). 1 <= k <= n, 0 <= c <= n.
double PassAtK(int64_t n, int64_t c, int64_t k);

struct Interval {
  double value = 0;
  double low = 0;   // 2.5 % of the resamples lie below
  double high = 0;  // 2.5 % above
};

inline constexpr int kResamples = 10'000;
inline constexpr uint64_t kResampleSeed = 1;

// A mean over problems: what one task adds to its numerator and denominator.
struct Part {
  double sum = 0;
  double count = 0;
};

// parts[task][statistic], as many statistics for each task. Tasks are drawn
// with putting back, as many as there are; all statistics see the same draws,
// so that the difference of two is resampled in pairs. A resample in which a
// statistic has no count is left out of its interval. The same seed gives the
// same bits.
std::vector<Interval> BootstrapMeans(
    const std::vector<std::vector<Part>>& parts, uint64_t seed = kResampleSeed,
    int resamples = kResamples);

// Two-sided exact p of McNemar's test: `only_first` problems solved by one run
// alone, `only_second` by the other alone. 1 when there are none.
double McNemar(int64_t only_first, int64_t only_second);

}  // namespace belay::runs

#endif  // BELAY_RUNS_RESAMPLE_H_
