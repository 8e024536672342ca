// SPDX-License-Identifier: Apache-2.0
#include "crux/print/merge_variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>

#include "base/error.h"
#include "crux/print/names.h"

namespace belay::crux::print {
namespace {

// Functions are merged if this part of their statements is alike.
constexpr double kLikeFunctions = 0.5;
// Numbers of a statement that may differ for no reason that a dtype gives.
constexpr int kMostChoices = 1;

void SetVariants(Statement& statement, const VariantSet& variants) {
  statement.variants = variants;
  for (Part& part : statement.parts) {
    for (Statement& inner : part.body) SetVariants(inner, variants);
  }
}

template <typename Visit>
void ForEachStatement(const Statement& statement, const Visit& visit) {
  visit(statement);
  for (const Part& part : statement.parts) {
    for (const Statement& inner : part.body) ForEachStatement(inner, visit);
  }
}

// How many statements of `one` have their like in `shapes`, and how many there
// are.
std::pair<int, int> LikeIn(const Statement& one,
                           std::unordered_map<uint64_t, int> shapes) {
  std::pair<int, int> result;
  ForEachStatement(one, [&](const Statement& statement) {
    const auto found = shapes.find(statement.shape);
    if (found != shapes.end() && found->second > 0) {
      --found->second;
      ++result.first;
    }
    ++result.second;
  });
  return result;
}

std::unordered_map<uint64_t, int> ShapesOf(const Statement& statement) {
  std::unordered_map<uint64_t, int> shapes;
  ForEachStatement(statement,
                   [&](const Statement& one) { ++shapes[one.shape]; });
  return shapes;
}

bool IsPublic(const std::string& name) {
  return name == "Init" || name == "Process" || name == "StoreShapes" ||
         name == "block";
}

}  // namespace

// What laying one statement over another would add.
struct VariantMerger::Trial {
  std::vector<std::pair<Word, Word>> variables;  // the variant's, the merged
  std::vector<std::pair<Word, Word>> members;
  std::vector<std::pair<Word, Word>> aliases;
  std::vector<std::pair<size_t, Word>> slots;  // more words of slots
  int choices = 0;                             // numbers that are `a ? x : y`
  // Places that become slots: their position, and the variant's word.
  std::vector<std::pair<size_t, Word>> places;

