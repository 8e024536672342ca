// SPDX-License-Identifier: Apache-2.0
#include "crux/print/type_families.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace belay::crux::print {
namespace {

constexpr int64_t kBlockBytes = 32;

bool IsInteger(const std::string& text) {
  return text.find_first_not_of("0123456789") == std::string::npos;
}

// What pieces of a function become, by their positions; kCast: what they are,
// cast.
constexpr std::string_view kCast = "static_cast<T>";
using Changes = std::map<size_t, std::string>;

class Comparison {
 public:
  Comparison(const Function& one, const Function& other)
      : one_(one), other_(other) {}

  // Of `one`; nothing: they differ in more.
  std::optional<Changes> Run() {
    const bool named = other_.name.starts_with(one_.name);
    if (!named || one_.pieces.size() != other_.pieces.size()) {
      return std::nullopt;
    }
    for (size_t i = 0; i < one_.pieces.size(); ++i) {
      if (!IsType(i)) continue;
      const auto types = std::pair(one_.pieces[i].text, other_.pieces[i].text);
      if (!types_) types_ = types;
      if (types != *types_) return std::nullopt;
      changes_[i] = "T";
    }
    if (!types_) return std::nullopt;
    for (size_t i = 0; i < one_.pieces.size(); ++i) {
      if (!changes_.contains(i) && !Agree(i)) return std::nullopt;
    }
    return changes_;
  }

 private:
  bool IsType(size_t i) const {
    return SizeOfType(one_.pieces[i].text) > 0 &&
           SizeOfType(other_.pieces[i].text) > 0 &&
           one_.pieces[i].text != other_.pieces[i].text;
  }

  bool Agree(size_t i) {
    const Piece& left = one_.pieces[i];
    const Piece& right = other_.pieces[i];
    if (left.text == right.text) {
      if (left.cast || right.cast) {
        changes_[i] = kCast;
      }
      return true;
    }
    if (left.text == one_.name && right.text == other_.name) return true;
    if (!IsInteger(left.text) || !IsInteger(right.text)) return false;
    const int64_t a = std::strtoll(left.text.c_str(), nullptr, 10);
    const int64_t b = std::strtoll(right.text.c_str(), nullptr, 10);
    for (const int64_t more : {0, 1}) {
      const int64_t bytes = (a - more) * SizeOfType(types_->first);
      if (bytes != (b - more) * SizeOfType(types_->second) ||
          bytes % kBlockBytes != 0) {
        continue;
      }
      changes_[i] = Blocks(bytes / kBlockBytes, more, i);
      return true;
    }
    return false;
  }

  std::string Blocks(int64_t times, int64_t more, size_t i) const {
    std::string text = "kBlock";
    if (times != 1) text += fmt::format(" * {}", times);
    if (more != 0) text += fmt::format(" + {}", more);
    const std::string& before = one_.pieces[i - 1].text;
    const bool wrap = before == "/" || before == "%" ||
                      (more != 0 && (before == "*" || before == "-"));
    return wrap && text != "kBlock" ? "(" + text + ")" : text;
  }

  const Function& one_;
  const Function& other_;
  std::optional<std::pair<std::string, std::string>> types_;
  Changes changes_;
};

// Whether the changes of `one` are changes of `other`, which is like it but for
// what it calls.
bool AreChangesOf(const Changes& changes, const Function& one,
                  const Function& other) {
  return std::all_of(changes.begin(), changes.end(), [&](const auto& change) {
    const Piece& own = other.pieces[change.first];
    return change.second == kCast || own.text == one.pieces[change.first].text;
  });
}

void MakeTemplate(Function& function, const Changes& changes) {
  bool blocks = false;
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    const Piece& piece = function.pieces[change->first];
    const std::string text = change->second == kCast
                                 ? fmt::format("{}({})", kCast, piece.text)
                                 : change->second;
    function.lines[piece.line].text.replace(piece.begin,
                                            piece.end - piece.begin, text);
    blocks = blocks || text.find("kBlock") != std::string::npos;
  }
  if (blocks) {
    function.lines.insert(
        function.lines.begin() + 1,
        {LineKind::kStatement, 2,
         fmt::format("constexpr int64_t kBlock = {} / sizeof(T);",
                     kBlockBytes)});
  }
  function.lines.insert(function.lines.begin(),
                        {LineKind::kDeclaration, 0, "template <typename T>"});
}

}  // namespace

int64_t SizeOfType(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, int64_t>, 6> kSizes = {
      {{"float", 4},
       {"half", 2},
       {"bfloat16_t", 2},
       {"int32_t", 4},
       {"int16_t", 2},
       {"int8_t", 1}}};
  for (const auto& [name, size] : kSizes) {
    if (name == type) return size;
  }
  return 0;
}

bool JoinTypes(
    std::vector<Function>& functions,
    const std::function<bool(const Function&, const Function&)>& alike,
    const std::set<std::string>& members, CallNames& names) {
  std::map<size_t, Changes> templates;
  std::set<size_t> gone;
  for (size_t i = 0; i < functions.size(); ++i) {
    for (size_t j = 0; j < functions.size(); ++j) {
      if (i == j || gone.contains(i) || gone.contains(j) ||
          members.contains(functions[i].name) ||
          members.contains(functions[j].name)) {
        continue;
      }
      const auto changes = Comparison(functions[i], functions[j]).Run();
      if (!changes) continue;
      const auto known = templates.find(i);
      if (known != templates.end() && known->second != *changes) continue;
      templates[i] = *changes;
      gone.insert(j);
      names[functions[j].name] = functions[i].name;
      for (size_t k = 0; k < functions.size(); ++k) {
        if (!gone.contains(k) && !templates.contains(k) &&
            alike(functions[i], functions[k]) &&
            AreChangesOf(*changes, functions[i], functions[k])) {
          templates[k] = *changes;
        }
      }
    }
  }
  if (gone.empty()) return false;
  std::vector<Function> left;
  for (size_t i = 0; i < functions.size(); ++i) {
    if (gone.contains(i)) continue;
    const auto found = templates.find(i);
    if (found != templates.end()) MakeTemplate(functions[i], found->second);
    left.push_back(std::move(functions[i]));
  }
  functions = std::move(left);
  return true;
}

}  // namespace belay::crux::print
