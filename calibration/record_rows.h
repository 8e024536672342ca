// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CALIBRATION_RECORD_ROWS_H_
#define BELAY_CALIBRATION_RECORD_ROWS_H_

// From measured rows to rows with logs: runs the programs of kernels/, builds
// the rest.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "calibration/measurements.h"
#include "calibration/predict.h"

namespace belay::calibration {

// In the order of `measurements`. `kernels` holds the programs; `progress` is
// called with what is done next, and may be null. Throws UserError when a
// program does not compile or does not launch what its rows ask for.
std::vector<Row> RecordRows(
    const Measurements& measurements, const std::filesystem::path& kernels,
    const std::function<void(const std::string&)>& progress);

}  // namespace belay::calibration

#endif  // BELAY_CALIBRATION_RECORD_ROWS_H_