  static std::optional<Word> Find(
      const std::vector<std::pair<Word, Word>>& pairs, Word one) {
    for (const auto& [from, to] : pairs) {
      if (from == one) return to;
    }
    return std::nullopt;
  }
  static bool Reaches(const std::vector<std::pair<Word, Word>>& pairs,
                      Word to) {
    return std::any_of(pairs.begin(), pairs.end(),
                       [&](const auto& pair) { return pair.second == to; });
  }
};

double VariantMerger::Likeness(const ClassText& one) const {
  int alike = 0;
  int all = 0;
  std::unordered_map<uint64_t, int> shapes = shapes_;
  for (const FunctionText& function : one.functions) {
    if (function.free) continue;
    ForEachStatement(function.whole, [&](const Statement& statement) {
      const auto found = shapes.find(statement.shape);
      if (found != shapes.end() && found->second > 0) {
        --found->second;
        ++alike;
      }
      ++all;
    });
  }
  return all == 0 ? 1 : static_cast<double>(alike) / all;
}

void VariantMerger::Add(size_t variant, ClassText one) {
  variant_ = variant;
  VariantSet alone;
  alone.set(variant);
  for (FunctionText& function : one.functions) {
    SetVariants(function.whole, alone);
  }
  for (Statement& member : one.members) member.variants = alone;
  if (text_.functions.empty()) {
    text_ = std::move(one);
  } else {
    members_ = {};
    names_ = {};
    one_ = &one;
    MatchFunctions(one);
    // Queues are known best by the functions that copy; Init comes last.
    std::vector<std::pair<size_t, size_t>> pairs;
    for (size_t i = 0; i < one.functions.size(); ++i) {
      const auto found = names_.to.find(one.functions[i].name);
      for (size_t k = 0; k < text_.functions.size(); ++k) {
        if (found != names_.to.end() &&
            text_.functions[k].name == found->second) {
          pairs.emplace_back(k, i);
        }
      }
    }
    std::stable_sort(pairs.begin(), pairs.end(),
                     [&](const auto& a, const auto& b) {
                       return Rank(text_.functions[a.first]) <
                              Rank(text_.functions[b.first]);
                     });
    for (const auto& [into, from] : pairs) {
      if (text_.functions[into].whole.variants.test(variant)) continue;
      one_function_ = &one.functions[from];
      MergeFunction(text_.functions[into],
                    std::move(one.functions[from].whole));
    }
    one_function_ = nullptr;
    MergeMembers(one.members);
  }
  shapes_.clear();
  for (const FunctionText& function : text_.functions) {
    if (function.free) continue;
    ForEachStatement(function.whole, [&](const Statement& statement) {
      ++shapes_[statement.shape];
    });
  }
}

int VariantMerger::Rank(const FunctionText& function) const {
  const std::string& name = vocabulary_.Text(function.name);
  if (name.starts_with("Copy")) return 0;
  return name == "Init" ? 3 : name == "Process" ? 2 : 1;
}

double VariantMerger::SharedMembers(const Statement& into,
                                    const Statement& one) const {
  const auto collect = [](const Statement& statement,
                          const std::unordered_map<Word, size_t>& members) {
    std::set<Word> words;
    ForEachStatement(statement, [&](const Statement& inner) {
      for (const Part& part : inner.parts) {
        for (const Token token : part.head) {
          if (!IsSlot(token) && members.contains(WordOf(token))) {
            words.insert(WordOf(token));
          }
        }
      }
    });
    return words;
  };
  const std::set<Word> left = collect(into, text_.member_at);
  const std::set<Word> right = collect(one, one_->member_at);
  // Those in global memory are what a function is about.
  const Word global = vocabulary_.Of("GlobalTensor");
  const auto is_global = [&](const ClassText& text, Word word) {
    return WordOf(text.members[text.member_at.at(word)].parts[0].head[0]) ==
           global;
  };
  const bool more = std::any_of(left.begin(), left.end(), [&](Word word) {
    return is_global(text_, word) && !right.contains(word);
  });
  const bool less = std::any_of(right.begin(), right.end(), [&](Word word) {
    return is_global(*one_, word) && !left.contains(word);
  });
  if (more && less) return -5;
  size_t shared = 0;
  for (const Word word : right) shared += left.contains(word) ? 1 : 0;
  const size_t all = left.size() + right.size() - shared;
  return all == 0 ? 1 : static_cast<double>(shared) / static_cast<double>(all);
}

bool VariantMerger::HeadsAgree(FunctionText& into, const FunctionText& one) {
  function_ = &into;
  one_function_ = &one;
  variables_ = {};
  names_.to[one.name] = into.name;
  Trial trial;
  const bool agree = Unify(into.whole.parts[0].head, one.whole.parts[0].head,
                           into.whole.variants, trial);
  names_.to.erase(one.name);
  return agree;
}

void VariantMerger::MatchFunctions(const ClassText& one) {
  std::vector<bool> taken(text_.functions.size(), false);
  const auto pair = [&](Word from, Word to) {
    names_.to[from] = to;
    names_.from[to] = from;
  };
  std::vector<const FunctionText*> apart;
  const size_t count = text_.functions.size();
  for (const FunctionText& function : one.functions) {
    const bool is_public = IsPublic(vocabulary_.Text(function.name));
    double best = 0;
    size_t best_at = count;
    for (size_t k = 0; k < count; ++k) {
      const FunctionText& other = text_.functions[k];
      if (taken[k] ||
          vocabulary_.Stem(other.name) != vocabulary_.Stem(function.name)) {
        continue;
      }
      if (!is_public && other.whole.shape != function.whole.shape) continue;
      const auto [alike, all] = LikeIn(function.whole, ShapesOf(other.whole));
      int size = 0;
      ForEachStatement(other.whole, [&](const Statement&) { ++size; });
      double likeness = static_cast<double>(alike) / std::max({all, size, 1});
      if (other.name == function.name) likeness += 0.01;
      likeness += 0.2 * SharedMembers(other.whole, function.whole);
      if (is_public) likeness = other.name == function.name ? 2 : 0;
      if (likeness > best && HeadsAgree(text_.functions[k], function)) {
        best = likeness;
        best_at = k;
      }
    }
    if (best_at < count && best >= kLikeFunctions) {
      taken[best_at] = true;
      pair(function.name, text_.functions[best_at].name);
    } else {
      apart.push_back(&function);
    }
  }
  // Functions that only this variant has: an empty one to be merged into.
  for (const FunctionText* function : apart) {
    const auto is_taken = [&](Word name) {
      return std::any_of(
          text_.functions.begin(), text_.functions.end(),
          [&](const FunctionText& other) { return other.name == name; });
    };
    Word name = function->name;
    for (int i = 2; is_taken(name); ++i) {
      name = vocabulary_.Of(fmt::format(
          "{}{}", vocabulary_.Text(vocabulary_.Stem(function->name)), i));
    }
    pair(function->name, name);
    FunctionText added = *function;
    added.name = name;
    text_.functions.push_back(std::move(added));
  }
  // Their bodies: names of functions are all known now.
  one_ = &one;
  for (size_t i = count; i < text_.functions.size(); ++i) {
    FunctionText& added = text_.functions[i];
    variables_ = {};
    for (const auto& [name, variable] : added.variables) {
      variables_.to[name] = name;
      variables_.from[name] = name;
    }
    function_ = &added;
    one_function_ = apart[i - count];
    Adopt(added.whole);
  }
}

void VariantMerger::MergeFunction(FunctionText& into, Statement one) {
  variables_ = {};
  function_ = &into;
  if (!UnifyHeads(into.whole, one)) {
    throw InternalError("[crux] functions that are alike do not merge");
  }
  into.whole.variants.set(variant_);
  for (size_t i = 0; i < into.whole.parts.size(); ++i) {
    MergeBlock(into.whole.parts[i].body, std::move(one.parts[i].body));
  }
}

void VariantMerger::MergeMembers(std::vector<Statement> members) {
  for (Statement& member : members) {
    const Word name = DeclarationIn(member.parts[0].head, vocabulary_)->name;
    const auto known = members_.to.find(name);
    if (known == members_.to.end()) {
      AdoptName(name);
      continue;
    }
    Statement& into = text_.members[text_.member_at.at(known->second)];
    if (into.variants.test(variant_)) continue;
    if (!UnifyHeads(into, member)) {
      throw InternalError("[crux] members that are alike do not merge");
    }
    into.variants.set(variant_);
  }
}

int VariantMerger::Alikeness(const Statement& a, const Statement& b) const {
  int equal = 0;
  int all = 0;
  for (size_t p = 0; p < a.parts.size(); ++p) {
    const Tokens& left = a.parts[p].head;
    const Tokens& right = b.parts[p].head;
    all += static_cast<int>(left.size());
    for (size_t i = 0; i < left.size(); ++i) {
      Word word = WordOf(right[i]);
      const auto variable = variables_.to.find(word);
      const auto member = members_.to.find(word);
      if (variable != variables_.to.end()) word = variable->second;
      if (member != members_.to.end()) word = member->second;
      if (!IsSlot(left[i]) && WordOf(left[i]) == word) {
        ++equal;
        continue;
      }
      const bool number = vocabulary_.IsInteger(word);
      if (!number && !vocabulary_.IsType(word)) continue;
      const Fit fit = FitOf(left[i], word, a.variants);
      if (fit == Fit::kNone) return 0;
      if (fit == Fit::kByDtype) ++equal;
    }
  }
  // Names weigh more than the rest, which is equal anyway.
  return std::max(2, 16 - 6 * (all - equal)) + Kinship(a.variants);
}

// More for statements that the variant's own like has: the same answers.
int VariantMerger::Kinship(const VariantSet& variants) const {
  const VariantFacts& own = space_.facts(variant_);
  int most = 0;
  for (size_t v = 0; v < space_.size(); ++v) {
    if (!variants.test(v)) continue;
    const VariantFacts& other = space_.facts(v);
    if (other.answers == own.answers) return 4;
    if (other.dtypes == own.dtypes) most = 1;
  }
  return most;
}

VariantMerger::Fit VariantMerger::FitOf(Token into, Word own,
                                        const VariantSet& variants) const {
  const bool type = vocabulary_.IsType(own);
  std::vector<std::pair<size_t, Word>> words;
  if (IsSlot(into)) {
    words = slots_[SlotOf(into)].words;
  } else {
    const Word merged = WordOf(into);
    if (type ? !vocabulary_.IsType(merged) : !vocabulary_.IsInteger(merged)) {
      return Fit::kNone;
    }
    for (size_t v = 0; v < space_.size(); ++v) {
      if (variants.test(v)) words.emplace_back(v, merged);
    }
  }
  words.emplace_back(variant_, own);
  if (type) {
    std::vector<std::pair<size_t, std::string>> texts;
    for (const auto& [v, word] : words) {
      texts.emplace_back(v, vocabulary_.Text(word));
    }
    return space_.VariableOf(texts) ? Fit::kByDtype : Fit::kNone;
  }
  std::vector<std::pair<size_t, int64_t>> values;
  std::set<Word> different;
  for (const auto& [v, word] : words) {
    if (!vocabulary_.IsInteger(word)) return Fit::kNone;
    values.emplace_back(
        v, std::strtoll(vocabulary_.Text(word).c_str(), nullptr, 10));
    different.insert(word);
  }
  if (space_.SizeText(values, false)) return Fit::kByDtype;
  return different.size() <= 2 ? Fit::kByChoice : Fit::kNone;
}

std::vector<int> VariantMerger::Align(const std::vector<Statement>& into,
                                      const std::vector<Statement>& one) const {
  const size_t n = into.size();
  const size_t m = one.size();
  std::vector<int> pairs(n, -1);
  const auto alike = [&](size_t i, size_t j) {
    return into[i].shape == one[j].shape &&
           into[i].parts.size() == one[j].parts.size();
  };
  // The usual case first.
  bool same = n == m;
  for (size_t i = 0; same && i < n; ++i) same = alike(i, i);
  if (same) {
    for (size_t i = 0; i < n; ++i) pairs[i] = static_cast<int>(i);
    return pairs;
  }
  constexpr int kGap = 5;
  constexpr int kNever = -1000000;
  const size_t width = m + 1;
  // Best totals that end in a pair, and in statements without one.
  std::vector<int> paired((n + 1) * width, kNever);
  std::vector<int> alone((n + 1) * width, kNever);
  paired[0] = 0;
  for (size_t i = 0; i <= n; ++i) {
    for (size_t j = 0; j <= m; ++j) {
      const size_t at = i * width + j;
      const int likeness = i > 0 && j > 0 && alike(i - 1, j - 1)
                               ? Alikeness(into[i - 1], one[j - 1])
                               : 0;
      if (likeness > 0) {
        const size_t before = at - width - 1;
        paired[at] = std::max(paired[before], alone[before]) + likeness;
      }
      if (i > 0) {
        const size_t before = at - width;
        alone[at] = std::max({alone[at], paired[before] - kGap, alone[before]});
      }
      if (j > 0) {
        alone[at] = std::max({alone[at], paired[at - 1] - kGap, alone[at - 1]});
      }
    }
  }
  size_t i = n;
  size_t j = m;
  bool in_pair = paired[n * width + m] >= alone[n * width + m];
  while (i > 0 || j > 0) {
    const size_t at = i * width + j;
    if (in_pair) {
      pairs[i - 1] = static_cast<int>(j - 1);
      const size_t before = at - width - 1;
      in_pair = paired[before] >= alone[before];
      --i;
      --j;
      continue;
    }
    if (j > 0 &&
        (alone[at] == paired[at - 1] - kGap || alone[at] == alone[at - 1])) {
      in_pair = alone[at] != alone[at - 1];
      --j;
    } else {
      in_pair = alone[at] != alone[at - width];
      --i;
    }
  }
  return pairs;
}

void VariantMerger::MergeBlock(std::vector<Statement>& into,
                               std::vector<Statement> one) {
  const std::vector<int> pairs = Align(into, one);
  std::vector<Statement> result;
  result.reserve(into.size() + one.size());
  blocks_.push_back(&result);
  size_t next = 0;
  const auto adopt_until = [&](size_t end) {
    for (; next < end; ++next) {
      Adopt(one[next]);
      result.push_back(std::move(one[next]));
    }
  };
  for (size_t i = 0; i < into.size(); ++i) {
    if (pairs[i] < 0) {
      result.push_back(std::move(into[i]));
      continue;
    }
    const auto with = static_cast<size_t>(pairs[i]);
    adopt_until(with);
    if (!UnifyHeads(into[i], one[with])) {
      result.push_back(std::move(into[i]));
      adopt_until(with + 1);
      continue;
    }
    Statement& kept = into[i];
    kept.variants.set(variant_);
    for (size_t p = 0; p < kept.parts.size(); ++p) {
      MergeBlock(kept.parts[p].body, std::move(one[with].parts[p].body));
    }
    result.push_back(std::move(kept));
    ++next;
  }
  adopt_until(one.size());
  blocks_.pop_back();
  into = std::move(result);
}

bool VariantMerger::IsVariable(Word word) const {
  return one_function_ != nullptr && one_function_->variables.contains(word);
}

bool VariantMerger::IsMember(Word word) const {
  return one_->member_at.contains(word);
}

bool VariantMerger::SameMemberType(Word into, Word one) {
  Statement& merged = text_.members[text_.member_at.at(into)];
  const Statement& own = one_->members[one_->member_at.at(one)];
  const Tokens& left = merged.parts[0].head;
  const Tokens& right = own.parts[0].head;
  if (left.size() != right.size()) return false;
  // Tensors in global memory keep their names.
  const bool memory = WordOf(right[0]) == vocabulary_.Of("TBuf") ||
                      WordOf(right[0]) == vocabulary_.Of("TQue") ||
                      WordOf(right[0]) == vocabulary_.Of("TQueBind");
  if (!memory && into != one) return false;
  Trial trial;
  trial.members.emplace_back(one, into);
  return Unify(left, right, merged.variants, trial);
}

bool VariantMerger::CanAlias(Word name, Word one, const Tokens& head) const {
  const auto merged = function_->variables.find(name);
  if (merged == function_->variables.end() || merged->second.fixed) {
    return false;
  }
  const auto declared = DeclarationIn(head, vocabulary_);
  if (declared && declared->name == name) return false;
  const Word tensor = vocabulary_.Of("LocalTensor");
  const Tokens& type = merged->second.type;
  const Tokens& own = one_function_->variables.at(one).type;
  // LocalTensor < X >
  if (type.size() < 4 || own.size() < 4 || WordOf(type[0]) != tensor ||
      WordOf(own[0]) != tensor) {
    return false;
  }
  if (!IsSlot(type[2])) return WordOf(type[2]) == WordOf(own[2]);
  std::vector<std::pair<size_t, std::string>> words;
  for (const auto& [variant, word] : slots_[SlotOf(type[2])].words) {
    words.emplace_back(variant, vocabulary_.Text(word));
  }
  words.emplace_back(variant_, vocabulary_.Text(WordOf(own[2])));
  return space_.VariableOf(words).has_value();
}

bool VariantMerger::UnifyName(Word into, Word one, const Tokens& head,
                              Trial& trial) {
  if (IsVariable(one)) {
    auto known = Trial::Find(trial.variables, one);
    const auto found = variables_.to.find(one);
    if (found != variables_.to.end()) known = found->second;
    if (known) {
      if (*known == into) return true;
      const auto alias = variables_.aliases.find(into);
      if (alias != variables_.aliases.end() && alias->second == one) {
        return true;
      }
      if (Trial::Find(trial.aliases, into) == one) return true;
      if (variables_.from.contains(into) || alias != variables_.aliases.end() ||
          Trial::Reaches(trial.variables, into) ||
          Trial::Find(trial.aliases, into) || !CanAlias(into, one, head)) {
        return false;
      }
      trial.aliases.emplace_back(into, one);
      return true;
    }
    if (!function_->variables.contains(into) ||
        variables_.from.contains(into) || variables_.aliases.contains(into) ||
        Trial::Reaches(trial.variables, into) ||
        Trial::Find(trial.aliases, into)) {
      return false;
    }
    trial.variables.emplace_back(one, into);
    return true;
  }
  if (IsMember(one)) {
    auto known = Trial::Find(trial.members, one);
    const auto found = members_.to.find(one);
    if (found != members_.to.end()) known = found->second;
    if (known) return *known == into;
    if (!text_.member_at.contains(into) || members_.from.contains(into) ||
        Trial::Reaches(trial.members, into) || !SameMemberType(into, one)) {
      return false;
    }
    trial.members.emplace_back(one, into);
    return true;
  }
  const auto function = names_.to.find(one);
  return (function == names_.to.end() ? one : function->second) == into;
}

// A buffer or queue that is another one in this variant: (a ? x : y).Get().
bool VariantMerger::UnifyMemory(const Tokens& head, size_t at, Word own,
                                Trial& trial) {
  const auto known = members_.to.find(own);
  if (known == members_.to.end() || at + 1 >= head.size() ||
      head[at + 1] != TokenOf(vocabulary_.Of("."), false)) {
    return false;
  }
  const Word name = known->second;
  const auto type = [&](Word member) {
    Tokens tokens = text_.members[text_.member_at.at(member)].parts[0].head;
    std::erase_if(tokens, [&](Token token) { return WordOf(token) == member; });
    return tokens;
  };
  std::set<Word> words = {name};
  if (IsSlot(head[at])) {
    for (const auto& [v, word] : slots_[SlotOf(head[at])].words) {
      if (!text_.member_at.contains(word)) return false;
      words.insert(word);
    }
  } else {
    if (!text_.member_at.contains(WordOf(head[at]))) return false;
    words.insert(WordOf(head[at]));
  }
  if (words.size() > 2 || type(*words.begin()) != type(*words.rbegin())) {
    return false;
  }
  if (IsSlot(head[at])) {
    trial.slots.emplace_back(SlotOf(head[at]), name);
  } else {
    trial.places.emplace_back(at, name);
  }
  return true;
}

bool VariantMerger::Unify(const Tokens& into, const Tokens& one,
                          const VariantSet& variants, Trial& trial) {
  if (into.size() != one.size()) return false;
  for (size_t i = 0; i < into.size(); ++i) {
    const Word own = WordOf(one[i]);
    if (HasBlank(into[i]) != HasBlank(one[i])) return false;
    const bool slot = IsSlot(into[i]);
    if (!slot && UnifyName(WordOf(into[i]), own, into, trial)) continue;
    if (UnifyMemory(into, i, own, trial)) continue;
    // Dtypes and sizes.
    if (!vocabulary_.IsType(own) && !vocabulary_.IsInteger(own)) return false;
    const Fit fit = FitOf(into[i], own, variants);
    if (fit == Fit::kNone) return false;
    if (fit == Fit::kByChoice && ++trial.choices > kMostChoices) return false;
    if (slot) {
      trial.slots.emplace_back(SlotOf(into[i]), own);
    } else {
      trial.places.emplace_back(i, own);
    }
  }
  return true;
}

// As early as the tensor `from` is there, beside the other variants' own;
// before `use` at the latest.
Statement& VariantMerger::PlaceForAlias(Word name, Word from, Statement& use) {
  for (size_t b = blocks_.size(); b-- > 0;) {
    std::vector<Statement>& block = *blocks_[b];
    std::optional<size_t> declares;
    std::optional<size_t> is_there;
    for (size_t i = 0; i < block.size(); ++i) {
      const auto declared = DeclarationIn(block[i].parts[0].head, vocabulary_);
      if (!declared) continue;
      if (declared->name == name) declares = i;
      if (declared->name == from && block[i].variants.test(variant_)) {
        is_there = i;
      }
    }
    if (declares && (!is_there || *is_there < *declares)) {
      return block[*declares];
    }
    if (declares || is_there) break;
  }
  return use;
}

bool VariantMerger::UnifyHeads(Statement& into, const Statement& one) {
  if (into.parts.size() != one.parts.size() || into.nested != one.nested ||
      into.close != one.close) {
    return false;
  }
  Trial trial;
  std::vector<std::vector<std::pair<size_t, Word>>> places;
  for (size_t p = 0; p < into.parts.size(); ++p) {
    trial.places.clear();
    if (!Unify(into.parts[p].head, one.parts[p].head, into.variants, trial)) {
      return false;
    }
    places.push_back(trial.places);
  }
  for (const auto& [from, to] : trial.variables) {
    variables_.to[from] = to;
    variables_.from[to] = from;
  }
  for (const auto& [from, to] : trial.members) {
    members_.to[from] = to;
    members_.from[to] = from;
  }
  for (const auto& [slot, word] : trial.slots) {
    slots_[slot].words.emplace_back(variant_, word);
  }
  for (size_t p = 0; p < into.parts.size(); ++p) {
    for (const auto& [at, word] : places[p]) {
      Token& token = into.parts[p].head[at];
      Slot slot;
      for (size_t v = 0; v < space_.size(); ++v) {
        if (into.variants.test(v)) slot.words.emplace_back(v, WordOf(token));
      }
      slot.words.emplace_back(variant_, word);
      token = SlotToken(slots_.size(), HasBlank(token));
      slots_.push_back(std::move(slot));
    }
    // The type of a variable has the slots of its declaration.
    const Tokens& head = into.parts[p].head;
    const auto declared = DeclarationIn(head, vocabulary_);
    if (declared && function_ != nullptr) {
      const auto found = function_->variables.find(declared->name);
      if (found != function_->variables.end()) {
        found->second.type.assign(
            head.begin() + static_cast<ptrdiff_t>(declared->type),
            head.begin() + static_cast<ptrdiff_t>(declared->at));
      }
    }
  }
  for (const auto& [name, own] : trial.aliases) {
    variables_.aliases[name] = own;
    const Word from = variables_.to.at(own);
    Statement& place = PlaceForAlias(name, from, into);
    const auto known = std::find_if(
        place.aliases.begin(), place.aliases.end(), [&](const Alias& alias) {
          return alias.name == name && alias.from == from;
        });
    if (known != place.aliases.end()) {
      known->variants.set(variant_);
    } else {
      VariantSet alone;
      alone.set(variant_);
      place.aliases.push_back({name, from, alone});
    }
  }
  return true;
}

Word VariantMerger::FreshName(Word word) const {
  const std::string& text = vocabulary_.Text(word);
  const bool member = text.ends_with('_');
  const std::string stem = member ? text.substr(0, text.size() - 1) : text;
  for (int i = 2;; ++i) {
    const Word fresh =
        vocabulary_.Of(fmt::format("{}_{}{}", stem, i, member ? "_" : ""));
    if (!function_->variables.contains(fresh) && !IsVariable(fresh) &&
        !text_.member_at.contains(fresh) && !IsMember(fresh)) {
      return fresh;
    }
  }
}

Word VariantMerger::AdoptName(Word word) {
  if (IsVariable(word)) {
    const auto known = variables_.to.find(word);
    if (known != variables_.to.end()) return known->second;
    const Variable& own = one_function_->variables.at(word);
    const auto merged = function_->variables.find(word);
    Word name = word;
    if (merged != function_->variables.end() &&
        (variables_.from.contains(word) || variables_.aliases.contains(word) ||
         merged->second.type != own.type || own.fixed ||
         merged->second.fixed)) {
      name = FreshName(word);
    }
    function_->variables.emplace(name, own);
    variables_.to[word] = name;
    variables_.from[name] = word;
    return name;
  }
  if (IsMember(word)) {
    const auto known = members_.to.find(word);
    if (known != members_.to.end()) return known->second;
    Word name = word;
    if (text_.member_at.contains(word)) {
      if (!members_.from.contains(word) && SameMemberType(word, word)) {
        members_.to[word] = word;
        members_.from[word] = word;
        return word;
      }
      name = FreshName(word);
    }
    Statement added = one_->members[one_->member_at.at(word)];
    for (Token& token : added.parts[0].head) {
      if (WordOf(token) == word) token = TokenOf(name, HasBlank(token));
    }
    text_.member_at[name] = text_.members.size();
    text_.members.push_back(std::move(added));
    members_.to[word] = name;
    members_.from[name] = word;
    return name;
  }
  const auto function = names_.to.find(word);
  return function == names_.to.end() ? word : function->second;
}

void VariantMerger::Adopt(Statement& statement) {
  for (Part& part : statement.parts) {
    for (Token& token : part.head) {
      token = TokenOf(AdoptName(WordOf(token)), HasBlank(token));
    }
    for (Statement& inner : part.body) Adopt(inner);
  }
}

}  // namespace belay::crux::print
