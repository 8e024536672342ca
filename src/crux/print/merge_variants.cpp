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
      const auto function = names_.to.find(word);
      if (function != names_.to.end() && !IsSlot(left[i])) {
        if (WordOf(left[i]) != function->second) return 0;
        word = function->second;
      }
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

}  // namespace belay::crux::print
