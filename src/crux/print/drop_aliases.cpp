// SPDX-License-Identifier: Apache-2.0
#include "crux/print/drop_aliases.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crux/print/names.h"
#include "crux/print/project.h"

namespace belay::crux::print {
namespace {

// Calls visit(begin, end) for every word.
template <typename Visit>
void ForEachWord(std::string_view text, const Visit& visit) {
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && IsWordPart(text[end])) ++end;
    if (end > at) visit(at, end);
    at = std::max(end, at + 1);
  }
}

struct Declared {
  std::string name;
  std::string value;   // with its type
  bool fixed = false;  // see IsFixed
};

// Whether a value is the same wherever it is asked for: a buffer, from a place
// on that only the tiling data and constants say.
bool IsFixed(std::string_view value) {
  bool fixed = value.find("Get<") != std::string_view::npos;
  ForEachWord(value, [&](size_t begin, size_t end) {
    const std::string_view word = value.substr(begin, end - begin);
    const bool field =
        begin >= 2 && value.substr(begin - 2, 2) == std::string_view("->");
    const bool type = end < value.size() && value[end] == '>' && begin > 0 &&
                      value[begin - 1] == '<';
    const bool constant = std::isdigit(static_cast<unsigned char>(word[0])) ||
                          (word.size() > 1 && word[0] == 'k' &&
                           std::isupper(static_cast<unsigned char>(word[1])));
    fixed &= field || type || constant || word.ends_with('_') ||
             word == "Get" || word == "template";
  });
  return fixed;
}

// Whether it is a part of another tensor, or one with other elements.
bool IsView(std::string_view value) {
  constexpr std::string_view kOther = "ReinterpretCast<";
  const bool other = value.find(kOther) != std::string_view::npos;
  const auto calls = std::count(value.begin(), value.end(), '(');
  return value.find(" ? ") == std::string_view::npos &&
         (other ? calls == 1 : calls == 0 && value.ends_with("];"));
}

// "LocalTensor<float> e = t_buffer_.Get<float>();".
std::optional<Declared> DeclarationIn(const Line& line) {
  constexpr std::string_view kType = "LocalTensor<";
  if (line.kind != LineKind::kStatement || !line.text.starts_with(kType)) {
    return std::nullopt;
  }
  const size_t blank = line.text.find(' ');
  const size_t sign = line.text.find(" = ");
  if (blank == std::string::npos || sign == std::string::npos ||
      line.text.find(' ', blank + 1) != sign) {
    return std::nullopt;
  }
  const std::string_view value = std::string_view(line.text).substr(sign + 3);
  const bool fixed = IsFixed(value);
  if (!fixed && !IsView(value)) return std::nullopt;
  return Declared{line.text.substr(blank + 1, sign - blank - 1),
                  line.text.substr(0, blank) + std::string(value), fixed};
}

void Rename(std::string& text, const std::string& from, const std::string& to) {
  std::string renamed;
  size_t copied = 0;
  ForEachWord(text, [&](size_t begin, size_t end) {
    if (std::string_view(text).substr(begin, end - begin) != from) return;
    if (begin >= 2 && text.compare(begin - 2, 2, "->") == 0) return;
    renamed.append(text, copied, begin - copied).append(to);
    copied = end;
  });
  if (copied > 0) text = renamed.append(text, copied);
}

// Of lines [begin, end): whether a line gives `name` a value or declares it.
bool IsGiven(const std::vector<Line>& lines, size_t begin, size_t end,
             const std::string& name) {
  for (size_t i = begin; i < end; ++i) {
    const std::string& text = lines[i].text;
    if (lines[i].kind == LineKind::kComment) continue;
    for (size_t at = text.find(name); at != std::string::npos;
         at = text.find(name, at + 1)) {
      const size_t behind = at + name.size();
      if (at > 0 && IsWordPart(text[at - 1])) continue;
      if (behind < text.size() && IsWordPart(text[behind])) continue;
      const bool declares = text.starts_with("LocalTensor<") &&
                            (text.compare(at - 1, 1, " ") == 0) &&
                            (text[behind] == ';' || text[behind] == ',' ||
                             text.compare(behind, 3, " = ") == 0);
      const bool assigns = text.compare(behind, 3, " = ") == 0 ||
                           text.compare(behind, 4, " += ") == 0;
      if (declares || assigns) return true;
    }
  }
  return false;
}

// The end of the block that line `at` is in, before `end`.
size_t ScopeOf(const std::vector<Line>& lines, size_t at, size_t end) {
  size_t scope = at + 1;
  while (scope < end && (lines[scope].indent >= lines[at].indent ||
                         lines[scope].kind == LineKind::kComment)) {
    ++scope;
  }
  return scope;
}

