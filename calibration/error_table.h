// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CALIBRATION_ERROR_TABLE_H_
#define BELAY_CALIBRATION_ERROR_TABLE_H_

// Predicted against measured, for people and for programs.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "calibration/leave_one_out.h"
#include "calibration/predict.h"

namespace belay::calibration {

enum class TableStyle { kText, kMarkdown };

// One line for each row, one for each group and one for all.
std::string ErrorTable(const std::vector<Row>& rows,
                       const std::vector<Prediction>& predictions,
                       TableStyle style);

// What changes of a program gain, and what a launch costs beyond its cores'
// time.
std::string ChangeTable(const std::vector<Row>& rows,
                        const std::vector<Prediction>& predictions,
                        const std::vector<MeasuredChange>& changes,
                        TableStyle style);

// Mean busy times of the pipes, predicted and, in brackets, measured.
std::string PipeTable(const std::vector<Row>& rows,
                      const std::vector<Prediction>& predictions);

// The share of each group's times that rests on assumed constants.
std::string AssumedTable(const std::vector<Row>& rows,
                         const std::vector<double>& shares, TableStyle style);

std::string LeftOutTable(const std::vector<LeftOut>& groups, TableStyle style);

// Rows with their hardware bounds, the summary, and the table.
nlohmann::json ErrorJson(const std::vector<Row>& rows,
                         const std::vector<Prediction>& predictions,
                         const clock::ClockSpec& spec);
nlohmann::json LeftOutJson(const std::vector<LeftOut>& groups,
                           const std::vector<FreeConstant>& constants);

}  // namespace belay::calibration

#endif  // BELAY_CALIBRATION_ERROR_TABLE_H_
