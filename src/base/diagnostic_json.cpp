// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/diagnostic.h"
#include "base/error.h"

namespace belay {
namespace {

using nlohmann::json;

json LocationToJson(const SourceLocation& location) {
  if (location.file.empty()) return nullptr;
  json place = {{"file", location.file},
                {"line", location.line},
                {"column", location.column},
                {"function", location.function}};
  if (location.end_column > 0) place["end_column"] = location.end_column;
  return place;
}

SourceLocation LocationFromJson(const json& json) {
  SourceLocation location;
  if (!json.contains("location") || json.at("location").is_null()) {
    return location;
  }
  const auto& from = json.at("location");
  from.at("file").get_to(location.file);
  location.line = from.value("line", 0);
  location.column = from.value("column", 0);
  location.function = from.value("function", "");
  location.end_column = from.value("end_column", 0);
  return location;
}

Severity SeverityFromName(const std::string& name) {
  for (const Severity severity :
       {Severity::kError, Severity::kWarning, Severity::kNote}) {
    if (name == NameOf(severity)) return severity;
  }
  throw UserError(fmt::format(
      "[diagnostic] severity must be error, warning or note, got '{}'", name));
}

}  // namespace

void to_json(json& json, const Diagnostic& diagnostic) {
  auto notes = json::array();
  for (const DiagnosticNote& note : diagnostic.notes) {
    notes.push_back({{"message", note.message},
                     {"location", LocationToJson(note.location)}});
  }
  json = {{"code", diagnostic.code},
          {"severity", NameOf(diagnostic.severity)},
          {"message", diagnostic.message},
          {"location", LocationToJson(diagnostic.location)},
          {"core", diagnostic.core},
          {"pipe", diagnostic.pipe},
          {"notes", std::move(notes)},
          {"fix", diagnostic.fix}};
}

void from_json(const json& json, Diagnostic& diagnostic) {
  try {
    Diagnostic result;
    json.at("code").get_to(result.code);
    result.severity = SeverityFromName(json.at("severity").get<std::string>());
    json.at("message").get_to(result.message);
    result.location = LocationFromJson(json);
    result.core = json.value("core", "");
    result.pipe = json.value("pipe", "");
    result.fix = json.value("fix", "");
    if (json.contains("notes")) {
      for (const auto& note : json.at("notes")) {
        result.notes.push_back(
            {note.at("message").get<std::string>(), LocationFromJson(note)});
      }
    }
    diagnostic = std::move(result);
  } catch (const nlohmann::json::exception& error) {
    throw UserError(
        fmt::format("[diagnostic] malformed JSON: {}", error.what()));
  }
}

}  // namespace belay
