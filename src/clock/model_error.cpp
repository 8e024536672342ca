// SPDX-License-Identifier: Apache-2.0
#include "clock/model_error.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <filesystem>

#include "base/error.h"
#include "base/resources.h"

namespace belay::clock {

std::optional<ModelError> LoadModelError() {
  const std::filesystem::path path =
      Resource("data/chips") / "costs" / "model_error.toml";
  if (!std::filesystem::exists(path)) return std::nullopt;
  toml::table table;
  try {
    table = toml::parse_file(path.string());
  } catch (const toml::parse_error& error) {
    throw UserError(fmt::format("[clock] {}:{}: {}", path.string(),
                                error.source().begin.line,
                                error.description()));
  }
  const auto number = [&](const char* key) {
    const auto value = table[key].value<double>();
    if (!value) {
      throw UserError(
          fmt::format("[clock] {}: {} is missing", path.string(), key));
    }
    return *value;
  };
  ModelError error;
  error.chip = table["chip"].value_or(std::string());
  error.rows = static_cast<int>(number("rows"));
  error.median_percent = number("median_percent");
  error.worst_percent = number("worst_percent");
  error.leave_one_out_median_percent = number("leave_one_out_median_percent");
  return error;
}

std::string ToText(const ModelError& error) {
  return fmt::format(
      "median {:.1f} %, worst {:.1f} % on {} published measurements",
      error.median_percent, error.worst_percent, error.rows);
}

}  // namespace belay::clock
