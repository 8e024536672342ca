// SPDX-License-Identifier: Apache-2.0
#include "calibration/measurements.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include "base/error.h"

namespace belay::calibration {
namespace {

class Reader {
 public:
  explicit Reader(const std::filesystem::path& path) : path_(path) {}

  Measurements Read() {
    toml::table file;
    try {
      file = toml::parse_file(path_.string());
    } catch (const toml::parse_error& error) {
      throw UserError(fmt::format("[calibrate] {}:{}: {}", path_.string(),
                                  error.source().begin.line,
                                  error.description()));
    }
    Measurements all;
    const toml::array* groups = file["group"].as_array();
    if (groups == nullptr) Fail("has no [[group]]");
    for (const toml::node& node : *groups) {
      const toml::table* group = node.as_table();
      if (group == nullptr) Fail("has a group that is no table");
      all.groups.push_back(
          {Text(*group, "name"), Text(*group, "what"), Text(*group, "source")});
      const toml::array* rows = (*group)["rows"].as_array();
      if (rows == nullptr) Fail("has a group without rows");
      for (const toml::node& row : *rows) {
        if (!row.is_table()) Fail("has a row that is no table");
        all.rows.push_back(ReadRow(*group, *row.as_table()));
      }
    }
    const toml::array* changes = file["change"].as_array();
    for (size_t i = 0; changes != nullptr && i < changes->size(); ++i) {
      const toml::table* change = changes->get(i)->as_table();
      if (change == nullptr) Fail("has a change that is no table");
      all.changes.push_back({Text(*change, "name"),
                             IndexOf(all, *change, "from"),
                             IndexOf(all, *change, "to")});
    }
    return all;
  }

 private:
  [[noreturn]] void Fail(std::string_view what) const {
    throw UserError(fmt::format("[calibrate] {} {}", path_.string(), what));
  }
  std::string Text(const toml::table& table, std::string_view key) const {
    const auto value = table[key].value<std::string>();
    if (!value) Fail(fmt::format("lacks the text '{}' of a group or row", key));
    return *value;
  }
  double Number(const toml::table& table, std::string_view key) const {
    const auto value = table[key].value<double>();
    if (!value || *value <= 0) {
      Fail(fmt::format("lacks a number above 0 for '{}'", key));
    }
    return *value;
  }

  size_t IndexOf(const Measurements& all, const toml::table& change,
                 std::string_view key) const {
    const std::string group = Text(change, "group");
    const std::string argument = Text(change, key);
    for (size_t i = 0; i < all.rows.size(); ++i) {
      if (all.rows[i].group == group && all.rows[i].argument == argument) {
        return i;
      }
    }
    Fail(
        fmt::format("has a change from or to row '{}' of '{}', which is not "
                    "there",
                    argument, group));
  }

  Measurement ReadRow(const toml::table& group, const toml::table& row) const {
    Measurement result;
    result.group = Text(group, "name");
    result.name = Text(row, "name");
    result.program = Text(group, "program");
    result.argument = Text(row, "argument");
    result.clock_mhz = Number(group, "clock_mhz");
    result.between_readings = row.contains("ticks");
    result.measured = result.between_readings
                          ? Number(row, "ticks") / Number(group, "counter_mhz")
                          : Number(row, "task");
    for (const char* key : {"core", "vector", "scalar", "mte2", "mte3"}) {
      if (row.contains(key)) result.other[key] = Number(row, key);
    }
    return result;
  }

  std::filesystem::path path_;
};

}  // namespace

Measurements LoadMeasurements(const std::filesystem::path& path) {
  return Reader(path).Read();
}

}  // namespace belay::calibration