// Lines [begin, end) are the body of a function. Gives its new end.
size_t DropIn(std::vector<Line>& lines, size_t begin, size_t end) {
  struct Known {
    Declared declared;
    int indent = 0;
  };
  std::vector<Known> known;
  for (size_t i = begin; i < end; ++i) {
    if (lines[i].kind != LineKind::kComment) {
      std::erase_if(known, [&](const Known& one) {
        return lines[i].indent < one.indent;
      });
    }
    const std::optional<Declared> found = DeclarationIn(lines[i]);
    if (!found || !found->fixed) continue;
    const size_t scope = ScopeOf(lines, i, end);
    if (IsGiven(lines, i + 1, scope, found->name)) continue;
    const auto same =
        std::find_if(known.begin(), known.end(), [&](const Known& one) {
          return one.declared.value == found->value &&
                 !IsGiven(lines, i + 1, scope, one.declared.name);
        });
    if (same == known.end()) {
      known.push_back({*found, lines[i].indent});
      continue;
    }
    const bool alone =
        lines[i - 1].text.ends_with('{') && lines[i + 1].text.starts_with('}');
    if (alone) continue;
    for (size_t j = i + 1; j < scope; ++j) {
      if (lines[j].kind == LineKind::kComment) continue;
      Rename(lines[j].text, found->name, same->declared.name);
    }
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
    --i;
    --end;
  }
  return end;
}

// How many words `name` there are in lines [begin, end), and in which the last.
std::pair<int, size_t> UsesOf(const std::vector<Line>& lines, size_t begin,
                              size_t end, const std::string& name) {
  std::pair<int, size_t> uses = {0, end};
  for (size_t i = begin; i < end; ++i) {
    if (lines[i].kind == LineKind::kComment) continue;
    const std::string_view text = lines[i].text;
    ForEachWord(text, [&](size_t from, size_t to) {
      if (text.substr(from, to - from) != name) return;
      ++uses.first;
      uses.second = i;
    });
  }
  return uses;
}

// The loop whose variable is `name`, whose body line `at` begins, and that may
// call it `other`.
std::optional<size_t> LoopOver(const std::vector<Line>& lines, size_t at,
                               const std::string& name,
                               const std::string& other) {
  size_t head = at - 1;
  while (lines[head].kind == LineKind::kComment) --head;
  if (!lines[head].text.starts_with("for (int64_t " + name + " =") ||
      UsesOf(lines, head, head + 1, other).first > 0) {
    return std::nullopt;
  }
  return head;
}

// "const int64_t c = position;" goes where the other name takes fewer lines. A
// loop's variable gets the name that its body begins with.
// Lines [begin, end) are the body of a function. Gives its new end.
size_t DropIntegersIn(std::vector<Line>& lines, size_t begin, size_t end) {
  constexpr std::string_view kType = "const int64_t ";
  for (size_t i = begin; i < end; ++i) {
    const std::string& text = lines[i].text;
    const size_t sign = text.find(" = ");
    if (!text.starts_with(kType) || sign == std::string::npos) continue;
    const std::string name = text.substr(kType.size(), sign - kType.size());
    const std::string other = text.substr(sign + 3, text.size() - sign - 4);
    const bool plain = std::all_of(other.begin(), other.end(), IsWordPart) &&
                       !std::isdigit(static_cast<unsigned char>(other[0]));
    const size_t scope = ScopeOf(lines, i, end);
    if (!plain || IsGiven(lines, i + 1, scope, name) ||
        IsGiven(lines, i + 1, scope, other)) {
      continue;
    }
    if (const auto loop = LoopOver(lines, i, other, name)) {
      for (size_t j = *loop; j < scope; ++j) {
        if (lines[j].kind == LineKind::kComment) continue;
        Rename(lines[j].text, other, name);
      }
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
      --end;
      --i;
      continue;
    }
    const auto first = lines.begin() + static_cast<std::ptrdiff_t>(i);
    const auto last = lines.begin() + static_cast<std::ptrdiff_t>(scope);
    std::vector<Line> renamed(first + 1, last);
    for (Line& line : renamed) {
      if (line.kind != LineKind::kComment) Rename(line.text, name, other);
    }
    if (LaidLines(renamed) >= LaidLines({first, last})) continue;
    lines.insert(lines.erase(first, last), renamed.begin(), renamed.end());
    --end;
    --i;
  }
  return end;
}

// Whether lines [begin, end) give a word of the value another value.
bool Changes(const std::vector<Line>& lines, size_t begin, size_t end,
             const std::string& value) {
  bool changes = false;
  ForEachWord(value, [&](size_t from, size_t to) {
    changes |= IsGiven(lines, begin, end, value.substr(from, to - from));
  });
  return changes;
}

