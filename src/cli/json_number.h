// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLI_JSON_NUMBER_H_
#define BELAY_CLI_JSON_NUMBER_H_

// Numbers in the JSON that commands print.

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace belay::cli {

// JSON has no infinities and NaNs: those are texts.
inline nlohmann::json NumberOf(double value) {
  if (std::isfinite(value)) return value;
  return fmt::format("{}", value);
}

}  // namespace belay::cli

#endif  // BELAY_CLI_JSON_NUMBER_H_
