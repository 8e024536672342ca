// SPDX-License-Identifier: Apache-2.0
#include "bench/task_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/resources.h"
#include "bench/case_reader.h"
#include "bench/hash.h"
#include "bench/toml_reader.h"
#include "bench/values_reader.h"

namespace belay::bench {
namespace {

bool IsIdentifier(std::string_view name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) {
    return false;
  }
  for (const char c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') return false;
  }
  return true;
}

std::string ReadName(TomlReader& table, std::set<std::string>& taken) {
  std::string name = table.String("name");
  table.set_where(table.where() + " " + name);
  if (!IsIdentifier(name)) {
    table.Fail(
        code::kK107,
        fmt::format("'{}' is not a name of letters, digits and '_'", name));
  }
  if (!taken.insert(name).second) {
    table.Fail(code::kK107, fmt::format("the name '{}' is used twice", name),
               "inputs, attributes, sizes and types share one set of names");
  }
  return name;
}

void ReadTypes(const TomlReader& root, Task& task,
               std::set<std::string>& taken) {
  task.types = {{}};
  for (const TomlReader& table : root.Tables("types")) {
    std::vector<std::map<std::string, DType>> own;
    for (const auto& [key, list] : table.table()) {
      const std::string name(key.str());
      if (!taken.insert(name).second) {
        table.Fail(code::kK107,
                   fmt::format("the name '{}' is used twice", name));
      }
      const std::vector<std::string> words = table.Strings(name);
      if (own.empty()) own.resize(words.size());
      if (own.size() != words.size() || words.empty()) {
        table.Fail(code::kK108,
                   fmt::format("'{}' has {} dtypes, the names before it have "
                               "{}; columns need one of each",
                               name, words.size(), own.size()));
      }
      for (size_t i = 0; i < words.size(); ++i) {
        const std::optional<DType> dtype = ParseDType(words[i]);
        if (!dtype) {
          table.Fail(code::kK108,
                     fmt::format("\"{}\" is not a dtype", words[i]),
                     "dtypes: f16 bf16 f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 "
                     "bool c64");
        }
        own[i][name] = *dtype;
      }
    }
    std::vector<std::map<std::string, DType>> combined;
    for (const auto& before : task.types) {
      for (const auto& column : own) {
        combined.push_back(before);
        combined.back().insert(column.begin(), column.end());
      }
    }
    task.types = std::move(combined);
  }
}

std::string ReadDType(const TomlReader& table, const Task& task,
                      std::string_view key) {
  std::string word = table.String(key);
  if (task.types.front().contains(word) || ParseDType(word)) return word;
  table.Fail(code::kK108,
             fmt::format("'{}' is \"{}\", which is neither a dtype nor a name "
                         "of [[types]]",
                         key, word));
}

InputSpec ReadInput(TomlReader& table, const Task& task,
                    std::set<std::string>& taken) {
  InputSpec input;
  input.name = ReadName(table, taken);
  table.RequireKeys({"name", "description", "dtype", "shape", "list",
                     "optional", "host_read", "values"});
  input.line = table.line();
  input.description = table.String("description");
  input.dtype = ReadDType(table, task, "dtype");
  input.list = table.Bool("list", false);
  input.optional = table.Bool("optional", false);
  input.host_read = table.Bool("host_read", false);
  input.shape = table.ReadExpression("shape");
  if (input.shape.empty()) table.String("shape");
  if (const toml::node* values = table.Find("values")) {
    input.values = ReadValues(table, *values);
  }
  RequireCopySource(table, task, input.values);
  return input;
}

OutputSpec ReadOutput(TomlReader& table, const Task& task,
                      std::set<std::string>& taken) {
  OutputSpec output;
  output.name = ReadName(table, taken);
  table.RequireKeys({"name", "description", "dtype", "shape", "list",
                     "in_place", "when", "precision", "scale"});
  output.line = table.line();
  output.description = table.String("description");
  output.dtype = ReadDType(table, task, "dtype");
  output.list = table.Bool("list", false);
  if (table.String("shape", "") != "?") {
    output.shape = table.ReadExpression("shape");
    if (output.shape.empty()) table.String("shape");
  }
  output.in_place = table.String("in_place", "");
  if (!output.in_place.empty()) {
    const InputSpec* input = FindInput(task, output.in_place);
    if (input == nullptr) {
      table.Fail(code::kK107, fmt::format("in_place names '{}', which is no "
                                          "input",
                                          output.in_place));
    }
    if (input->dtype != output.dtype || input->list != output.list) {
      table.Fail(code::kK108,
                 fmt::format("in_place needs the dtype and kind of input '{}'",
                             output.in_place));
    }
  }
  output.when = table.ReadExpression("when");
  output.scale = table.Bool("scale", false);
  bool integers = true;
  for (const auto& column : task.types) {
    const auto found = column.find(output.dtype);
    const DType dtype =
        found == column.end() ? *ParseDType(output.dtype) : found->second;
    integers &= !IsFloating(dtype) && dtype != DType::kComplex64;
  }
  output.precision = ReadEnum(
      table, "precision", table.String("precision", integers ? "exact" : "ulp"),
      Precision::kChecked);
  return output;
}

AttributeSpec ReadAttribute(TomlReader& table, const Task& task,
                            std::set<std::string>& taken) {
  AttributeSpec attribute;
  attribute.name = ReadName(table, taken);
  table.RequireKeys(
      {"name", "description", "type", "default", "value", "scalar"});
  attribute.line = table.line();
  attribute.description = table.String("description");
  attribute.type =
      ReadEnum(table, "type", table.String("type"), AttributeType::kFloatList);
  attribute.value = table.ReadExpression("value");
  if (const toml::node* fallback = table.Find("default")) {
    attribute.fallback = ToValue(*fallback, table.file());
    if (!FitsType(attribute.fallback, attribute.type)) {
      table.FailAt(
          *fallback, code::kK105,
          fmt::format("'default' must be of type {}, got {}",
                      NameOf(attribute.type), attribute.fallback.dump()));
    }
  }
  if (table.Find("scalar") != nullptr) {
    attribute.scalar = ReadDType(table, task, "scalar");
  }
  return attribute;
}

// The text without the line that names the answer: a task is the same task
// whoever has solved it.
std::string WithoutAnswer(const std::string& toml) {
  std::string text;
  bool top = true;
  for (size_t at = 0; at < toml.size();) {
    const size_t end = std::min(toml.find('\n', at), toml.size() - 1) + 1;
    const std::string_view line(toml.data() + at, end - at);
    top &= !line.starts_with("[");
    if (!top || !line.starts_with("answer =")) text += line;
    at = end;
  }
  return text;
}

// "FILE:KERNEL", FILE beside the task or else one of examples/crux; without
// one, answer.crux beside the task.
void ReadAnswer(const TomlReader& root, const TaskText& text, Task& task) {
  const std::filesystem::path folder = text.file.parent_path();
  std::string answer = root.String("answer", text.answer);
  if (answer.empty()) {
    const std::filesystem::path own = folder / "answer.crux";
    if (std::filesystem::exists(own) &&
        !std::filesystem::exists(folder / "members.toml")) {
      task.answer_file = own;
    }
    return;
  }
  const size_t colon = answer.rfind(':');
  if (colon != std::string::npos) {
    task.answer_kernel = answer.substr(colon + 1);
    answer.resize(colon);
  }
  task.answer_file = folder / answer;
  if (std::filesystem::exists(task.answer_file)) return;
  task.answer_file = Resource("examples/crux") / answer;
  if (!std::filesystem::exists(task.answer_file)) {
    root.Fail(code::kK101,
              fmt::format("'answer' names {}, which is neither beside the task "
                          "nor in examples/crux",
                          answer));
  }
}

}  // namespace

