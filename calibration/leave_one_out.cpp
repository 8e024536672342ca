// SPDX-License-Identifier: Apache-2.0
#include "calibration/leave_one_out.h"

namespace belay::calibration {
namespace {

// Those of the group, or all others.
std::vector<Row> Select(const std::vector<Row>& rows, const std::string& group,
                        bool of_group) {
  std::vector<Row> selected;
  for (const Row& row : rows) {
    if ((row.measurement.group == group) == of_group) selected.push_back(row);
  }
  return selected;
}

}  // namespace

std::vector<LeftOut> LeaveOneOut(
    const std::vector<Row>& rows, const std::vector<FreeConstant>& constants,
    const clock::ClockSpec& spec, const FitOptions& options,
    const std::function<void(const std::string&)>& progress) {
  std::vector<LeftOut> result;
  for (const Row& row : rows) {
    const std::string& group = row.measurement.group;
    if (!result.empty() && result.back().group == group) continue;
    if (progress) progress(group);
    LeftOut left;
    left.group = group;
    left.fit =
        FitConstants(Select(rows, group, false), constants, spec, options);
    const std::vector<Row> unseen = Select(rows, group, true);
    const auto predictions =
        PredictAll(unseen, With(spec, constants, left.fit.values),
                   options.threads, nullptr);
    for (size_t i = 0; i < unseen.size(); ++i) {
      left.errors.push_back(ErrorOf(unseen[i], predictions[i]));
    }
    result.push_back(std::move(left));
  }
  return result;
}

ErrorSummary Summarise(const std::vector<LeftOut>& groups) {
  std::vector<double> errors;
  for (const LeftOut& group : groups) {
    errors.insert(errors.end(), group.errors.begin(), group.errors.end());
  }
  return Summarise(std::move(errors));
}

}  // namespace belay::calibration
