// SPDX-License-Identifier: Apache-2.0
#include "calibration/write_constants.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "base/error.h"

namespace belay::calibration {
namespace {

// Replaces what stands between `before` and `after` in a line.
bool ReplaceField(std::string& line, std::string_view before,
                  std::string_view after, std::string_view with) {
  const size_t begin = line.find(before);
  if (begin == std::string::npos) return false;
  const size_t from = begin + before.size();
  const size_t to = line.find_first_of(after, from);
  if (to == std::string::npos) return false;
  line.replace(from, to - from, with);
  return true;
}

bool ReplaceInFile(const std::filesystem::path& path, std::string_view table,
                   std::string_view name, double value,
                   std::string_view source) {
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::string changed = ReplaceConstant(text, table, name, value, source);
  if (changed.empty()) return false;
  std::ofstream out(path);
  out << changed;
  if (!out.flush()) {
    throw UserError(
        fmt::format("[calibrate] cannot write '{}'", path.string()));
  }
  return true;
}

}  // namespace

std::string ReplaceConstant(const std::string& text, std::string_view table,
                            std::string_view name, double value,
                            std::string_view source) {
  std::istringstream lines(text);
  std::string result, line;
  bool inside = false, replaced = false;
  const std::string head = fmt::format("[{}]", table);
  const std::string start = fmt::format("{} = {{", name);
  while (std::getline(lines, line)) {
    if (line.starts_with('[')) inside = line == head;
    if (inside && line.starts_with(start)) {
      replaced =
          ReplaceField(line, "value = ", ",}", fmt::format("{:g}", value)) &&
          ReplaceField(line, "source = \"", "\"", source);
    }
    result += line + '\n';
  }
  return replaced ? result : std::string();
}

void WriteConstant(const std::filesystem::path& chip_file,
                   const std::filesystem::path& costs_file,
                   std::string_view key, double value,
                   std::string_view source) {
  const size_t dot = key.rfind('.');
  const std::string_view table = key.substr(0, dot);
  const std::string_view name = key.substr(dot + 1);
  if (ReplaceInFile(chip_file, fmt::format("clock.{}", table), name, value,
                    source) ||
      ReplaceInFile(costs_file, table, name, value, source)) {
    return;
  }
  throw UserError(
      fmt::format("[calibrate] neither '{}' nor '{}' has a line for {}",
                  chip_file.string(), costs_file.string(), key));
}

}  // namespace belay::calibration