// Whether a buffer is called after the tensor: "constant2" in "constants_".
bool NamesBuffer(const std::string& name, std::string_view value) {
  const size_t stem = name.find_last_not_of("0123456789") + 1;
  return stem > 0 && value.starts_with(std::string_view(name).substr(0, stem));
}

// What a tensor is declared with.
std::string ValueOf(const Declared& declared) {
  const size_t type = declared.value.find('>') + 1;
  return declared.value.substr(type, declared.value.size() - type - 1);
}

// The line with the values of tensors that other lines declare; nothing where
// one of these has become too much to be said there.
std::optional<Line> WithValues(Line use, const std::vector<Line>& lines,
                               const std::vector<size_t>& declarations) {
  for (const size_t i : declarations) {
    const std::optional<Declared> declared = DeclarationIn(lines[i]);
    if (!declared) return std::nullopt;
    Rename(use.text, declared->name, ValueOf(*declared));
  }
  return use;
}

// Whether line `to` follows `from` in its block, or in that of an `if` in it.
bool IsReached(const std::vector<Line>& lines, size_t from, size_t to) {
  int indent = lines[to].indent;
  for (size_t i = to; i-- > from && indent > lines[from].indent;) {
    if (lines[i].kind == LineKind::kComment || lines[i].indent >= indent) {
      continue;
    }
    if (!lines[i].text.starts_with("if (")) return false;
    indent = lines[i].indent;
  }
  return indent == lines[from].indent;
}

// What one statement uses, parts of tensors or those that a buffer is called
// after, is said there where that takes lines away. Lines [begin, end) are the
// body of a function. Gives its new end.
size_t InlineIn(std::vector<Line>& lines, size_t begin, size_t end) {
  std::map<size_t, std::vector<size_t>> declared;  // by the line of the use
  for (size_t i = begin; i < end; ++i) {
    const std::optional<Declared> found = DeclarationIn(lines[i]);
    if (!found) continue;
    const std::string value = ValueOf(*found);
    if (found->fixed && !NamesBuffer(found->name, value)) continue;
    const auto [count, at] = UsesOf(lines, i + 1, end, found->name);
    const bool once = count == 1 && IsReached(lines, i, at) &&
                      lines[at].kind == LineKind::kStatement &&
                      lines[at].text.ends_with(';');
    if (!once || (!found->fixed && Changes(lines, i + 1, at, value))) continue;
    declared[at].push_back(i);
  }
  std::vector<size_t> gone;
  for (const auto& [at, all] : declared) {
    std::vector<std::vector<size_t>> choices = {all};
    for (const size_t i : all) choices.push_back({i});
    for (const std::vector<size_t>& some : choices) {
      std::optional<Line> use = WithValues(lines[at], lines, some);
      size_t before = LaidLines({lines[at]});
      for (const size_t i : some) before += LaidLines({lines[i]});
      if (!use || LaidLines({*use}) >= before) continue;
      lines[at] = *std::move(use);
      gone.insert(gone.end(), some.begin(), some.end());
      break;
    }
  }
  std::sort(gone.rbegin(), gone.rend());
  for (const size_t i : gone) {
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return end - gone.size();
}

// The line with `value` for `name`, which it must have as a whole argument.
std::optional<Line> WithArgument(Line use, const std::string& name,
                                 const std::string& value) {
  const auto is_one_of = [](char letter, std::string_view letters) {
    return letters.find(letter) != std::string_view::npos;
  };
  bool whole = false;
  ForEachWord(use.text, [&](size_t begin, size_t end) {
    if (use.text.substr(begin, end - begin) != name) return;
    whole = is_one_of(use.text[begin - 1], "( ") &&
            (use.text[begin - 1] == '(' || use.text[begin - 2] == ',') &&
            is_one_of(use.text[end], ",)");
  });
  if (!whole) return std::nullopt;
  Rename(use.text, name, value);
  return use;
}

// "Min(a, b)".
bool IsCall(std::string_view value) {
  const auto word = std::find_if_not(value.begin(), value.end(), IsWordPart);
  return word != value.begin() && word != value.end() && *word == '(' &&
         std::count(value.begin(), value.end(), '(') == 1 &&
         value.ends_with(')');
}

// "const int64_t n = Min(a, b);" goes where the call behind it is the only one
// that n is handed to, and that takes lines away. Lines [begin, end) are the
// body of a function. Gives its new end.
size_t InlineIntegersIn(std::vector<Line>& lines, size_t begin, size_t end) {
  constexpr std::string_view kType = "const int64_t ";
  for (size_t i = begin; i + 1 < end; ++i) {
    const std::string& text = lines[i].text;
    const size_t sign = text.find(" = ");
    if (!text.starts_with(kType) || sign == std::string::npos) continue;
    const std::string name = text.substr(kType.size(), sign - kType.size());
    const std::string value = text.substr(sign + 3, text.size() - sign - 4);
    const Line& next = lines[i + 1];
    if (!IsCall(value) || next.kind != LineKind::kStatement ||
        next.indent != lines[i].indent || !next.text.ends_with(");") ||
        next.text.starts_with(kType) ||
        UsesOf(lines, i + 1, ScopeOf(lines, i, end), name) !=
            std::pair<int, size_t>(1, i + 1)) {
      continue;
    }
    const std::optional<Line> use = WithArgument(next, name, value);
    if (!use || LaidLines({*use}) > LaidLines({next})) continue;
    lines[i] = *use;
    lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    --end;
  }
  return end;
}

// Lines [begin, end) are the body of a function.
void NameScratchIn(std::vector<Line>& lines, size_t begin, size_t end) {
  const std::string work = "work";
  for (size_t i = begin; i < end; ++i) {
    const std::optional<Declared> declared = DeclarationIn(lines[i]);
    if (!declared || declared->value.find(">work_.Get<") == std::string::npos ||
        !declared->value.ends_with("();") ||
        UsesOf(lines, begin, end, work).first > 0) {
      continue;
    }
    const auto first = lines.begin() + static_cast<std::ptrdiff_t>(i);
    const auto last =
        lines.begin() + static_cast<std::ptrdiff_t>(ScopeOf(lines, i, end));
    std::vector<Line> renamed(first, last);
    for (Line& line : renamed) {
      if (line.kind == LineKind::kComment) continue;
      Rename(line.text, declared->name, work);
    }
    if (LaidLines(renamed) < LaidLines({first, last})) {
      std::copy(renamed.begin(), renamed.end(), first);
    }
  }
}

// A comment that says what the one before it in its block does goes.
void DropRepeated(std::vector<Line>& lines) {
  const Line* last = nullptr;  // comment that still speaks
  size_t kept = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool comment = lines[i].kind == LineKind::kComment;
    if (comment && last != nullptr && last->indent == lines[i].indent &&
        last->text == lines[i].text) {
      continue;
    }
    if (kept != i) lines[kept] = std::move(lines[i]);
    const Line& line = lines[kept++];
    if (comment) last = &line;
    if (last != nullptr && line.indent < last->indent) last = nullptr;
  }
  lines.resize(kept);
}

