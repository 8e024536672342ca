// SPDX-License-Identifier: Apache-2.0
#include "bench/toml_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <sstream>

#include "base/edit_distance.h"

namespace belay::bench {

TaskError::TaskError(std::string code, const std::filesystem::path& file,
                     int line, std::string message, std::string fix)
    : TaskError([&] {
        Diagnostic diagnostic;
        diagnostic.code = std::move(code);
        diagnostic.message = std::move(message);
        diagnostic.location.file = file.string();
        diagnostic.location.line = line;
        diagnostic.fix = std::move(fix);
        return diagnostic;
      }()) {}

toml::table ParseToml(const std::string& text,
                      const std::filesystem::path& file) {
  try {
    return toml::parse(text, file.string());
  } catch (const toml::parse_error& error) {
    throw TaskError(
        code::kK102, file, static_cast<int>(error.source().begin.line),
        fmt::format("[toml] not readable: {}", error.description()));
  }
}

std::string ReadText(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (!stream || !(text << stream.rdbuf())) {
    if (stream && std::filesystem::exists(file) &&
        std::filesystem::file_size(file) == 0) {
      return "";
    }
    throw TaskError(code::kK101, file, 0,
                    fmt::format("[task] cannot read {}", file.string()),
                    "a task is a folder with task.toml and reference.py");
  }
  return text.str();
}

Value ToValue(const toml::node& node, const std::filesystem::path& file) {
  if (const auto* array = node.as_array()) {
    Value list = Value::array();
    for (const toml::node& item : *array) list.push_back(ToValue(item, file));
    return list;
  }
  if (const auto* table = node.as_table()) {
    Value object = Value::object();
    for (const auto& [key, item] : *table) {
      object[std::string(key.str())] = ToValue(item, file);
    }
    return object;
  }
  if (const auto value = node.value_exact<int64_t>()) return *value;
  if (const auto value = node.value_exact<double>()) return *value;
  if (const auto value = node.value_exact<bool>()) return *value;
  if (const auto value = node.value_exact<std::string>()) return *value;
  throw TaskError(code::kK105, file, TomlReader::Line(node),
                  "[toml] dates and times have no meaning in a task");
}

void TomlReader::Fail(std::string code, std::string message,
                      std::string fix) const {
  FailAt(table_, std::move(code), std::move(message), std::move(fix));
}

void TomlReader::FailAt(const toml::node& node, std::string code,
                        std::string message, std::string fix) const {
  throw TaskError(std::move(code), file_, Line(node),
                  fmt::format("{}: {}", where_, message), std::move(fix));
}

void TomlReader::RequireKeys(
    std::initializer_list<std::string_view> known) const {
  for (const auto& [key, node] : table_) {
    const std::string_view name = key.str();
    std::string_view nearest;
    int distance = 3;
    bool found = false;
    for (const std::string_view candidate : known) {
      found |= candidate == name;
      const int apart = EditDistance(candidate, name);
      if (apart < distance) {
        distance = apart;
        nearest = candidate;
      }
    }
    if (found) continue;
    throw TaskError(
        code::kK103, file_, static_cast<int>(key.source().begin.line),
        fmt::format("{}: there is no key '{}'; keys: {}", where_, name,
                    fmt::join(known, ", ")),
        nearest.empty() ? "" : fmt::format("did you mean '{}'?", nearest));
  }
}

const toml::node& TomlReader::Require(std::string_view key) const {
  const toml::node* node = Find(key);
  if (node == nullptr) {
    Fail(code::kK104, fmt::format("the key '{}' is missing", key));
  }
  return *node;
}

void TomlReader::WrongType(std::string_view key, const toml::node& node,
                           std::string_view expected) const {
  FailAt(node, code::kK105,
         fmt::format("'{}' must be {}, got {}", key, expected,
                     ToValue(node, file_).dump()));
}

std::string TomlReader::String(std::string_view key) const {
  const toml::node& node = Require(key);
  if (const auto value = node.value_exact<std::string>()) return *value;
  WrongType(key, node, "a string");
}

std::string TomlReader::String(std::string_view key,
                               std::string fallback) const {
  return Find(key) == nullptr ? fallback : String(key);
}

int64_t TomlReader::Int(std::string_view key) const {
  const toml::node& node = Require(key);
  if (const auto value = node.value_exact<int64_t>()) return *value;
  WrongType(key, node, "an integer");
}

int64_t TomlReader::Int(std::string_view key, int64_t fallback) const {
  return Find(key) == nullptr ? fallback : Int(key);
}

double TomlReader::Real(std::string_view key, double fallback) const {
  const toml::node* node = Find(key);
  if (node == nullptr) return fallback;
  if (node->is_number()) return *node->value<double>();
  WrongType(key, *node, "a number");
}

bool TomlReader::Bool(std::string_view key, bool fallback) const {
  const toml::node* node = Find(key);
  if (node == nullptr) return fallback;
  if (const auto value = node->value_exact<bool>()) return *value;
  WrongType(key, *node, "true or false");
}

Expression TomlReader::ReadExpression(std::string_view key) const {
  const toml::node* node = Find(key);
  if (node == nullptr) return {};
  std::string text;
  if (const auto value = node->value_exact<std::string>()) {
    text = *value;
  } else if (node->is_table()) {
    WrongType(key, *node, "an expression, a number or a list");
  } else {
    text = ToValue(*node, file_).dump();
  }
  try {
    return Expression::Parse(text);
  } catch (const ExpressionError& error) {
    FailAt(*node, code::kK106, fmt::format("'{}': {}", key, error.what()));
  }
}

std::vector<std::string> TomlReader::Strings(std::string_view key) const {
  std::vector<std::string> strings;
  const toml::node* node = Find(key);
  if (node == nullptr) return strings;
  const toml::array* array = node->as_array();
  if (array == nullptr) WrongType(key, *node, "a list of strings");
  for (const toml::node& item : *array) {
    const auto value = item.value_exact<std::string>();
    if (!value) WrongType(key, *node, "a list of strings");
    strings.push_back(*value);
  }
  return strings;
}

std::vector<TomlReader> TomlReader::Tables(std::string_view key) const {
  std::vector<TomlReader> readers;
  const toml::node* node = Find(key);
  if (node == nullptr) return readers;
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    WrongType(key, *node, fmt::format("an array of tables, [[{}]]", key));
  }
  for (const toml::node& item : *array) {
    if (!item.is_table()) WrongType(key, *node, "an array of tables");
    readers.emplace_back(*item.as_table(), file_, fmt::format("[[{}]]", key));
  }
  return readers;
}

}  // namespace belay::bench
