// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_MODEL_ERROR_H_
#define BELAY_CLOCK_MODEL_ERROR_H_

// How far simulated times lay from published measurements when the clock was
// last calibrated.

#include <optional>
#include <string>

namespace belay::clock {

struct ModelError {
  std::string chip;  // the measurements were made on: "ascend910b1"
  int rows = 0;      // measurements
  double median_percent = 0;
  double worst_percent = 0;
  double leave_one_out_median_percent = 0;
};

// data/chips/costs/model_error.toml. Nothing when the clock was never
// calibrated; UserError for a file that cannot be read.
std::optional<ModelError> LoadModelError();

// "median 4.1 %, worst 19.0 % on 32 published measurements".
std::string ToText(const ModelError& error);

}  // namespace belay::clock

#endif  // BELAY_CLOCK_MODEL_ERROR_H_
