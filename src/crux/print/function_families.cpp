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

#include "crux/print/function_list.h"
#include "crux/print/names.h"
#include "crux/print/type_families.h"

namespace belay::crux::print {
namespace {

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
  const size_t count = a.pieces.size();
  if (count != b.pieces.size()) return {};
  for (size_t i = 0; i < count; ++i) {
    const std::string& left = a.pieces[i].text;
    const std::string& right = b.pieces[i].text;
    if (a.pieces[i].cast != b.pieces[i].cast) return {};
    if (left == right || (left == a.name && right == b.name)) continue;
    const std::string& next = i + 1 < count ? a.pieces[i + 1].text : left;
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
  for (size_t i = 0; i < count; ++i) {
    for (const Role& role : roles) {
      if (a.pieces[i].text == role.words[0] &&
          b.pieces[i].text != role.words[1]) {
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

bool AreOfOneFamily(const Function& a, const Function& b) {
  return !RolesOf(a, b).empty() && !CommonEnd(a.name, b.name).empty();
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
      std::find_if(function.pieces.begin(), function.pieces.end(),
                   [](const Piece& piece) { return piece.text == "<"; });
  return angle == function.pieces.end() ? "float" : (angle + 1)->text;
}

void Generalise(const Family& family, Function& kept) {
  const std::string type = TypeOf(kept);
  for (const Role& role : family.roles) {
    Generalise(kept.lines, role, type);
    if (role.call) continue;
    std::string value = role.words.back();
    for (size_t i = role.words.size() - 1; i-- > 0;) {
      value = fmt::format("op == {} ? {} : {}", Constant(family.operations[i]),
                          role.words[i], value);
    }
    kept.lines.insert(
        kept.lines.begin() + static_cast<ptrdiff_t>(kept.head) + 1,
        {LineKind::kStatement, 2,
         fmt::format("constexpr float kStart = {};", value)});
  }
  RenameCalls(kept.lines, {{kept.name, family.name}});
  if (kept.head > 0) {
    kept.lines[0].text = "template <Op op, typename T>";
  } else {
    kept.lines.insert(kept.lines.begin(),
                      {LineKind::kDeclaration, 0, "template <Op op>"});
  }
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

// "WholeReduceMax<T>(a, b, ReduceOrder::ORDER_ONLY_VALUE);"
std::string CallOf(const std::string& name, std::string_view types,
                   std::string_view arguments) {
  const bool ordered = name == "WholeReduceMax" || name == "WholeReduceMin";
  return fmt::format("{}<{}>({}{});", name, types, arguments,
                     ordered ? kOrder : "");
}

// The function that does what `op` says.
Text RoleText(const std::string& role,
              const std::map<std::string, std::string>& calls) {
  const bool masks = role == "Do";
  Text text;
  text.Declaration(
      fmt::format("template <Op op, typename T, {}typename... Args>",
                  masks ? "bool... kSetMask, " : ""));
  text.Declaration(
      fmt::format("__aicore__ inline void {}(const Args&... args) {{", role));
  for (const auto& [operation, call] : calls) {
    text.Statement(
        fmt::format("if constexpr (op == {}) {{", Constant(operation)));
    text.Statement(CallOf(call, masks ? "T, kSetMask..." : "T", "args..."));
    text.Close();
  }
  text.Close();
  return text;
}

// `constants`: of all families, those that differ in a number only, too.
void PrintDispatch(const Dispatch& dispatch,
                   const std::set<std::string>& constants, Text& text) {
  text.Declaration(
      fmt::format("enum class Op {{ {} }};", fmt::join(constants, ", ")));
  text.Blank();
  for (const auto& [role, calls] : dispatch) {
    text.Append(RoleText(role, calls));
    text.Blank();
  }
}

// "Role<op, T>(a, b);" as what it does.
std::vector<Line> InPlace(const Line& line,
                          const std::map<std::string, std::string>& calls) {
  const size_t type = line.text.find("<op, ") + 5;
  const size_t open = line.text.find(">(", type);
  const std::string_view text = line.text;
  Text place;
  size_t left = calls.size();
  for (const auto& [operation, call] : calls) {
    const bool first = left == calls.size();
    const bool last = --left == 0;
    const std::string head =
        last ? "} else {"
             : fmt::format("{}if constexpr (op == {}) {{",
                           first ? "" : "} else ", Constant(operation));
    if (first) place.Statement(head);
    if (!first) place.Reopen(head);
    place.Statement(
        CallOf(call, text.substr(type, open - type),
               text.substr(open + 2, text.size() - 2 - (open + 2))));
  }
  place.Close();
  std::vector<Line> lines = place.lines();
  for (Line& one : lines) one.indent += line.indent;
  return lines;
}

// What only one line calls is written there if that takes fewer lines.
void PutInPlace(std::vector<Function>& functions, Dispatch& dispatch) {
  std::erase_if(dispatch, [&](const auto& one) {
    const auto& [role, calls] = one;
    if (role == "Do" || calls.size() < 2) return false;
    Function* caller = nullptr;
    size_t at = 0;
    size_t found = 0;
    for (Function& function : functions) {
      for (size_t i = 0; i < function.lines.size(); ++i) {
        if (!function.lines[i].text.starts_with(role + "<op, ")) continue;
        ++found;
        caller = &function;
        at = i;
      }
    }
    if (found != 1) return false;
    std::vector<Line>& lines = caller->lines;
    const std::vector<Line> place = InPlace(lines[at], calls);
    if (LaidLines(place) >=
        LaidLines({lines[at]}) + LaidLines(RoleText(role, calls).lines())) {
      return false;
    }
    lines.erase(lines.begin() + static_cast<ptrdiff_t>(at));
    lines.insert(lines.begin() + static_cast<ptrdiff_t>(at), place.begin(),
                 place.end());
    return true;
  });
}

// Names that functions with other parameters have, too: to rename calls of one
// would rename those of the others.
std::set<std::string> SharedNames(const std::vector<Function>& functions,
                                  const std::vector<ClassGroup>& groups) {
  std::set<std::string> once;
  std::set<std::string> shared;
  for (const Function& function : functions) {
    if (!once.insert(function.name).second) shared.insert(function.name);
  }
  for (const ClassGroup& group : groups) {
    for (const Line& line : group.text.lines()) {
      if (line.kind != LineKind::kDeclaration) continue;
      const size_t end = line.text.find('(');
      if (end == std::string::npos) continue;
      const size_t begin = line.text.rfind(' ', end) + 1;
      const std::string name = line.text.substr(begin, end - begin);
      if (once.contains(name)) shared.insert(name);
    }
  }
  return shared;
}

// Names of functions that stayed in their classes.
std::set<std::string> MembersOf(const std::vector<ClassGroup>& groups) {
  constexpr std::string_view kHead = "__aicore__ inline void ";
  std::set<std::string> members;
  for (const ClassGroup& group : groups) {
    for (const Line& line : group.text.lines()) {
      if (line.kind != LineKind::kDeclaration ||
          !line.text.starts_with(kHead)) {
        continue;
      }
      const size_t end = line.text.find('(');
      members.insert(line.text.substr(kHead.size(), end - kHead.size()));
    }
  }
  return members;
}

}  // namespace

void JoinFamilies(Text& functions, std::vector<ClassGroup>& groups) {
  CallNames names;
  std::vector<Function> all = FunctionsOf(functions);
  const bool types = JoinTypes(all, AreOfOneFamily, MembersOf(groups), names);
  if (types) all = FunctionsOf(print::TextOf(all));
  Dispatch dispatch;
  std::set<size_t> gone;
  std::set<std::string> constants;
  CallNames operations;
  const std::set<std::string> shared = SharedNames(all, groups);
  for (const Family& family : FamiliesOf(all)) {
    const auto is_shared = [&](size_t member) {
      return shared.contains(all[member].name);
    };
    if (std::ranges::any_of(family.members, is_shared)) continue;
    Dispatch more = dispatch;
    if (!AddCalls(family, more)) continue;
    dispatch = std::move(more);
    Function& kept = all[family.members[0]];
    for (size_t i = 0; i < family.members.size(); ++i) {
      constants.insert("k" + family.operations[i]);
      operations[all[family.members[i]].name] =
          fmt::format("{}<{}>", family.name, Constant(family.operations[i]));
      if (i > 0) gone.insert(family.members[i]);
    }
    Generalise(family, kept);
  }
  if (gone.empty() && !types) return;
  std::vector<Function> left;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!gone.contains(i)) left.push_back(std::move(all[i]));
  }
  PutInPlace(left, dispatch);
  functions = Text();
  if (!gone.empty()) PrintDispatch(dispatch, constants, functions);
  functions.Append(print::TextOf(left));
  for (const CallNames& change : {names, operations}) {
    RenameCalls(functions.mutable_lines(), change);
    for (ClassGroup& group : groups) {
      RenameCalls(group.text.mutable_lines(), change);
    }
  }
}

}  // namespace belay::crux::print
