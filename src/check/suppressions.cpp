// SPDX-License-Identifier: Apache-2.0
#include "check/suppressions.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/catalogue.h"
#include "base/error.h"

namespace belay::check {
namespace {

[[noreturn]] void Refuse(const std::string& name, int number,
                         const std::string& what) {
  throw UserError(fmt::format(
      "[suppressions] {}:{}: {}; a line reads 'CODE FILE:LINE reason'", name,
      number, what));
}

// Whether `path` is `end` or ends in it at a folder's border.
bool EndsInFile(std::string_view path, std::string_view end) {
  if (!path.ends_with(end)) return false;
  return path.size() == end.size() || end.starts_with('/') ||
         path[path.size() - end.size() - 1] == '/';
}

}  // namespace

Suppressions Suppressions::Parse(std::string_view text,
                                 const std::string& name) {
  Suppressions result;
  result.name_ = name;
  std::istringstream in{std::string(text)};
  std::string raw;
  for (int number = 1; std::getline(in, raw); ++number) {
    std::istringstream words(raw);
    Line line;
    line.number = number;
    if (!(words >> line.code) || line.code.starts_with('#')) continue;
    if (FindCode(line.code) == nullptr) {
      Refuse(name, number, fmt::format("'{}' is no code", line.code));
    }
    std::string place;
    words >> place;
    const size_t colon = place.rfind(':');
    if (colon == std::string::npos || colon == 0) {
      Refuse(name, number, fmt::format("'{}' is no FILE:LINE", place));
    }
    line.file = place.substr(0, colon);
    const std::string digits = place.substr(colon + 1);
    if (digits != "*") {
      const char* end = digits.data() + digits.size();
      const auto parsed = std::from_chars(digits.data(), end, line.line);
      if (parsed.ec != std::errc() || parsed.ptr != end || line.line < 1) {
        Refuse(name, number,
               fmt::format("'{}' is no line number and not *", digits));
      }
    }
    std::getline(words >> std::ws, line.reason);
    if (line.reason.empty()) {
      Refuse(name, number, fmt::format("{} has no reason", line.code));
    }
    result.lines_.push_back(std::move(line));
  }
  return result;
}

Suppressions Suppressions::Load(const std::string& path) {
  std::ifstream file(path);
  if (!file) {
    throw UserError(
        fmt::format("[suppressions] cannot read the file '{}'", path));
  }
  return Parse(std::string(std::istreambuf_iterator<char>(file), {}), path);
}

bool Suppressions::Match(const Diagnostic& diagnostic) {
  if (!diagnostic.location.known()) return false;
  bool matched = false;
  for (Line& line : lines_) {
    if (line.code != diagnostic.code) continue;
    if (line.line != 0 && line.line != diagnostic.location.line) continue;
    if (!EndsInFile(diagnostic.location.file, line.file)) continue;
    line.is_used = true;
    matched = true;
  }
  return matched;
}

size_t Suppressions::Apply(std::vector<Diagnostic>& diagnostics) {
  return std::erase_if(diagnostics, [this](const Diagnostic& diagnostic) {
    return Match(diagnostic);
  });
}

std::vector<Diagnostic> Suppressions::Unused() const {
  std::vector<Diagnostic> unused;
  for (const Line& line : lines_) {
    if (line.is_used) continue;
    Diagnostic diagnostic;
    diagnostic.code = code::kU106;
    diagnostic.severity = Severity::kWarning;
    diagnostic.message = fmt::format(
        "[suppressions] no finding {} at {}:{}: the line suppresses nothing",
        line.code, line.file, line.line == 0 ? "*" : std::to_string(line.line));
    diagnostic.location = {name_, line.number, 1, ""};
    diagnostic.fix = "take the line out, or correct its place";
    unused.push_back(std::move(diagnostic));
  }
  return unused;
}

}  // namespace belay::check
