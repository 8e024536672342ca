// SPDX-License-Identifier: Apache-2.0
#include "crux/print/class_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "crux/print/host_text.h"
#include "crux/print/names.h"
#include "crux/print/scalar_text.h"

namespace belay::crux::print {

VariantFacts FactsOf(const typed::Kernel& kernel,
                     const CompiledVariant& variant) {
  VariantFacts facts;
  facts.dtypes = variant.dtypes;
  const NamedLines lines(kernel);
  HostText host(kernel, variant.dtypes, &lines);
  for (const auto& [condition, holds] : variant.conditions) {
    facts.answers.emplace_back(host.Of(*condition), holds);
  }
  return facts;
}

std::string ClassWords::IsDtype(size_t variable, DType dtype) const {
  std::string type = TypeName(dtype);
  if (type.ends_with("_t")) type.resize(type.size() - 2);
  return Suffixed(("kIs" + CamelCase(type)).c_str(), variable);
}

std::string ClassWords::Answer(const std::string& condition) const {
  auto found = std::find(answers_.begin(), answers_.end(), condition);
  if (found == answers_.end()) {
    answers_.push_back(condition);
    found = answers_.end() - 1;
  }
  const bool name = std::all_of(condition.begin(), condition.end(), IsWordPart);
  if (name) return "k" + CamelCase(condition);
  return fmt::format("kCase{}", found - answers_.begin() + 1);
}

std::string ClassWords::Suffixed(const char* name, size_t variable) const {
  if (kernel_.dtypes.size() == 1) return name;
  return name + CamelCase(kernel_.dtypes[variable]->name);
}

std::string ClassWords::SizeOf(size_t variable) const {
  return Suffixed("kSize", variable);
}

std::string ClassWords::BlockOf(size_t variable) const {
  return Suffixed("kBlock", variable);
}

std::string ClassWords::WordOf(size_t variable) const {
  return Suffixed("Word", variable);
}

void ClassWords::Constants(const VariantSpace& space, Text& text) const {
  for (const size_t variable : space.used_sizes()) {
    text.Declaration(fmt::format("static constexpr int64_t {} = sizeof({});",
                                 SizeOf(variable),
                                 space.VariableName(variable)));
  }
  for (const size_t variable : space.used_blocks()) {
    text.Declaration(
        fmt::format("static constexpr int64_t {} = 32 / sizeof({});",
                    BlockOf(variable), space.VariableName(variable)));
  }
  for (const size_t variable : space.used_words()) {
    text.Declaration(fmt::format(
        "using {} = std::conditional_t<sizeof({}) == 2, uint16_t, uint32_t>;",
        WordOf(variable), space.VariableName(variable)));
  }
  // A variable of a pair may be allowed the same dtype more than once.
  std::set<std::string> declared;
  for (size_t v = 0; v < kernel_.dtypes.size(); ++v) {
    for (const DType dtype : kernel_.dtypes[v]->allowed) {
      const std::string name = IsDtype(v, dtype);
      if (!space.used_dtypes().contains(name) ||
          !declared.insert(name).second) {
        continue;
      }
      text.Declaration(
          fmt::format("static constexpr bool {} = IsSameType<{}, {}>::value;",
                      name, space.VariableName(v), TypeName(dtype)));
    }
  }
  const bool none = space.used_sizes().empty() && space.used_blocks().empty() &&
                    space.used_words().empty() && declared.empty();
  if (!none) text.Blank();
}

}  // namespace belay::crux::print
