// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CALIBRATION_PREDICT_H_
#define BELAY_CALIBRATION_PREDICT_H_

// What the clock says for measured rows.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "calibration/measurements.h"
#include "clock/clock_spec.h"
#include "clock/log.h"

namespace belay::calibration {

// A row with the log of its launch.
struct Row {
  Measurement measurement;
  clock::LaunchLog log;
};

struct Prediction {
  double microseconds = 0;  // to compare with Measurement::measured
  // As Measurement::other, for every pipe.
  std::map<std::string, double> other;
};

Prediction Predict(const Row& row, const clock::ClockSpec& spec);

// Of all rows, in their order, on `threads` threads. `done` is called with the
// index of each row as it comes, one at a time; may be null.
std::vector<Prediction> PredictAll(const std::vector<Row>& rows,
                                   const clock::ClockSpec& spec, int threads,
                                   const std::function<void(size_t)>& done);

// predicted / measured - 1.
double ErrorOf(const Row& row, const Prediction& prediction);

// How much of each row's time rests on constants nobody published: by how much
// it grows, in parts, when all of them cost a tenth more, times ten.
std::vector<double> AssumedShares(const std::vector<Row>& rows,
                                  const std::vector<Prediction>& predictions,
                                  const clock::ClockSpec& spec, int threads);

// Of the absolute values of errors; 0 for none.
struct ErrorSummary {
  double median = 0;
  double worst = 0;
};
ErrorSummary Summarise(std::vector<double> errors);

}  // namespace belay::calibration

#endif  // BELAY_CALIBRATION_PREDICT_H_
