// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CALIBRATION_WORKLOADS_H_
#define BELAY_CALIBRATION_WORKLOADS_H_

// Logs of measured programs for cube cores, made record by record.

#include <string>

#include "clock/log.h"

namespace belay::calibration {

// A matrix of halves from global memory into L1, laid out as fractals, by all
// 24 cube cores; `way` is 1 to 7 as in measurements.toml. Throws UserError for
// other ways.
clock::LaunchLog GmToL1(const std::string& way);

}  // namespace belay::calibration

#endif  // BELAY_CALIBRATION_WORKLOADS_H_
