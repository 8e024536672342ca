// SPDX-License-Identifier: Apache-2.0
#include "bench/family.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "bench/toml_reader.h"

namespace belay::bench {
namespace {

namespace fs = std::filesystem;

using Replacements = std::map<std::string, std::string>;

std::string TextOf(const Value& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

Replacements ReadReplacements(const toml::table& table, const fs::path& file) {
  Replacements replacements;
  for (const auto& [key, node] : table) {
    replacements[std::string(key.str())] = TextOf(ToValue(node, file));
  }
  return replacements;
}

// A template and what it was filled with so far.
class Filler {
 public:
  Filler(const Replacements& values, std::set<std::string>& used)
      : values_(values), used_(used) {}

  // `file` is where the template stands, for messages.
  std::string Fill(std::string_view text, const fs::path& file,
                   int depth = 0) const {
    std::string filled;
    size_t at = 0;
    while (true) {
      const size_t mark = text.find("${", at);
      if (mark == std::string_view::npos) break;
      filled += text.substr(at, mark - at);
      const size_t end = text.find('}', mark);
      if (end == std::string_view::npos) {
        Fail(text, mark, file, "'${' has no closing '}'");
      }
      const std::string key(text.substr(mark + 2, end - mark - 2));
      const auto found = values_.find(key);
      if (found == values_.end()) {
        Fail(text, mark, file,
             fmt::format("'${{{}}}' has no value: neither the member nor "
                         "[defaults] gives one",
                         key));
      }
      used_.insert(key);
      if (depth > 4) {
        Fail(text, mark, file,
             fmt::format("'${{{}}}' is replaced by itself", key));
      }
      filled += Fill(found->second, file, depth + 1);
      at = end + 1;
    }
    filled += text.substr(at);
    return filled;
  }

 private:
  [[noreturn]] void Fail(std::string_view text, size_t at, const fs::path& file,
                         std::string_view what) const {
    const auto line = std::count(text.begin(), text.begin() + at, '\n') + 1;
    throw TaskError(code::kK116, file, static_cast<int>(line),
                    fmt::format("[family] {}: {}", values_.at("name"), what));
  }

  const Replacements& values_;
  std::set<std::string>& used_;
};

}  // namespace

std::vector<TaskText> ExpandFamily(const fs::path& folder,
                                   const fs::path& parent) {
  const fs::path members_file = folder / "members.toml";
  const fs::path task_file = folder / "task.toml";
  const fs::path reference_file = folder / "reference.py";
  const std::string task_template = ReadText(task_file);
  const std::string reference_template = ReadText(reference_file);
  const toml::table parsed = ParseToml(ReadText(members_file), members_file);
  const TomlReader root(parsed, members_file, "[family]");
  root.RequireKeys({"defaults", "member"});

  Replacements defaults;
  if (const toml::node* node = root.Find("defaults")) {
    if (!node->is_table()) {
      root.FailAt(*node, code::kK105, "'defaults' must be a table");
    }
    defaults = ReadReplacements(*node->as_table(), members_file);
  }
  std::vector<TaskText> texts;
  for (const TomlReader& member : root.Tables("member")) {
    Replacements values = ReadReplacements(member.table(), members_file);
    const std::string name = member.String("name");
    std::set<std::string> used = {"name", "answer"};
    values.insert(defaults.begin(), defaults.end());
    const Filler filler(values, used);
    TaskText text;
    text.id = (parent / name).string();
    text.file = task_file;
    text.reference_file = reference_file;
    text.answer = member.String("answer", "");
    text.toml = filler.Fill(task_template, task_file);
    text.reference = filler.Fill(reference_template, reference_file);
    for (const auto& [key, node] : member.table()) {
      if (used.contains(std::string(key.str()))) continue;
      member.Fail(code::kK116, fmt::format("{} gives '{}', which the templates "
                                           "do not use",
                                           name, key.str()));
    }
    texts.push_back(std::move(text));
  }
  if (texts.empty()) {
    root.Fail(code::kK104, "there is no [[member]]");
  }
  return texts;
}

}  // namespace belay::bench