Task ReadTask(const TaskText& text) {
  const toml::table parsed = ParseToml(text.toml, text.file);
  const TomlReader root(parsed, text.file, "[task]");
  root.RequireKeys({"level", "source", "summary", "formula", "specification",
                    "tags", "types", "input", "output", "attribute", "cases",
                    "waiver", "answer"});
  Task task;
  task.id = text.id;
  task.file = text.file;
  task.reference_file = text.reference_file;
  task.text = WithoutAnswer(text.toml);
  task.reference = text.reference;
  task.hash = HashOf({task.text, text.reference});
  ReadAnswer(root, text, task);
  task.name = std::filesystem::path(text.id).filename();
  const auto parent = std::filesystem::path(text.id).parent_path();
  task.category = parent.has_parent_path() ? parent.filename() : "";
  task.level = static_cast<int>(root.Int("level"));
  const std::string folder = text.id.substr(0, text.id.find('/'));
  if (task.level < 1 || task.level > 3 ||
      (folder.starts_with("level") &&
       folder != fmt::format("level{}", task.level))) {
    root.FailAt(*root.Find("level"), code::kK105,
                fmt::format("'level' must be 1, 2 or 3 and that of its folder, "
                            "got {} in {}",
                            task.level, text.id));
  }
  task.source = root.String("source");
  task.summary = root.String("summary");
  task.formula = root.String("formula");
  task.specification = root.String("specification");
  task.tags = root.Strings("tags");

  std::set<std::string> taken;
  ReadTypes(root, task, taken);
  for (TomlReader& table : root.Tables("input")) {
    task.inputs.push_back(ReadInput(table, task, taken));
  }
  for (TomlReader& table : root.Tables("attribute")) {
    task.attributes.push_back(ReadAttribute(table, task, taken));
  }
  std::set<std::string> outputs;
  for (TomlReader& table : root.Tables("output")) {
    task.outputs.push_back(ReadOutput(table, task, outputs));
  }
  if (task.outputs.empty()) {
    root.Fail(code::kK104, "there is no [[output]]",
              "an operator that works in place lists what it overwrites as an "
              "output with in_place = \"input\"");
  }
  for (const TomlReader& table : root.Tables("waiver")) {
    table.RequireKeys({"shortcut", "reason"});
    task.waivers.push_back(
        {table.String("shortcut"), table.String("reason"), table.line()});
  }
  ReadCases(root, task);
  return task;
}

}  // namespace belay::bench
