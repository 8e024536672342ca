// SPDX-License-Identifier: Apache-2.0
#include "bench/mutate.h"

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <sstream>

#include "bench/mutate_cases.h"
#include "bench/random.h"
#include "bench/suite.h"
#include "bench/toml_reader.h"
#include "bench/word.h"

namespace belay::bench {
namespace {

namespace fs = std::filesystem;

using Names = std::map<std::string, std::string>;

// "in_kf", "arg_qt", "out_zb": new words that no text has already.
class NameMaker {
 public:
  NameMaker(const Task& task, uint64_t seed)
      : taken_(task.text + task.reference), random_(seed) {}

  std::string Make(const std::string& role) {
    for (;;) {
      std::string name = role + "_";
      for (int i = 0; i < 2; ++i) {
        name += static_cast<char>('a' + random_.Integer(0, 25));
      }
      if (taken_.find(name) != std::string::npos) continue;
      taken_ += " " + name;
      return name;
    }
  }

 private:
  std::string taken_;
  Random random_;
};

Names ChooseNames(const Task& task, uint64_t seed) {
  NameMaker maker(task, seed);
  Names names;
  for (const InputSpec& input : task.inputs) {
    names[input.name] = maker.Make("in");
  }
  for (const AttributeSpec& attribute : task.attributes) {
    names[attribute.name] = maker.Make("arg");
  }
  for (const OutputSpec& output : task.outputs) {
    if (names.contains(output.name)) {
      // What check() calls an output that bears the name of an input.
      names[output.name + "_out"] = names[output.name] + "_out";
    } else {
      names[output.name] = maker.Make("out");
    }
  }
  return names;
}

void RenameText(toml::table& table, std::string_view key, const Names& names,
                bool is_code) {
  if (toml::value<std::string>* text = table[key].as_string()) {
    *text = RenameWords(text->get(), names, is_code);
  }
}

// The expressions inside a `values` table; kinds stay.
void RenameValues(toml::node* values, const Names& names) {
  if (values == nullptr || !values->is_table()) return;
  for (const char* key : {"low", "high", "total", "of"}) {
    RenameText(*values->as_table(), key, names, true);
  }
}

void ForEachTable(toml::table& root, std::string_view key, const auto& use) {
  toml::array* tables = root[key].as_array();
  if (tables == nullptr) return;
  for (toml::node& node : *tables) {
    if (node.is_table()) use(*node.as_table());
  }
}

std::unique_ptr<toml::node> ToTomlNode(const Value& value);

toml::table ToTable(const Value& value) {
  toml::table table;
  for (const auto& [name, item] : value.items()) {
    if (item.is_object()) {
      table.insert(name, ToTable(item));
    } else if (item.is_array()) {
      table.insert(name, std::move(*ToTomlNode(item)->as_array()));
    } else if (item.is_boolean()) {
      table.insert(name, item.get<bool>());
    } else if (item.is_number_integer()) {
      table.insert(name, item.get<int64_t>());
    } else if (item.is_number()) {
      table.insert(name, item.get<double>());
    } else {
      table.insert(name, item.get<std::string>());
    }
  }
  table.is_inline(true);
  return table;
}

std::unique_ptr<toml::node> ToTomlNode(const Value& value) {
  auto array = std::make_unique<toml::array>();
  for (const Value& item : value) {
    if (item.is_object()) {
      array->push_back(ToTable(item));
    } else if (item.is_array()) {
      array->push_back(std::move(*ToTomlNode(item)->as_array()));
    } else if (item.is_boolean()) {
      array->push_back(item.get<bool>());
    } else if (item.is_number_integer()) {
      array->push_back(item.get<int64_t>());
    } else if (item.is_number()) {
      array->push_back(item.get<double>());
    } else {
      array->push_back(item.get<std::string>());
    }
  }
  return array;
}

Value RenameKeys(const Value& value, const Names& names) {
  Value renamed = Value::object();
  for (const auto& [name, item] : value.items()) {
    const auto found = names.find(name);
    renamed[found == names.end() ? name : found->second] = item;
  }
  return renamed;
}

void RenameStrings(toml::node* node, const Names& names) {
  if (node == nullptr) return;
  if (toml::array* items = node->as_array()) {
    for (toml::node& item : *items) RenameStrings(&item, names);
  } else if (toml::value<std::string>* text = node->as_string()) {
    *text = RenameWords(text->get(), names, false);
  }
}

void ReplaceAxis(toml::table& table, std::string_view key,
                 const std::vector<Value>& items, const Names& names) {
  if (!table.contains(key)) return;
  Value renamed = Value::array();
  for (const Value& item : items) renamed.push_back(RenameKeys(item, names));
  table.insert_or_assign(key, std::move(*ToTomlNode(renamed)->as_array()));
}

std::string MutateToml(const Task& task, const Names& names,
                       const std::vector<CaseGroup>& groups) {
  toml::table root = ParseToml(task.text, task.file);
  for (const char* key : {"summary", "formula", "specification"}) {
    RenameText(root, key, names, false);
  }
  for (const char* kind : {"input", "attribute", "output"}) {
    ForEachTable(root, kind, [&](toml::table& table) {
      for (const char* key : {"name", "description", "in_place"}) {
        RenameText(table, key, names, false);
      }
      for (const char* key : {"shape", "value", "when"}) {
        RenameText(table, key, names, true);
      }
      RenameValues(table.get("values"), names);
    });
  }
  size_t place = 0;
  ForEachTable(root, "cases", [&](toml::table& table) {
    const CaseGroup& group = groups.at(place++);
    ReplaceAxis(table, "sizes", group.sizes, {});
    ReplaceAxis(table, "attributes", group.attributes, names);
    RenameStrings(table.get("absent"), names);
    if (toml::table* values = table["values"].as_table()) {
      toml::table renamed;
      renamed.is_inline(true);
      for (auto&& [name, value] : *values) {
        RenameValues(&value, names);
        const auto found = names.find(std::string(name.str()));
        renamed.insert(
            found == names.end() ? std::string(name.str()) : found->second,
            value);
      }
      table.insert_or_assign("values", std::move(renamed));
    }
  });
  ForEachTable(root, "waiver", [&](toml::table& table) {
    RenameText(table, "shortcut", names, false);
  });
  std::ostringstream text;
  text << root << "\n";
  return text.str();
}

// Only the functions the format knows take the signature's names.
std::string MutateReference(const std::string& text, const Names& names) {
  std::string result;
  std::string block;
  bool renames = false;
  const auto flush = [&] {
    result += renames ? RenameWords(block, names, true) : block;
    block.clear();
  };
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("def ")) {
      flush();
      renames = false;
      for (const char* name :
           {"reference", "eager", "prepare", "scale", "check"}) {
        renames |= line.starts_with(std::string("def ") + name + "(");
      }
    }
    block += line + "\n";
  }
  flush();
  return result;
}

}  // namespace

