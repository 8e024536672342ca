// SPDX-License-Identifier: Apache-2.0
#include "crux/print/free_functions.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "crux/print/function_families.h"
#include "crux/print/names.h"

namespace belay::crux::print {
namespace {

constexpr std::string_view kHead = "__aicore__ inline void ";

// Lines begin … end of a class.
struct FunctionPart {
  size_t begin = 0;
  size_t end = 0;
  std::string name;
  std::string types;  // of its parameters, with its name
  std::string code;   // without comments
};

// As long as visit gives true.
template <typename Visit>
void ForEachWord(std::string_view text, const Visit& visit) {
  size_t at = 0;
  while (at < text.size()) {
    size_t end = at;
    while (end < text.size() && IsWordPart(text[end])) ++end;
    if (end > at && !visit(text.substr(at, end - at))) return;
    at = end + 1;
  }
}

// "void F(const T& a, int64_t b) {" without a and b.
std::string TypesOf(std::string_view head) {
  std::string types;
  std::string word;
  for (const char c : head) {
    if (c == ',' || c == ')') {
      const size_t blank = word.rfind(' ');
      types += word.substr(0, blank) + ",";
      word.clear();
    } else {
      word += c;
    }
  }
  return types;
}

std::vector<FunctionPart> FunctionsOf(const std::vector<Line>& lines) {
  std::vector<FunctionPart> functions;
  for (size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    if (line.kind != LineKind::kDeclaration || line.indent != 2 ||
        !line.text.starts_with(kHead) || !line.text.ends_with('{')) {
      continue;
    }
    FunctionPart function;
    function.begin = i;
    const size_t name = kHead.size();
    function.name = line.text.substr(name, line.text.find('(') - name);
    function.types = TypesOf(line.text);
    while (lines[i].indent != 2 || lines[i].text != "}") {
      if (lines[i].kind != LineKind::kComment) {
        function.code += lines[i].text + "\n";
      }
      ++i;
    }
    function.end = i + 1;
    functions.push_back(std::move(function));
  }
  return functions;
}

}  // namespace

Text TakeFreeFunctions(const typed::Kernel& kernel,
                       std::vector<ClassGroup>& groups) {
  std::vector<std::vector<FunctionPart>> all;
  std::map<std::string, std::set<std::string>> codes;  // by types
  std::set<std::string> bound;                         // types that stay
  // Types of functions, and of those of their class that they call.
  std::vector<std::pair<std::string, std::string>> calls;
  for (const ClassGroup& group : groups) {
    all.push_back(FunctionsOf(group.text.lines()));
    std::map<std::string, std::string, std::less<>> functions;  // their types
    for (const FunctionPart& function : all.back()) {
      functions[function.name] = function.types;
    }
    std::set<std::string, std::less<>> own(group.flags.begin(),
                                           group.flags.end());
    for (const size_t variable : group.parameters) {
      own.insert(LegalName(kernel.dtypes[variable]->name));
    }
    for (const FunctionPart& function : all.back()) {
      codes[function.types].insert(function.code);
      bool stays = function.name == "Init" || function.name == "Process" ||
                   codes[function.types].size() > 1;
      ForEachWord(function.code, [&](std::string_view word) {
        const bool member = (word.ends_with('_') && !word.starts_with("__")) ||
                            word.starts_with("kSize") ||
                            word.starts_with("kBlock") ||
                            word.starts_with("kIs");
        stays |= member || own.contains(word);
        const auto called = functions.find(word);
        if (called != functions.end()) {
          calls.emplace_back(function.types, called->second);
        }
        return !stays;
      });
      if (stays) bound.insert(function.types);
    }
  }
  for (size_t before = 0; before != bound.size();) {
    before = bound.size();
    for (const auto& [caller, called] : calls) {
      if (bound.contains(called)) bound.insert(caller);
    }
  }
  Text free;
  std::set<std::string> taken;
  for (size_t g = 0; g < groups.size(); ++g) {
    std::vector<Line> lines = std::move(groups[g].text.mutable_lines());
    std::vector<Line> left;
    size_t at = 0;
    const auto keep = [&](size_t end) {
      std::move(lines.begin() + static_cast<ptrdiff_t>(at),
                lines.begin() + static_cast<ptrdiff_t>(end),
                std::back_inserter(left));
    };
    for (const FunctionPart& function : all[g]) {
      if (bound.contains(function.types)) continue;
      const auto begin = lines.begin() + static_cast<ptrdiff_t>(function.begin);
      const auto end = lines.begin() + static_cast<ptrdiff_t>(function.end);
      keep(function.begin);
      at = function.end;
      if (at < lines.size() && lines[at].text.empty()) ++at;
      if (!taken.insert(function.types).second) continue;
      std::vector<Line> moved(begin, end);
      for (Line& line : moved) line.indent -= 2;
      free.AppendLines(moved);
      free.Blank();
    }
    keep(lines.size());
    groups[g].text.mutable_lines() = std::move(left);
  }
  JoinFamilies(free, groups);
  return free;
}

}  // namespace belay::crux::print
