// SPDX-License-Identifier: Apache-2.0
#include "crux/print/class_groups.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/error.h"
#include "crux/print/free_functions.h"
#include "crux/print/names.h"
#include "crux/print/scalar_text.h"

namespace belay::crux::print {
namespace {

// Stands for the class's name until the groups are known.
constexpr std::string_view kNameless = "NamelessKernelClass";

bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::vector<std::string> TokensOf(std::string_view text) {
  std::vector<std::string> tokens;
  size_t at = 0;
  while (at < text.size()) {
    size_t end = at + 1;
    if (IsWordCharacter(text[at])) {
      while (end < text.size() && IsWordCharacter(text[end])) ++end;
    }
    tokens.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

struct Instance {
  std::vector<DType> dtypes;
  PrintedClass printed;
};

// The text that all instances are once dtype variables stand for types.
class Merger {
 public:
  Merger(const typed::Kernel& kernel,
         const std::vector<const Instance*>& instances)
      : kernel_(kernel), instances_(instances) {}

  // Nothing if they differ in more than types.
  std::optional<std::vector<Line>> Merge() {
    const std::vector<Line>& first = LinesOf(0);
    for (size_t i = 1; i < instances_.size(); ++i) {
      if (LinesOf(i).size() != first.size() ||
          instances_[i]->printed.tensors != instances_[0]->printed.tensors) {
        return std::nullopt;
      }
    }
    std::vector<Line> merged;
    for (size_t row = 0; row < first.size(); ++row) {
      auto text = MergedLine(row);
      if (!text) return std::nullopt;
      merged.push_back(first[row]);
      merged.back().text = *std::move(text);
    }
    return merged;
  }

  const std::set<size_t>& used() const { return used_; }

 private:
  const std::vector<Line>& LinesOf(size_t instance) const {
    return instances_[instance]->printed.text.lines();
  }

  std::optional<std::string> MergedLine(size_t row) {
    std::vector<std::vector<std::string>> tokens;
    for (size_t i = 0; i < instances_.size(); ++i) {
      tokens.push_back(TokensOf(LinesOf(i)[row].text));
      if (tokens[i].size() != tokens[0].size()) return std::nullopt;
    }
    std::string text;
    for (size_t at = 0; at < tokens[0].size(); ++at) {
      const bool same = std::all_of(
          tokens.begin(), tokens.end(),
          [&](const auto& line) { return line[at] == tokens[0][at]; });
      if (same) {
        text += tokens[0][at];
        continue;
      }
      const auto variable = VariableFor(tokens, at);
      if (!variable) return std::nullopt;
      used_.insert(*variable);
      text += LegalName(kernel_.dtypes[*variable]->name);
    }
    // A member of what depends on a template's parameter.
    constexpr std::string_view kCall = ".ReinterpretCast<";
    for (size_t at = text.find(kCall); at != std::string::npos;
         at = text.find(kCall, at + kCall.size() + 9)) {
      text.insert(at + 1, "template ");
    }
    return text;
  }

  std::optional<size_t> VariableFor(
      const std::vector<std::vector<std::string>>& tokens, size_t at) const {
    for (size_t v = 0; v < kernel_.dtypes.size(); ++v) {
      bool fits = true;
      for (size_t i = 0; i < instances_.size(); ++i) {
        const DType dtype = instances_[i]->dtypes[v];
        fits &= dtype != DType::kBool && tokens[i][at] == TypeName(dtype);
      }
      if (fits) return v;
    }
    return std::nullopt;
  }

  const typed::Kernel& kernel_;
  const std::vector<const Instance*>& instances_;
  std::set<size_t> used_;
};

// "Half", "Float", "Int32".
std::string TypeWord(DType dtype) {
  std::string name = TypeName(dtype);
  if (name.ends_with("_t")) name.resize(name.size() - 2);
  return CamelCase(name);
}

void Rename(std::vector<Line>& lines, const std::string& name) {
  for (Line& line : lines) {
    const size_t at = line.text.find(kNameless);
    if (at != std::string::npos) {
      line.text.replace(at, kNameless.size(), name);
    }
  }
}

// The instances of one key, in groups that merge.
std::vector<ClassGroup> Grouped(const typed::Kernel& kernel,
                                const std::vector<Instance>& instances, int key,
                                const std::string& base) {
  std::vector<std::vector<const Instance*>> groups;
  for (const Instance& instance : instances) {
    bool placed = false;
    for (auto& group : groups) {
      group.push_back(&instance);
      placed = Merger(kernel, group).Merge().has_value();
      if (placed) break;
      group.pop_back();
    }
    if (!placed) groups.push_back({&instance});
  }
  std::vector<ClassGroup> result;
  for (const auto& members : groups) {
    ClassGroup group;
    group.key = key;
    group.printed = members[0]->printed;
    std::vector<Line> lines = members[0]->printed.text.lines();
    if (members.size() > 1) {
      Merger merger(kernel, members);
      lines = *merger.Merge();
      group.parameters.assign(merger.used().begin(), merger.used().end());
    }
    std::string suffix;
    if (groups.size() > 1 && members.size() == 1) {
      for (const DType dtype : members[0]->dtypes) suffix += TypeWord(dtype);
    } else if (groups.size() > 1) {
      suffix = fmt::format("{}", static_cast<char>('A' + result.size()));
      if (result.empty()) suffix.clear();
    }
    group.printed.name = base + suffix;
    Rename(lines, group.printed.name);
    Text text;
    if (!group.parameters.empty()) {
      std::vector<std::string> names;
      for (const size_t variable : group.parameters) {
        names.push_back("typename " + LegalName(kernel.dtypes[variable]->name));
      }
      text.Directive(fmt::format("template <{}>", fmt::join(names, ", ")));
    }
    group.printed.text = text;
    group.printed.text.AppendLines(lines);
    for (const Instance* member : members) {
      group.choices.push_back(member->dtypes);
      group.printed.helpers.insert(member->printed.helpers.begin(),
                                   member->printed.helpers.end());
      group.printed.fields.insert(member->printed.fields.begin(),
                                  member->printed.fields.end());
    }
    result.push_back(std::move(group));
  }
  return result;
}

}  // namespace

KernelClasses PrintClasses(const Compiled& compiled,
                           const std::string& tiling_type) {
  const std::vector<DtypeChoice> choices = ChoicesOf(compiled);
  size_t keys = 0;
  for (const DtypeChoice& choice : choices) {
    keys = std::max(keys, choice.variants.size());
  }
  KernelClasses result;
  for (size_t key = 0; key < keys; ++key) {
    std::vector<Instance> instances;
    for (const DtypeChoice& choice : choices) {
      if (key >= choice.variants.size()) continue;
      instances.push_back(
          {choice.dtypes,
           PrintClass(*choice.variants[key]->code, std::string(kNameless),
                      tiling_type, compiled.source)});
    }
    const std::string base = CamelCase(compiled.kernel->name) + "Kernel" +
                             (keys > 1 ? fmt::format("{}", key + 1) : "");
    for (ClassGroup& group : Grouped(*compiled.kernel, instances,
                                     static_cast<int>(key) + 1, base)) {
      result.helpers.insert(group.printed.helpers.begin(),
                            group.printed.helpers.end());
      result.fields.insert(group.printed.fields.begin(),
                           group.printed.fields.end());
      result.groups.push_back(std::move(group));
    }
  }
  result.functions = TakeFreeFunctions(*compiled.kernel, result.groups);
  return result;
}

std::string InstanceName(const ClassGroup& group,
                         const std::vector<DType>& dtypes) {
  if (group.parameters.empty()) return group.printed.name;
  std::vector<std::string> types;
  for (const size_t variable : group.parameters) {
    types.push_back(TypeName(dtypes[variable]));
  }
  return fmt::format("{}<{}>", group.printed.name, fmt::join(types, ", "));
}

Text HelperDefinitions(const std::set<Helper>& helpers, bool host) {
  Text text;
  for (const Helper helper : helpers) {
    const std::string definition = DefinitionOf(helper, host);
    if (definition.find('\n') == std::string::npos) {
      text.Declaration(definition);
    } else {
      std::vector<std::string> lines;
      size_t at = 0;
      while (at <= definition.size()) {
        const size_t end =
            std::min(definition.find('\n', at), definition.size());
        lines.push_back(definition.substr(at, end - at));
        at = end + 1;
      }
      text.Verbatim(lines);
    }
    text.Blank();
  }
  return text;
}

}  // namespace belay::crux::print
