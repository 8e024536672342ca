// SPDX-License-Identifier: Apache-2.0
#include "crux/print/merge_variants.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "crux/print/ahead_loops.h"
#include "crux/print/names.h"

namespace belay::crux::print {
namespace {

// Functions are merged if this part of their statements is alike.
constexpr double kLikeFunctions = 0.5;

// How alike statements are that give back a slot of one queue.
constexpr int kGivenBack = 6;

void SetVariants(Statement& statement, const VariantSet& variants) {
  statement.variants = variants;
  for (Part& part : statement.parts) {
    for (Statement& inner : part.body) SetVariants(inner, variants);
  }
}

bool IsPublic(const std::string& name) {
  return name == "Init" || name == "Process" || name == "StoreShapes" ||
         name == "block";
}

}  // namespace

double VariantMerger::Likeness(const ClassText& one) const {
  size_t alike = 0;
  size_t all = 0;
  const auto count_of = [](std::vector<int>& counts, uint32_t shape) -> int& {
    if (shape >= counts.size()) counts.resize(shape + shape / 2 + 1);
    return counts[shape];
  };
  for (const auto& function : one.functions) {
    if (function->free) continue;
    for (const uint32_t shape : function->shapes) {
      const int there = shape < shape_counts_.size() ? shape_counts_[shape] : 0;
      if (count_of(counts_, shape)++ < there) ++alike;
      ++all;
    }
  }
  for (const auto& function : one.functions) {
    if (function->free) continue;
    for (const uint32_t shape : function->shapes) counts_[shape] = 0;
  }
  return all == 0 ? 1 : static_cast<double>(alike) / static_cast<double>(all);
}

size_t VariantMerger::Alike(const FunctionText& into,
                            const FunctionText& one) const {
  uint32_t most = 0;
  for (const uint32_t shape : into.shapes) most = std::max(most, shape);
  for (const uint32_t shape : one.shapes) most = std::max(most, shape);
  if (most >= counts_.size()) counts_.resize(most + most / 2 + 1);
  for (const uint32_t shape : into.shapes) ++counts_[shape];
  size_t alike = 0;
  for (const uint32_t shape : one.shapes) {
    if (counts_[shape] > 0) {
      --counts_[shape];
      ++alike;
    }
  }
  for (const uint32_t shape : into.shapes) counts_[shape] = 0;
  return alike;
}

void VariantMerger::NoteTypes() {
  types_.resize(space_.size());
  for (size_t v = 0; v < space_.variables(); ++v) {
    const std::string& type = space_.TypeOf(variant_, v);
    types_[variant_].push_back(type.empty() ? -1 : vocabulary_.Of(type));
  }
}

void VariantMerger::Begin(const ClassText& one) {
  const VariantFacts& own = space_.facts(variant_);
  NoteTypes();
  same_answers_.reset();
  same_dtypes_.reset();
  for (size_t v = 0; v < variant_; ++v) {
    const VariantFacts& other = space_.facts(v);
    same_answers_[v] = other.answers == own.answers;
    same_dtypes_[v] = other.dtypes == own.dtypes;
  }
  one_ = &one;
  members_.Clear();
  names_.Clear();
}

void VariantMerger::Add(size_t variant, const ClassText& one) {
  variant_ = variant;
  Begin(one);
  if (text_.functions.empty()) {
    VariantSet alone;
    alone.set(variant);
    for (const auto& function : one.functions) {
      text_.functions.push_back(*function);
      SetVariants(text_.functions.back().whole, alone);
      names_.Pair(function->name, function->name);
    }
    text_.members = one.members;
    text_.member_at = one.member_at;
    for (Statement& member : text_.members) member.variants = alone;
    for (const auto& [name, at] : one.member_at) members_.Pair(name, name);
    origins_.resize(text_.functions.size());
    for (size_t i = 0; i < one.functions.size(); ++i) {
      Remember(i, one.functions[i]);
    }
  } else {
    MatchFunctions(one);
    // Queues are known best by the functions that copy; Init comes last.
    std::vector<std::pair<size_t, size_t>> pairs;
    for (size_t i = 0; i < one.functions.size(); ++i) {
      const auto found = names_.to.find(one.functions[i]->name);
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
    std::vector<std::pair<size_t, size_t>> changed;
    for (const auto& [into, from] : pairs) {
      FunctionText& function = text_.functions[into];
      if (function.whole.variants.test(variant)) {
        changed.emplace_back(into, from);
        continue;
      }
      if (Repeat(into, one.functions[from])) continue;
      one_function_ = one.functions[from].get();
      MergeFunction(function, one_function_->whole);
      changed.emplace_back(into, from);
    }
    one_function_ = nullptr;
    MergeMembers(one.members);
    for (const auto& [into, from] : changed) {
      Describe(text_.functions[into]);
      Remember(into, one.functions[from]);
    }
  }
  std::fill(shape_counts_.begin(), shape_counts_.end(), 0);
  for (const FunctionText& function : text_.functions) {
    if (function.free) continue;
    for (const uint32_t shape : function.shapes) {
      if (shape >= shape_counts_.size()) {
        shape_counts_.resize(shape + shape / 2 + 1);
      }
      ++shape_counts_[shape];
    }
  }
}

int VariantMerger::Rank(const FunctionText& function) const {
  const std::string& name = vocabulary_.Text(function.name);
  if (name.starts_with("Copy")) return 0;
  return name == "Init" ? 3 : name == "Process" ? 2 : 1;
}

double VariantMerger::SharedMembers(const FunctionText& into,
                                    const FunctionText& one) const {
  const std::vector<Word>& left = into.members;
  const std::vector<Word>& right = one.members;
  const auto is_global = [](const auto& text, Word word) {
    return WordOf(text.members[text.member_at.at(word)].parts[0].head[0]) ==
           Vocabulary::kGlobalTensor;
  };
  // Those in global memory are what a function is about.
  bool more = false;
  bool less = false;
  size_t shared = 0;
  auto l = left.begin();
  auto r = right.begin();
  while (l != left.end() || r != right.end()) {
    if (r == right.end() || (l != left.end() && *l < *r)) {
      more = is_global(text_, *l++) || more;
    } else if (l == left.end() || *r < *l) {
      less = is_global(*one_, *r++) || less;
    } else {
      ++shared;
      ++l;
      ++r;
    }
  }
  if (more && less) return -5;
  const size_t all = left.size() + right.size() - shared;
  return all == 0 ? 1 : static_cast<double>(shared) / static_cast<double>(all);
}

bool VariantMerger::HeadsAgree(FunctionText& into, const FunctionText& one) {
  function_ = &into;
  one_function_ = &one;
  variables_.Clear();
  names_.to[one.name] = into.name;
  Trial trial;
  const bool agree = Unify(into.whole.parts[0].head, one.whole.parts[0].head,
                           into.whole.variants, trial);
  names_.to.erase(one.name);
  return agree;
}

std::optional<size_t> VariantMerger::SameAsBefore(
    const std::shared_ptr<const FunctionText>& one,
    const std::vector<bool>& taken) {
  for (size_t k = 0; k < taken.size(); ++k) {
    const bool before =
        std::any_of(origins_[k].begin(), origins_[k].end(),
                    [&](const Origin& origin) { return origin.text == one; });
    if (before && !taken[k] && HeadsAgree(text_.functions[k], *one)) return k;
  }
  return std::nullopt;
}

std::optional<size_t> VariantMerger::MostAlike(const FunctionText& one,
                                               const std::vector<bool>& taken) {
  const bool is_public = IsPublic(vocabulary_.Text(one.name));
  double best = 0;
  std::optional<size_t> best_at;
  for (size_t k = 0; k < taken.size(); ++k) {
    const FunctionText& other = text_.functions[k];
    if (taken[k] ||
        vocabulary_.Stem(other.name) != vocabulary_.Stem(one.name)) {
      continue;
    }
    double likeness = 0;
    if (is_public) {
      likeness = other.name == one.name ? 2 : 0;
    } else {
      if (other.whole.shape != one.whole.shape) continue;
      const size_t size = one.shapes.size();
      likeness =
          static_cast<double>(Alike(other, one)) / static_cast<double>(size);
      if (other.name == one.name) likeness += 0.01;
      likeness += 0.2 * SharedMembers(other, one);
    }
    if (likeness > best && HeadsAgree(text_.functions[k], one)) {
      best = likeness;
      best_at = k;
    }
  }
  return best >= kLikeFunctions ? best_at : std::nullopt;
}

void VariantMerger::MatchFunctions(const ClassText& one) {
  std::vector<bool> taken(text_.functions.size(), false);
  std::vector<const FunctionText*> apart;
  for (const auto& function : one.functions) {
    std::optional<size_t> at = SameAsBefore(function, taken);
    if (!at) at = MostAlike(*function, taken);
    if (at) {
      taken[*at] = true;
      names_.Pair(function->name, text_.functions[*at].name);
    } else {
      apart.push_back(function.get());
    }
  }
  AddApart(apart);
}

// Functions that only this variant has.
void VariantMerger::AddApart(const std::vector<const FunctionText*>& apart) {
  const size_t count = text_.functions.size();
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
    names_.Pair(function->name, name);
    FunctionText added = *function;
    added.name = name;
    text_.functions.push_back(std::move(added));
  }
  origins_.resize(text_.functions.size());
  // Their bodies: names of functions are all known now.
  for (size_t i = count; i < text_.functions.size(); ++i) {
    FunctionText& added = text_.functions[i];
    variables_.Clear();
    for (const auto& [name, variable] : added.variables) {
      variables_.Pair(name, name);
    }
    function_ = &added;
    one_function_ = apart[i - count];
    Adopt(added.whole);
  }
}

// Of two functions with one loop each, of which one loads ahead and the other
// does not, both do. Gives the second if it has changed.
std::optional<Statement> VariantMerger::BothAhead(Statement& into,
                                                  const Statement& one) {
  const auto loop_in = [&](const Statement& function) {
    const std::vector<Statement>& body = function.parts[0].body;
    std::optional<size_t> loop;
    for (size_t i = 0; i < body.size(); ++i) {
      const Tokens& head = body[i].parts[0].head;
      if (head.empty() || WordOf(head[0]) != Vocabulary::kFor) continue;
      if (loop) return std::optional<size_t>();
      loop = i;
    }
    return loop;
  };
  const std::optional<size_t> merged = loop_in(into);
  const std::optional<size_t> own = loop_in(one);
  if (!merged || !own) return std::nullopt;
  Statement& first = into.parts[0].body[*merged];
  const Statement& second = one.parts[0].body[*own];
  if (first.shape == second.shape) return std::nullopt;
  if (auto ahead = LoadingAhead(first, second, vocabulary_)) {
    first = *std::move(ahead);
    return std::nullopt;
  }
  auto ahead = LoadingAhead(second, first, vocabulary_);
  if (!ahead) return std::nullopt;
  Statement changed = one;
  changed.parts[0].body[*own] = *std::move(ahead);
  return changed;
}

void VariantMerger::MergeFunction(FunctionText& into, const Statement& one) {
  variables_.Clear();
  function_ = &into;
  if (!UnifyHeads(into.whole, one)) {
    throw InternalError("[crux] functions that are alike do not merge");
  }
  into.whole.variants.set(variant_);
  const std::optional<Statement> changed = BothAhead(into.whole, one);
  const Statement& own = changed ? *changed : one;
  for (size_t i = 0; i < into.whole.parts.size(); ++i) {
    MergeBlock(into.whole.parts[i].body, own.parts[i].body);
  }
}

void VariantMerger::MergeMembers(const std::vector<Statement>& members) {
  for (const Statement& member : members) {
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

void VariantMerger::Describe(FunctionText& merged) const {
  merged.shapes.clear();
  WordTable<bool> members;
  const auto visit = [&](const auto& self, const Statement& statement) -> void {
    merged.shapes.push_back(statement.shape);
    for (const Part& part : statement.parts) {
      for (const Token token : part.head) {
        const Word word = WordOf(token);
        if (text_.member_at.contains(word)) members.emplace(word, true);
      }
      for (const Statement& inner : part.body) self(self, inner);
    }
  };
  visit(visit, merged.whole);
  merged.members.clear();
  for (const auto& [word, there] : members) merged.members.push_back(word);
  std::sort(merged.members.begin(), merged.members.end());
}

std::vector<VariantMerger::Named> VariantMerger::NamedWords(
    const Statement& one) const {
  size_t count = 0;
  for (const Part& part : one.parts) count += part.head.size();
  std::vector<Named> words;
  words.reserve(count);
  for (const Part& part : one.parts) {
    for (const Token token : part.head) {
      Named& named = words.emplace_back();
      named.own = WordOf(token);
      named.word = named.own;
      if (!vocabulary_.IsName(named.own)) continue;
      const auto variable = variables_.to.find(named.own);
      const auto member = members_.to.find(named.own);
      if (variable != variables_.to.end()) named.word = variable->second;
      if (member != members_.to.end()) named.word = member->second;
      const auto function = names_.to.find(named.word);
      if (function == names_.to.end()) continue;
      named.word = function->second;
      named.function = true;
    }
  }
  return words;
}

int VariantMerger::Alikeness(const Statement& a, const Statement& b,
                             const std::vector<Named>& words) const {
  int unequal = 0;
  const Named* named = words.data();
  for (size_t p = 0; p < a.parts.size(); ++p) {
    const Tokens& left = a.parts[p].head;
    const Tokens& right = b.parts[p].head;
    const size_t count = left.size();
    // What loops call their variables says nothing.
    std::optional<Declaration> own;
    std::optional<Declaration> other;
    if (!left.empty() && WordOf(left[0]) == Vocabulary::kFor &&
        WordOf(right[0]) == Vocabulary::kFor) {
      own = DeclarationIn(left, vocabulary_);
      other = DeclarationIn(right, vocabulary_);
    }
    const bool loops = own && other;
    for (size_t i = 0; i < count; ++i) {
      // Most are. Of a slot a negative number, which no word is.
      const Word merged = WordOf(left[i]);
      const Word word = named[i].word;
      if (merged == word) continue;
      if (loops && merged == own->name && named[i].own == other->name) continue;
      if (named[i].function && !IsSlot(left[i])) return 0;
      ++unequal;
      if (!vocabulary_.IsInteger(word) && !vocabulary_.IsType(word)) continue;
      const Fit fit = FitOf(left[i], word, a.variants);
      if (fit == Fit::kNone) return 0;
      if (fit == Fit::kByDtype) --unequal;
    }
    named += count;
  }
  // Where a slot is given back says little: what is done in it decides.
  if (GivesBack(a)) {
    const bool other = WordOf(a.parts[0].head[0]) != words[0].word;
    if (other && members_.to.contains(words[0].own)) return 0;
    return kGivenBack + (unequal == 0 && (a.variants & same_dtypes_).any());
  }
  // Names weigh more than the rest, which is equal anyway.
  return std::max(2, 16 - 8 * unequal) + Kinship(a.variants);
}

// "queue_.FreeTensor(x);".
bool VariantMerger::GivesBack(const Statement& statement) const {
  const Tokens& head = statement.parts[0].head;
  return head.size() > 2 && !IsSlot(head[2]) &&
         WordOf(head[2]) == Vocabulary::kFreeTensor;
}

// More for statements that the variant's own like has: the same answers.
int VariantMerger::Kinship(const VariantSet& variants) const {
  if ((variants & same_answers_).any()) return 4;
  return (variants & same_dtypes_).any() ? 1 : 0;
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
  std::vector<uint32_t> shapes(m);  // of `one`, side by side
  for (size_t j = 0; j < m; ++j) shapes[j] = one[j].shape;
  std::vector<std::vector<Named>> words(m);  // of those that have their like
  const auto alikeness = [&](size_t i, size_t j) {
    if (shapes[j] != into[i].shape || !alike(i, j)) return 0;
    if (words[j].empty()) words[j] = NamedWords(one[j]);
    return Alikeness(into[i], one[j], words[j]);
  };
  constexpr int kGap = 2;
  constexpr int kNever = -1000000;
  const size_t width = m + 1;
  totals_.assign((n + 1) * width, {kNever, kNever});
  totals_[0].paired = 0;
  for (size_t j = 1; j <= m; ++j) {
    totals_[j].alone =
        std::max(totals_[j - 1].paired - kGap, totals_[j - 1].alone);
  }
  for (size_t i = 1; i <= n; ++i) {
    Totals* const row = &totals_[i * width];
    const Totals* const above = row - width;
    row[0].alone = std::max(above[0].paired - kGap, above[0].alone);
    for (size_t j = 1; j <= m; ++j) {
      const int likeness = alikeness(i - 1, j - 1);
      if (likeness > 0) {
        row[j].paired =
            std::max(above[j - 1].paired, above[j - 1].alone) + likeness;
      }
      row[j].alone =
          std::max(std::max(above[j].paired, row[j - 1].paired) - kGap,
                   std::max(above[j].alone, row[j - 1].alone));
    }
  }
  size_t i = n;
  size_t j = m;
  bool in_pair = totals_.back().paired >= totals_.back().alone;
  while (i > 0 || j > 0) {
    const Totals* const at = &totals_[i * width + j];
    if (in_pair) {
      pairs[i - 1] = static_cast<int>(j - 1);
      const Totals& before = *(at - width - 1);
      in_pair = before.paired >= before.alone;
      --i;
      --j;
      continue;
    }
    if (j > 0 && (at->alone == (at - 1)->paired - kGap ||
                  at->alone == (at - 1)->alone)) {
      in_pair = at->alone != (at - 1)->alone;
      --j;
    } else {
      in_pair = at->alone != (at - width)->alone;
      --i;
    }
  }
  return pairs;
}

// Names that the variant has other names for.
void VariantMerger::Reserve(const std::vector<Statement>& into,
                            const std::vector<Statement>& one,
                            const std::vector<int>& pairs) {
  for (size_t i = 0; i < into.size(); ++i) {
    if (pairs[i] < 0) continue;
    const auto merged = DeclarationIn(into[i].parts[0].head, vocabulary_);
    const auto own = DeclarationIn(
        one[static_cast<size_t>(pairs[i])].parts[0].head, vocabulary_);
    if (merged && own && merged->name != own->name) {
      reserved_.push_back(merged->name);
    }
  }
}

void VariantMerger::MergeBlock(std::vector<Statement>& into,
                               const std::vector<Statement>& one) {
  const std::vector<int> pairs = Align(into, one);
  const size_t reserved = reserved_.size();
  Reserve(into, one, pairs);
  std::vector<Statement> result;
  result.reserve(into.size() + one.size());
  blocks_.push_back(&result);
  size_t next = 0;
  const auto adopt_until = [&](size_t end) {
    for (; next < end; ++next) {
      Adopt(result.emplace_back(one[next]));
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
    around_.push_back(&kept);
    for (size_t p = 0; p < kept.parts.size(); ++p) {
      MergeBlock(kept.parts[p].body, one[with].parts[p].body);
    }
    around_.pop_back();
    result.push_back(std::move(kept));
    ++next;
  }
  adopt_until(one.size());
  blocks_.pop_back();
  reserved_.resize(reserved);
  into = std::move(result);
}

}  // namespace belay::crux::print
