// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CALIBRATION_FIT_H_
#define BELAY_CALIBRATION_FIT_H_

// Finds values of the free constants under which predictions come closest to
// the measurements.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "calibration/predict.h"
#include "clock/clock_spec.h"

namespace belay::calibration {

// A constant that calibration may choose. The search starts at `start`, which
// comes from elsewhere than the measurements, and stays within the bounds.
struct FreeConstant {
  std::string key;
  double start = 0;
  double low = 0;
  double high = 0;
};

// Throws UserError for files that cannot be read or whose bounds do not hold.
std::vector<FreeConstant> LoadFreeConstants(const std::filesystem::path& path);

struct Fit {
  std::vector<double> values;  // of the free constants, in their order
  double loss = 0;
  int steps = 0;
};

struct FitOptions {
  int threads = 1;
  // At the start and after each step; may be null.
  std::function<void(const Fit&)> progress;
};

// How far predictions are off, as the search sees it: the root mean square of
// log(predicted / measured).
double Loss(const std::vector<double>& errors);

// Levenberg and Marquardt's method on the logarithms of constants and times,
// from the starting values on, with differences for derivatives. Deterministic.
Fit FitConstants(const std::vector<Row>& rows,
                 const std::vector<FreeConstant>& constants,
                 const clock::ClockSpec& spec, const FitOptions& options);

// `spec` with these values.
clock::ClockSpec With(const clock::ClockSpec& spec,
                      const std::vector<FreeConstant>& constants,
                      const std::vector<double>& values);

}  // namespace belay::calibration

#endif  // BELAY_CALIBRATION_FIT_H_
