// SPDX-License-Identifier: Apache-2.0
#include "bench/values_reader.h"

namespace belay::bench {

Values ReadValues(const TomlReader& table, const toml::node& node) {
  Values values;
  if (const auto word = node.value_exact<std::string>()) {
    values.kind = ReadEnum(table, "values", *word, ValueKind::kCopy);
  }
  const toml::table* inner = node.as_table();
  if (inner == nullptr && !node.is_string()) {
    table.FailAt(node, code::kK105, "'values' must be a kind or a table");
  }
  if (inner != nullptr) {
    const TomlReader keys(*inner, table.file(), table.where() + " values");
    keys.RequireKeys({"kind", "low", "high", "total", "of", "probability",
                      "cumulative", "special", "wide", "magnitude"});
    values.kind =
        ReadEnum(keys, "kind", keys.String("kind", "real"), ValueKind::kCopy);
    values.low = keys.ReadExpression("low");
    values.high = keys.ReadExpression("high");
    values.total = keys.ReadExpression("total");
    if (values.kind == ValueKind::kCopy) {
      values.copy_of = keys.String("of");
    } else {
      values.of = keys.ReadExpression("of");
    }
    values.probability = keys.Real("probability", 0.5);
    values.cumulative = keys.Bool("cumulative", false);
    values.special = keys.Bool("special", true);
    values.wide = keys.Real("wide", 0);
    values.magnitude = keys.Real("magnitude", 1);
  }
  const auto need = [&](bool given, std::string_view key) {
    if (given) return;
    table.FailAt(node, code::kK104,
                 fmt::format("values of kind \"{}\" need '{}'",
                             NameOf(values.kind), key));
  };
  switch (values.kind) {
    case ValueKind::kUniform:
    case ValueKind::kSorted:
      need(!values.low.empty(), "low");
      need(!values.high.empty(), "high");
      break;
    case ValueKind::kIndex:
      need(!values.high.empty(), "high");
      break;
    case ValueKind::kPartition:
      need(!values.total.empty(), "total");
      break;
    case ValueKind::kGiven:
      need(!values.of.empty(), "of");
      break;
    case ValueKind::kCopy:
      need(!values.copy_of.empty(), "of");
      break;
    default:
      break;
  }
  return values;
}

void RequireCopySource(const TomlReader& table, const Task& task,
                       const Values& values) {
  if (values.kind != ValueKind::kCopy) return;
  if (FindInput(task, values.copy_of) != nullptr) return;
  table.Fail(code::kK107,
             fmt::format("values copy '{}', which is no input before it",
                         values.copy_of));
}

}  // namespace belay::bench
