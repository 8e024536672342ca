// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCHMARKS_RATIOS_H_
#define BELAY_BENCHMARKS_RATIOS_H_

// Runs the registered benchmarks and remembers their times, so that ratios
// taken in one run can be printed at the end.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>

namespace belay::benchmarks {

// Real time per iteration in nanoseconds, by benchmark name.
class Times : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.error_occurred) continue;
      const double scale = benchmark::GetTimeUnitMultiplier(run.time_unit);
      times_[run.benchmark_name()] = run.GetAdjustedRealTime() / scale * 1e9;
    }
    ConsoleReporter::ReportRuns(runs);
  }

  // Prints "name: time(a) / time(b)".
  void PrintRatio(const std::string& name, const std::string& a,
                  const std::string& b) const {
    const auto first = times_.find(a);
    const auto second = times_.find(b);
    if (first == times_.end() || second == times_.end()) return;
    fmt::print("{}: {:.2f}\n", name, first->second / second->second);
  }

  // Prints the `count` slowest of those whose name begins with `prefix`.
  void PrintSlowest(const std::string& prefix, size_t count) const {
    std::multimap<double, std::string, std::greater<>> slowest;
    for (const auto& [name, time] : times_) {
      if (name.starts_with(prefix)) slowest.emplace(time, name);
    }
    for (const auto& [time, name] : slowest) {
      if (count-- == 0) return;
      fmt::print("slowest {}: {:.2f} ms\n", name, time / 1e6);
    }
  }

 private:
  std::map<std::string, double> times_;
};

}  // namespace belay::benchmarks

#endif  // BELAY_BENCHMARKS_RATIOS_H_
