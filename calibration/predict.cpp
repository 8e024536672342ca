// SPDX-License-Identifier: Apache-2.0
#include "calibration/predict.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "clock/replay.h"

namespace belay::calibration {
namespace {

// When the system counter was read.
class Readings : public clock::TimelineSink {
 public:
  void OnSpan(const clock::Span& span) override {
    if (span.pipe == abi::Pipe::kS &&
        span.record->kind == clock::Kind::kReadClock) {
      times_.push_back(span.end);
    }
  }
  clock::Ticks between() const {
    if (times_.size() != 2) {
      throw InternalError("a row between readings must read the counter twice");
    }
    return times_[1] - times_[0];
  }

 private:
  std::vector<clock::Ticks> times_;
};

}  // namespace

Prediction Predict(const Row& row, const clock::ClockSpec& spec) {
  Prediction result;
  Readings readings;
  clock::ReplayOptions options;
  const bool between = row.measurement.between_readings;
  if (between) options.sink = &readings;
  const clock::LaunchTime time = clock::Replay(row.log, spec, options);
  result.microseconds = clock::ToMicroseconds(
      between ? readings.between() : time.total,
      between ? row.measurement.clock_mhz : spec.clock_mhz());

  const auto cores = static_cast<double>(time.core_times.size());
  const auto add = [&](const char* name, clock::Ticks ticks) {
    result.other[name] +=
        clock::ToMicroseconds(ticks, spec.clock_mhz()) / cores;
  };
  const auto busy = [](const clock::CoreTime& core, abi::Pipe pipe) {
    return core.pipes[static_cast<size_t>(pipe)].busy;
  };
  for (const clock::CoreTime& core : time.core_times) {
    add("core", core.end - core.begin);
    add("vector", busy(core, abi::Pipe::kV));
    add("scalar", busy(core, abi::Pipe::kS));
    add("mte2", busy(core, abi::Pipe::kMte2));
    add("mte3", busy(core, abi::Pipe::kMte3));
  }
  return result;
}

std::vector<Prediction> PredictAll(const std::vector<Row>& rows,
                                   const clock::ClockSpec& spec, int threads,
                                   const std::function<void(size_t)>& done) {
  std::vector<Prediction> all(rows.size());
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr failed;
  const auto work = [&] {
    for (size_t i = next++; i < rows.size(); i = next++) {
      try {
        all[i] = Predict(rows[i], spec);
      } catch (...) {
        const std::lock_guard lock(mutex);
        failed = std::current_exception();
        return;
      }
      if (done == nullptr) continue;
      const std::lock_guard lock(mutex);
      done(i);
    }
  };
  std::vector<std::jthread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  others.clear();
  if (failed) std::rethrow_exception(failed);
  return all;
}

double ErrorOf(const Row& row, const Prediction& prediction) {
  return prediction.microseconds / row.measurement.measured - 1;
}

std::vector<double> AssumedShares(const std::vector<Row>& rows,
                                  const std::vector<Prediction>& predictions,
                                  const clock::ClockSpec& spec, int threads) {
  constexpr double kMore = 0.1;
  const auto changed =
      PredictAll(rows, spec.WithAssumed(1 + kMore), threads, nullptr);
  std::vector<double> shares;
  for (size_t i = 0; i < rows.size(); ++i) {
    const double growth =
        changed[i].microseconds / predictions[i].microseconds - 1;
    shares.push_back(growth / kMore);
  }
  return shares;
}

ErrorSummary Summarise(std::vector<double> errors) {
  if (errors.empty()) return {};
  for (double& error : errors) error = std::abs(error);
  std::sort(errors.begin(), errors.end());
  const size_t middle = errors.size() / 2;
  const double median = errors.size() % 2 == 1
                            ? errors[middle]
                            : (errors[middle - 1] + errors[middle]) / 2;
  return {median, errors.back()};
}

}  // namespace belay::calibration