// Of a class.
bool BeginsFunction(const Line& line) {
  return line.indent == 2 && line.kind == LineKind::kDeclaration &&
         line.text.starts_with("__aicore__ inline void ") &&
         line.text.ends_with('{');
}

// The line that closes the function that line `at` begins.
size_t EndOfFunction(const std::vector<Line>& lines, size_t at) {
  size_t end = at + 1;
  while (end < lines.size() &&
         (lines[end].indent > 2 || lines[end].text != "}")) {
    ++end;
  }
  return end;
}

// The name of a member without the number at its end: "t_" of "t_2_".
std::string WithoutNumber(std::string_view member) {
  const size_t digit = member.size() - 2;
  const size_t stem = member.find_last_not_of("0123456789", digit);
  if (stem == std::string_view::npos || stem == digit) {
    return std::string(member);
  }
  const bool line = member[stem] == '_';
  return std::string(member.substr(0, stem + (line ? 0 : 1))) + "_";
}

}  // namespace

void DropNumbers(Text& text) {
  std::vector<Line>& lines = text.mutable_lines();
  // Members stand behind all functions.
  for (size_t i = lines.size(); i-- > 0 && lines[i].text != "}";) {
    if (!lines[i].text.starts_with("LocalTensor<")) continue;
    const std::string declared = lines[i].text;
    ForEachWord(declared, [&](size_t begin, size_t end) {
      const std::string name = declared.substr(begin, end - begin);
      if (!name.ends_with('_')) return;
      const std::string plain = WithoutNumber(name);
      if (plain == name || Mentions(text, plain)) return;
      for (Line& line : lines) {
        if (line.kind != LineKind::kComment) Rename(line.text, name, plain);
      }
    });
  }
}

void DropAliases(Text& text) {
  std::vector<Line>& lines = text.mutable_lines();
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!BeginsFunction(lines[i])) continue;
    size_t end = DropIn(lines, i + 1, EndOfFunction(lines, i));
    end = InlineIn(lines, i + 1, DropIntegersIn(lines, i + 1, end));
    i = InlineIntegersIn(lines, i + 1, end);
  }
  DropRepeated(lines);
}

void NameScratch(Text& text) {
  std::vector<Line>& lines = text.mutable_lines();
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!BeginsFunction(lines[i])) continue;
    NameScratchIn(lines, i + 1, EndOfFunction(lines, i));
  }
}

}  // namespace belay::crux::print
