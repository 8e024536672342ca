// SPDX-License-Identifier: Apache-2.0
#include "crux/print/function_families.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "crux/print/names.h"

namespace belay::crux::print {
namespace {

constexpr std::string_view kHead = "__aicore__ inline void ";

// What some instructions are called with behind everything else.
constexpr std::string_view kOrder = ", ReduceOrder::ORDER_ONLY_VALUE";

// Words, numbers with their points, and signs; -kInfinity is a word.
std::vector<std::string> TokensOf(std::string_view text) {
  constexpr std::string_view kLowest = "-kInfinity";
  std::vector<std::string> tokens;
  for (size_t i = 0; i < text.size();) {
    size_t end = i + 1;
    if (text.substr(i).starts_with(kOrder)) {
      i += kOrder.size();
      continue;
    }
    if (text.substr(i).starts_with(kLowest)) {
      end = i + kLowest.size();
    } else if (IsWordPart(text[i])) {
      const bool number = std::isdigit(static_cast<unsigned char>(text[i]));
      while (end < text.size() &&
             (IsWordPart(text[end]) || (number && text[end] == '.'))) {
        ++end;
      }
    }
    if (text[i] != ' ') tokens.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return tokens;
}

struct Function {
  std::vector<Line> lines;  // without the blank one behind it
  std::string name;
  std::vector<std::string> tokens;
};

std::vector<Function> FunctionsOf(const Text& text) {
  std::vector<Function> functions;
  for (const Line& line : text.lines()) {
    if (line.indent == 0 && line.text.starts_with(kHead)) {
      functions.emplace_back();
      const size_t begin = kHead.size();
      functions.back().name =
          line.text.substr(begin, line.text.find('(') - begin);
    }
    if (line.text.empty()) continue;
    functions.back().lines.push_back(line);
    if (line.kind == LineKind::kComment) continue;
    for (std::string& token : TokensOf(line.text)) {
      functions.back().tokens.push_back(std::move(token));
    }
  }
  return functions;
}

// A word of the first member of a family and those of the others at the same
// places: instructions, or numbers.
struct Role {
  bool call = false;
  std::vector<std::string> words;

  // "BlockReduce" of BlockReduceMax and BlockReduceSum.
  std::string Name() const {
    std::string common = words[0];
    for (const std::string& word : words) {
      size_t same = 0;
      while (same < common.size() && same < word.size() &&
             common[same] == word[same]) {
        ++same;
      }
      common.resize(same);
    }
    return common.size() < 4 ? "Do" : common;
  }
};

struct Family {
  std::vector<size_t> members;
  std::vector<std::string> operations;  // what the members' names begin with
  std::string name;                     // and what they end with
  std::vector<Role> roles;
};

// Where the texts of a and b differ; empty: they differ in more than words of
// one meaning each.
std::vector<Role> RolesOf(const Function& a, const Function& b) {
  std::vector<Role> roles;
  if (a.tokens.size() != b.tokens.size()) return {};
  for (size_t i = 0; i < a.tokens.size(); ++i) {
    const std::string& left = a.tokens[i];
    const std::string& right = b.tokens[i];
    if (left == right || (left == a.name && right == b.name)) continue;
    const std::string& next = i + 1 < a.tokens.size() ? a.tokens[i + 1] : left;
    const bool call = next == "(" || next == "<";
    const bool number = std::isdigit(static_cast<unsigned char>(left[0]));
    const bool value =
        (number && left.ends_with('f')) || left.ends_with("kInfinity");
    if (!call && !value) return {};
    const auto known =
        std::find_if(roles.begin(), roles.end(),
                     [&](const Role& role) { return role.words[0] == left; });
    if (known == roles.end()) {
      roles.push_back({call, {left, right}});
    } else if (known->words[1] != right) {
      return {};
    }
  }
  for (size_t i = 0; i < a.tokens.size(); ++i) {
    for (const Role& role : roles) {
      if (a.tokens[i] == role.words[0] && b.tokens[i] != role.words[1]) {
        return {};
      }
    }
  }
  return roles;
}

// "Rows" of MaxRows and SumRows, from a capital on.
std::string CommonEnd(const std::string& a, const std::string& b) {
  size_t same = 0;
  while (same < a.size() && same < b.size() &&
         a[a.size() - 1 - same] == b[b.size() - 1 - same]) {
    ++same;
  }
  std::string end = a.substr(a.size() - same);
  while (!end.empty() && !std::isupper(static_cast<unsigned char>(end[0]))) {
    end.erase(end.begin());
  }
  return end.size() < a.size() && end.size() < b.size() ? end : "";
}

bool Join(Family& family, const std::vector<Function>& functions, size_t one) {
  const Function& first = functions[family.members[0]];
  const std::vector<Role> roles = RolesOf(first, functions[one]);
  const std::string end = CommonEnd(first.name, functions[one].name);
  if (roles.empty() || end.empty()) return false;
  const auto operation = [&](const Function& function) {
    return function.name.substr(0, function.name.size() - end.size());
  };
  if (family.roles.empty()) {
    family.name = end;
    family.operations = {operation(first)};
    family.roles = roles;
  } else {
    const bool alike =
        end == family.name && roles.size() == family.roles.size() &&
        std::equal(roles.begin(), roles.end(), family.roles.begin(),
                   [](const Role& a, const Role& b) {
                     return a.words[0] == b.words[0];
                   });
    if (!alike) return false;
    for (size_t i = 0; i < roles.size(); ++i) {
      family.roles[i].words.push_back(roles[i].words[1]);
    }
  }
  family.operations.push_back(operation(functions[one]));
  family.members.push_back(one);
  return true;
}

std::vector<Family> FamiliesOf(const std::vector<Function>& functions) {
  std::vector<Family> families;
  for (size_t i = 0; i < functions.size(); ++i) {
    const bool joined =
        std::any_of(families.begin(), families.end(),
                    [&](Family& family) { return Join(family, functions, i); });
    if (!joined) families.push_back({{i}, {}, "", {}});
  }
  std::erase_if(families,
                [](const Family& one) { return one.members.size() < 2; });
  return families;
}

std::string Constant(const std::string& operation) {
  return "Op::k" + operation;
}

// Words `from` in front of a bracket become `to`.
void Rename(std::vector<Line>& lines,
            const std::map<std::string, std::string, std::less<>>& names) {
  for (Line& line : lines) {
    if (line.kind == LineKind::kComment) continue;
    for (size_t open = line.text.find('('); open != std::string::npos;
         open = line.text.find('(', open + 1)) {
      size_t begin = open;
      while (begin > 0 && IsWordPart(line.text[begin - 1])) --begin;
      const auto found = names.find(
          std::string_view(line.text).substr(begin, open - begin));
      if (found == names.end()) continue;
      line.text.replace(begin, open - begin, found->second);
      open = begin + found->second.size();
    }
  }
}

void Rename(Text& text,
            const std::map<std::string, std::string, std::less<>>& names) {
  Rename(text.mutable_lines(), names);
}

// "Sub(" and "Sub<float, false>(" call whatever `op` says.
void Generalise(std::vector<Line>& lines, const Role& role,
                const std::string& type) {
  const std::string& word = role.words[0];
  for (Line& line : lines) {
    if (line.kind == LineKind::kComment) continue;
    for (size_t at = line.text.find(word); at != std::string::npos;
         at = line.text.find(word, at + 1)) {
      const size_t end = at + word.size();
      const bool whole = (at == 0 || !IsWordPart(line.text[at - 1])) &&
                         end < line.text.size() && !IsWordPart(line.text[end]);
      if (!whole) continue;
      if (!role.call) {
        line.text.replace(at, word.size(), "kStart");
      } else if (line.text[end] == '(') {
        line.text.replace(at, word.size(),
                          fmt::format("{}<op, {}>", role.Name(), type));
      } else if (line.text[end] == '<') {
        line.text.replace(at, word.size() + 1, role.Name() + "<op, ");
      }
    }
    if (!role.call) continue;
    for (size_t at = line.text.find(kOrder); at != std::string::npos;
         at = line.text.find(kOrder)) {
      line.text.erase(at, kOrder.size());
    }
  }
}

// The type of the first tensor that a function gets.
std::string TypeOf(const Function& function) {
  const auto angle =
      std::find(function.tokens.begin(), function.tokens.end(), "<");
  return angle == function.tokens.end() ? "float" : *(angle + 1);
}

// What every operation calls, by the name of the role.
using Dispatch = std::map<std::string, std::map<std::string, std::string>>;

// False: an operation has two meanings.
bool AddCalls(const Family& family, Dispatch& dispatch) {
  for (const Role& role : family.roles) {
    if (!role.call) continue;
    for (size_t i = 0; i < role.words.size(); ++i) {
      const auto [known, is_new] =
          dispatch[role.Name()].emplace(family.operations[i], role.words[i]);
      if (!is_new && known->second != role.words[i]) return false;
    }
  }
  const auto numbers =
      std::count_if(family.roles.begin(), family.roles.end(),
                    [](const Role& role) { return !role.call; });
  return numbers <= 1;
}

// `constants`: of all families, those that differ in a number only, too.
void PrintDispatch(const Dispatch& dispatch,
                   const std::set<std::string>& constants, Text& text) {
  text.Declaration(
      fmt::format("enum class Op {{ {} }};", fmt::join(constants, ", ")));
  text.Blank();
  for (const auto& [role, calls] : dispatch) {
    const bool masks = role == "Do";
    text.Declaration(
        fmt::format("template <Op op, typename T, {}typename... Args>",
                    masks ? "bool... kSetMask, " : ""));
    text.Declaration(
        fmt::format("__aicore__ inline void {}(const Args&... args) {{", role));
    for (const auto& [operation, call] : calls) {
      text.Statement(
          fmt::format("if constexpr (op == {}) {{", Constant(operation)));
      const bool ordered = call == "WholeReduceMax" || call == "WholeReduceMin";
      text.Statement(fmt::format("{}<T{}>(args...{});", call,
                                 masks ? ", kSetMask..." : "",
                                 ordered ? kOrder : ""));
      text.Close();
    }
    text.Close();
    text.Blank();
  }
}

}  // namespace

void JoinFamilies(Text& functions, std::vector<ClassGroup>& groups) {
  std::vector<Function> all = FunctionsOf(functions);
  Dispatch dispatch;
  std::map<std::string, std::string, std::less<>> names;
  std::set<size_t> gone;
  std::set<std::string> constants;
  for (const Family& family : FamiliesOf(all)) {
    Dispatch more = dispatch;
    if (!AddCalls(family, more)) continue;
    dispatch = std::move(more);
    Function& kept = all[family.members[0]];
    for (size_t i = 0; i < family.members.size(); ++i) {
      constants.insert("k" + family.operations[i]);
      names[all[family.members[i]].name] =
          fmt::format("{}<{}>", family.name, Constant(family.operations[i]));
      if (i > 0) gone.insert(family.members[i]);
    }
    const std::string type = TypeOf(kept);
    for (const Role& role : family.roles) {
      Generalise(kept.lines, role, type);
      if (role.call) continue;
      std::string value = role.words.back();
      for (size_t i = role.words.size() - 1; i-- > 0;) {
        value =
            fmt::format("op == {} ? {} : {}", Constant(family.operations[i]),
                        role.words[i], value);
      }
      kept.lines.insert(kept.lines.begin() + 1,
                        {LineKind::kStatement, 2,
                         fmt::format("constexpr float kStart = {};", value)});
    }
    Rename(kept.lines, {{kept.name, family.name}});
    kept.lines.insert(kept.lines.begin(),
                      {LineKind::kDeclaration, 0, "template <Op op>"});
  }
  if (gone.empty()) return;
  functions = Text();
  PrintDispatch(dispatch, constants, functions);
  for (size_t i = 0; i < all.size(); ++i) {
    if (gone.contains(i)) continue;
    functions.AppendLines(all[i].lines);
    functions.Blank();
  }
  Rename(functions, names);
  for (ClassGroup& group : groups) Rename(group.text, names);
}

}  // namespace belay::crux::print
