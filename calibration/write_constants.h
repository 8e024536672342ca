// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CALIBRATION_WRITE_CONSTANTS_H_
#define BELAY_CALIBRATION_WRITE_CONSTANTS_H_

// Puts fitted values into the chip files, where they stand, leaving everything
// else as it is.

#include <filesystem>
#include <string>
#include <string_view>

namespace belay::calibration {

// `text` with the value and the source of `name` in table [`table`] replaced;
// the line must have the form NAME = { value = N, …, source = "…" }. Empty
// when there is none.
std::string ReplaceConstant(const std::string& text, std::string_view table,
                            std::string_view name, double value,
                            std::string_view source);

// `key` is a constant of the clock, "memory.hbm_rate": in [clock.memory] of the
// chip's file, or else in [memory] of the costs of its architecture. Throws
// UserError when it is in neither, or a file cannot be written.
void WriteConstant(const std::filesystem::path& chip_file,
                   const std::filesystem::path& costs_file,
                   std::string_view key, double value, std::string_view source);

}  // namespace belay::calibration

#endif  // BELAY_CALIBRATION_WRITE_CONSTANTS_H_
