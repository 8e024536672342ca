// SPDX-License-Identifier: Apache-2.0
#include "operations_page.h"

#include <fmt/format.h>

#include "crux/operations.h"

namespace belay::testing {
namespace {

using crux::ArgRole;
using crux::OpInfo;
using crux::OpParameter;

constexpr char kIntroduction[] =
    R"(# Crux: the operations

Made from src/crux/operations.def by `BELAY_UPDATE=1 ctest -R OperationsPage`;
do not edit by hand.

Arguments after `*` are given by keyword; `?` marks one that may be left out. A
tile may also be a number of the host (a literal, an attribute, a size), which
takes the dtype of the tiles; at least one argument gives the dtype. Operations
marked ● also work on numbers of the host and then give one.
)";

// As a program writes it: "a + b", "t.to(dtype, *, round?)".
std::string Usage(const OpInfo& info) {
  if (info.is_operator()) {
    if (info.parameters.size() == 1) return fmt::format("{}t", info.spelling);
    return fmt::format("a{}b", info.spelling);
  }
  std::string text;
  bool keywords = false;
  for (const OpParameter& parameter : info.parameters) {
    if (info.is_method() && &parameter == &info.parameters.front()) continue;
    if (!text.empty()) text += ", ";
    if (parameter.keyword && !keywords) text += "*, ";
    keywords |= parameter.keyword;
    text += parameter.name;
    if (parameter.keyword) text += "=";
    if (parameter.optional) text += "?";
  }
  return fmt::format("{}{}({})", info.is_method() ? "t" : "", info.spelling,
                     text);
}

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace

std::string RenderOperationsPage() {
  std::string page = kIntroduction;
  bool first = true;
  crux::OpFamily family{};
  for (const OpInfo& info : crux::AllOperations()) {
    if (first || info.family != family) {
      page += fmt::format(
          "\n## {}\n\n| operation | host | dtypes | result | meaning |\n"
          "|---|---|---|---|---|\n",
          NameOf(info.family));
    }
    first = false;
    family = info.family;
    page += fmt::format("| `{}` | {} | {} | {} | {} |\n", Escaped(Usage(info)),
                        info.hosted ? "●" : "", NameOf(info.dtypes),
                        Escaped(NameOf(info.result)), Escaped(info.text));
  }
  page += "\n## What an argument is\n\n| word | what it takes |\n|---|---|\n";
  for (int role = 0; role <= static_cast<int>(ArgRole::kChoices); ++role) {
    const ArgRole one = static_cast<ArgRole>(role);
    std::string names;
    for (const OpInfo& info : crux::AllOperations()) {
      for (const OpParameter& parameter : info.parameters) {
        const std::string name = fmt::format("`{}`", parameter.name);
        if (parameter.role == one && names.find(name) == std::string::npos) {
          names += (names.empty() ? "" : ", ") + name;
        }
      }
    }
    page += fmt::format("| {} | {} |\n", names, NameOf(one));
  }
  return page;
}

}  // namespace belay::testing
