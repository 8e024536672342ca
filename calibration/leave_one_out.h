// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CALIBRATION_LEAVE_ONE_OUT_H_
#define BELAY_CALIBRATION_LEAVE_ONE_OUT_H_

// How well the clock does on measurements it was not fitted to: each group is
// left out in turn, the constants fitted on the others, the group predicted.

#include <functional>
#include <string>
#include <vector>

#include "calibration/fit.h"
#include "calibration/predict.h"

namespace belay::calibration {

struct LeftOut {
  std::string group;
  Fit fit;                     // on the other groups
  std::vector<double> errors;  // of the rows of the group, in their order
};

// Every fit starts at the starting values of the constants. `progress` is
// called with the group about to be left out; may be null.
std::vector<LeftOut> LeaveOneOut(
    const std::vector<Row>& rows, const std::vector<FreeConstant>& constants,
    const clock::ClockSpec& spec, const FitOptions& options,
    const std::function<void(const std::string&)>& progress);

// Of all groups' errors together.
ErrorSummary Summarise(const std::vector<LeftOut>& groups);

}  // namespace belay::calibration

#endif  // BELAY_CALIBRATION_LEAVE_ONE_OUT_H_