std::string RenameWords(const std::string& text, const Names& renamed,
                        bool is_code) {
  std::string result;
  int depth = 0;
  char quote = 0;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (is_code) {
      if (quote != 0) {
        if (c == quote) quote = 0;
        result += c;
        ++at;
        continue;
      }
      if (c == '"' || c == '\'') quote = c;
      if (c == '(' || c == '[') ++depth;
      if (c == ')' || c == ']') --depth;
    }
    if (!InWord(c)) {
      result += c;
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() && InWord(text[end])) ++end;
    const std::string word = text.substr(at, end - at);
    const bool member = is_code && at > 0 && text[at - 1] == '.';
    size_t next = end;
    while (next < text.size() && text[next] == ' ') ++next;
    const bool keyword = is_code && depth > 0 && next < text.size() &&
                         text[next] == '=' && text.substr(next, 2) != "==";
    const auto found = renamed.find(word);
    result +=
        found == renamed.end() || member || keyword ? word : found->second;
    at = end;
  }
  return result;
}

Variant MutateTask(const Task& task, uint64_t seed) {
  Variant variant;
  variant.renamed = ChooseNames(task, seed);
  std::vector<CaseGroup> groups = task.groups;
  for (const bool changed : MutateCases(task, seed, groups)) {
    ++(changed ? variant.changed_groups : variant.kept_groups);
  }
  variant.toml = MutateToml(task, variant.renamed, groups);
  variant.reference = MutateReference(task.reference, variant.renamed);
  return variant;
}

void WriteVariant(const Variant& variant, const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_empty(folder, error)) {
    throw TaskError(code::kK128, folder, 0,
                    fmt::format("[tasks mutate] {} is not an empty folder",
                                folder.string()),
                    "name a new folder with --output");
  }
  fs::create_directories(folder, error);
  for (const auto& [name, text] :
       {std::pair{"task.toml", variant.toml},
        std::pair{"reference.py", variant.reference}}) {
    std::ofstream file(folder / name, std::ios::binary);
    file << text;
    file.close();
    if (!file) {
      throw TaskError(code::kK128, folder / name, 0,
                      fmt::format("[tasks mutate] {} cannot be written",
                                  (folder / name).string()));
    }
  }
  LoadTask(folder);
}

}  // namespace belay::bench
