// SPDX-License-Identifier: Apache-2.0
#include "bench/case_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/values_reader.h"

namespace belay::bench {
namespace {

// The items of a list under `key`, or the one value that stands there; one
// empty object where the key is absent.
std::vector<Value> ReadAxis(const TomlReader& table, std::string_view key) {
  const toml::node* node = table.Find(key);
  if (node == nullptr) return {Value::object()};
  const Value value = ToValue(*node, table.file());
  std::vector<Value> items;
  if (value.is_array()) {
    items = value.get<std::vector<Value>>();
  } else {
    items.push_back(value);
  }
  for (const Value& item : items) {
    if (!item.is_object()) {
      table.FailAt(*node, code::kK105,
                   fmt::format("'{}' must be a table or a list of tables, got "
                               "{}",
                               key, item.dump()));
    }
  }
  if (items.empty()) {
    table.FailAt(*node, code::kK105, fmt::format("'{}' is an empty list", key));
  }
  return items;
}

using Column = std::map<std::string, DType>;

// Columns of the task that agree with `wanted`, a dtype for the type name T
// (or the only one) or a table of several.
std::vector<Column> MatchColumns(const TomlReader& table, const Task& task,
                                 const Value& wanted) {
  const toml::node& node = *table.Find("types");
  Value filter = wanted;
  if (wanted.is_string()) {
    const Column& first = task.types.front();
    if (first.size() != 1 && !first.contains("T")) {
      table.FailAt(node, code::kK108,
                   "'types' takes tables here, such as [{A = \"f16\"}]: there "
                   "are several type names and none is T");
    }
    filter = Value{{first.contains("T") ? "T" : first.begin()->first, wanted}};
  }
  if (!filter.is_object()) {
    table.FailAt(
        node, code::kK108,
        fmt::format("'types' takes dtypes or tables, got {}", wanted.dump()));
  }
  for (const auto& [name, dtype] : filter.items()) {
    const bool known = task.types.front().contains(name) && dtype.is_string() &&
                       ParseDType(dtype.get<std::string>()).has_value();
    if (!known) {
      table.FailAt(node, code::kK108,
                   fmt::format("'types' sets {} = {}, but that is not a type "
                               "name of [[types]] with a dtype",
                               name, dtype.dump()));
    }
  }
  std::vector<Column> columns;
  for (const Column& column : task.types) {
    bool fits = true;
    for (const auto& [name, dtype] : filter.items()) {
      fits &= column.at(name) == *ParseDType(dtype.get<std::string>());
    }
    if (fits) columns.push_back(column);
  }
  if (columns.empty()) {
    table.FailAt(node, code::kK108,
                 fmt::format("no column of [[types]] has {}", filter.dump()));
  }
  return columns;
}

std::vector<Column> ReadColumns(const TomlReader& table, const Task& task) {
  const toml::node* node = table.Find("types");
  if (node == nullptr) return task.types;
  Value list = ToValue(*node, table.file());
  if (!list.is_array()) list = Value::array({list});
  std::vector<Column> columns;
  for (const Value& wanted : list) {
    for (Column& column : MatchColumns(table, task, wanted)) {
      columns.push_back(std::move(column));
    }
  }
  return columns;
}

std::vector<Regime> ReadRegimes(const TomlReader& table) {
  static constexpr Regime kAll[] = {Regime::kNormal,  Regime::kWide,
                                    Regime::kSmall,   Regime::kCancellation,
                                    Regime::kSpecial, Regime::kTies};
  std::vector<Regime> regimes;
  for (const std::string& word : table.Strings("regimes")) {
    const auto* found =
        std::find_if(std::begin(kAll), std::end(kAll),
                     [&word](Regime regime) { return NameOf(regime) == word; });
    if (found == std::end(kAll)) {
      table.FailAt(*table.Find("regimes"), code::kK105,
                   fmt::format("\"{}\" is not a regime; regimes: normal, wide, "
                               "small, cancellation, special, ties",
                               word));
    }
    regimes.push_back(*found);
  }
  if (regimes.empty()) regimes.push_back(Regime::kNormal);
  return regimes;
}

std::vector<std::vector<std::string>> ReadAbsent(const TomlReader& table,
                                                 const Task& task) {
  const toml::node* node = table.Find("absent");
  if (node == nullptr) return {{}};
  const Value lists = ToValue(*node, table.file());
  std::vector<std::vector<std::string>> absent;
  try {
    absent = lists.get<std::vector<std::vector<std::string>>>();
  } catch (const nlohmann::json::exception&) {
    table.FailAt(*node, code::kK105,
                 fmt::format("'absent' must be a list of lists of optional "
                             "inputs, such as [[], [\"bias\"]], got {}",
                             lists.dump()));
  }
  for (const auto& names : absent) {
    for (const std::string& name : names) {
      const InputSpec* input = FindInput(task, name);
      if (input != nullptr && input->optional) continue;
      table.FailAt(*node, code::kK109,
                   fmt::format("'absent' names '{}', which is not an optional "
                               "input",
                               name));
    }
  }
  return absent;
}

std::map<std::string, Values> ReadGroupValues(const TomlReader& table,
                                              const Task& task) {
  std::map<std::string, Values> values;
  const toml::node* node = table.Find("values");
  if (node == nullptr) return values;
  if (!node->is_table()) {
    table.FailAt(
        *node, code::kK105,
        "'values' must be a table of inputs, such as { x = \"real\" }");
  }
  for (const auto& [key, item] : *node->as_table()) {
    const std::string name(key.str());
    if (FindInput(task, name) == nullptr) {
      table.FailAt(*node, code::kK109,
                   fmt::format("'values' names '{}', which is no input", name));
    }
    values[name] = ReadValues(table, item);
    RequireCopySource(table, task, values[name]);
  }
  return values;
}

void RequireAttributes(const TomlReader& table, const Task& task,
                       const std::vector<Value>& attributes) {
  for (const Value& given : attributes) {
    for (const auto& [name, value] : given.items()) {
      const AttributeSpec* attribute = FindAttribute(task, name);
      if (attribute == nullptr || !attribute->value.empty()) {
        table.FailAt(
            *table.Find("attributes"), code::kK109,
            fmt::format("'{}' is not an attribute that a case may set", name));
      }
      if (!FitsType(value, attribute->type)) {
        table.FailAt(*table.Find("attributes"), code::kK105,
                     fmt::format("attribute '{}' must be of type {}, got {}",
                                 name, NameOf(attribute->type), value.dump()));
      }
    }
  }
}

}  // namespace

bool FitsType(const Value& value, AttributeType type) {
  switch (type) {
    case AttributeType::kInt:
      return value.is_number_integer();
    case AttributeType::kFloat:
      return value.is_number();
    case AttributeType::kBool:
      return value.is_boolean();
    case AttributeType::kString:
      return value.is_string();
    case AttributeType::kIntList:
    case AttributeType::kFloatList: {
      const AttributeType item = type == AttributeType::kIntList
                                     ? AttributeType::kInt
                                     : AttributeType::kFloat;
      return value.is_array() &&
             std::all_of(value.begin(), value.end(),
                         [item](const Value& v) { return FitsType(v, item); });
    }
  }
  return false;
}

void ReadCases(const TomlReader& root, Task& task) {
  for (const TomlReader& table : root.Tables("cases")) {
    table.RequireKeys({"kind", "note", "sizes", "attributes", "types",
                       "regimes", "absent", "expand", "seed", "lint",
                       "values"});
    CaseGroup group;
    group.line = table.line();
    const std::string kind = table.String("kind");
    if (kind != "edge" && kind != "real") {
      table.FailAt(*table.Find("kind"), code::kK105,
                   fmt::format("'kind' must be \"edge\" or \"real\", got "
                               "\"{}\"",
                               kind));
    }
    group.kind = kind == "edge" ? CaseKind::kEdge : CaseKind::kReal;
    const std::string expand = table.String("expand", "cycle");
    if (expand != "cycle" && expand != "product") {
      table.FailAt(*table.Find("expand"), code::kK105,
                   fmt::format("'expand' must be \"cycle\" or \"product\", got "
                               "\"{}\"",
                               expand));
    }
    group.product = expand == "product";
    group.note = table.String("note", "");
    group.sizes = ReadAxis(table, "sizes");
    group.attributes = ReadAxis(table, "attributes");
    RequireAttributes(table, task, group.attributes);
    group.types = ReadColumns(table, task);
    group.regimes = ReadRegimes(table);
    group.absent = ReadAbsent(table, task);
    group.values = ReadGroupValues(table, task);
    group.seed = static_cast<uint64_t>(table.Int("seed", 1));
    group.lint = table.Bool("lint", true);
    task.groups.push_back(std::move(group));
  }
  if (task.groups.empty()) {
    root.Fail(code::kK104, "there are no [[cases]]",
              "a task needs edge cases and real ones");
  }
}

}  // namespace belay::bench
