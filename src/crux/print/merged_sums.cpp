// SPDX-License-Identifier: Apache-2.0
#include "crux/print/merged_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "crux/print/merged_text.h"
#include "crux/print/names.h"

namespace belay::crux::print {
namespace {

using Counts = std::vector<int>;  // by variant

// A term, and how often each variant adds it.
struct Term {
  std::string text;
  std::string shape;  // equal for terms that differ in numbers alone
  Counts counts;
};

// Added `times` times, for each of `flags` that holds if there are any, by the
// variants of `where`.
struct Share {
  int times = 1;
  std::string flags;
  VariantSet where;
};

bool IsWord(const std::string& text) {
  return std::all_of(text.begin(), text.end(), IsWordPart);
}

VariantSet AtLeast(const Counts& counts, int least, const VariantSet& context) {
  VariantSet set;
  for (size_t v = 0; v < counts.size(); ++v) {
    set[v] = context[v] && counts[v] >= least;
  }
  return set;
}

bool IsNumber(std::string_view word) {
  return std::isdigit(static_cast<unsigned char>(word[0])) != 0;
}

using Words = std::vector<std::string_view>;

// Words, and what stands between them.
Words WordsOf(std::string_view text) {
  Words words;
  size_t begin = 0;
  for (size_t i = 1; i <= text.size(); ++i) {
    if (i < text.size() && IsWordPart(text[i - 1]) == IsWordPart(text[i])) {
      continue;
    }
    words.push_back(text.substr(begin, i - begin));
    begin = i;
  }
  return words;
}

// Its words, with 0 for every number.
std::string ShapeOf(std::string_view text) {
  std::string shape;
  for (const std::string_view word : WordsOf(text)) {
    shape += IsNumber(word) ? "0" : word;
  }
  return shape;
}

Term MakeTerm(std::string text, Counts counts) {
  std::string shape = ShapeOf(text);
  return {std::move(text), std::move(shape), std::move(counts)};
}

class Sum {
 public:
  Sum(VariantSpace& space, const VariantSet& context)
      : space_(space), context_(context), likes_(space.size()) {
    for (size_t v = 0; v < likes_.size(); ++v) {
      const auto& answers = space_.facts(v).answers;
      while (space_.facts(likes_[v]).answers != answers) ++likes_[v];
    }
  }

  void Add(const AddedTerm& added) {
    const auto known =
        std::find_if(terms_.begin(), terms_.end(),
                     [&](const Term& term) { return term.text == added.text; });
    Term& term =
        known == terms_.end()
            ? terms_.emplace_back(MakeTerm(added.text, Counts(space_.size())))
            : *known;
    ++term.counts[added.variant];
  }

  // Terms that differ in numbers that follow a dtype's size become one as long
  // as that takes fewer statements.
  void Join() {
    for (size_t i = 0; i < terms_.size(); ++i) {
      for (size_t j = 0; j < terms_.size(); ++j) {
        if (i != j && JoinPair(i, j)) i = j = 0;
      }
    }
  }

  void Print(const std::string& target, Text& text) {
    // Statements by when they are for.
    std::vector<std::pair<VariantSet, std::vector<std::string>>> blocks;
    for (const Term& term : terms_) {
      for (const Share& share : SharesOf(term.counts)) {
        auto block = std::find_if(
            blocks.begin(), blocks.end(),
            [&](const auto& one) { return one.first == share.where; });
        if (block == blocks.end()) {
          blocks.emplace_back(share.where, std::vector<std::string>());
          block = blocks.end() - 1;
        }
        block->second.push_back(
            fmt::format("{} += {};", target, Product(term.text, share)));
      }
    }
    std::stable_partition(blocks.begin(), blocks.end(), [&](const auto& one) {
      return one.first == context_;
    });
    for (size_t i = 0; i < blocks.size(); ++i) {
      const VariantSet& where = blocks[i].first;
      const bool always = where == context_;
      const bool otherwise =
          i > 0 && !always && blocks[i - 1].first == (context_ & ~where);
      if (otherwise) {
        text.Reopen("} else {");
      } else if (!always) {
        text.Statement(
            fmt::format("if ({}) {{", space_.Condition(where, context_)));
      }
      for (const std::string& one : blocks[i].second) text.Statement(one);
      const bool goes_on = i + 1 < blocks.size() && !always &&
                           blocks[i + 1].first == (context_ & ~where);
      if (!always && !goes_on) text.Close();
    }
  }

 private:
  static std::string Product(const std::string& term, const Share& share) {
    std::string factors;
    if (!share.flags.empty()) factors += " * " + share.flags;
    if (share.times > 1) factors += fmt::format(" * {}", share.times);
    return factors.empty() ? term : AsFactor(term) + factors;
  }

  // One with two answers as flags, or one for each number of times.
  std::vector<Share> SharesOf(const Counts& counts) {
    const VariantSet some = AtLeast(counts, 1, context_);
    int most = 0;
    for (const int count : counts) most = std::max(most, count);
    if (AtLeast(counts, most, context_) == some) {
      return most == 0 ? std::vector<Share>()
                       : std::vector{Share{most, "", some}};
    }
    if (const auto share = ByFlags(counts, most, some)) return {*share};
    std::vector<Share> shares;
    for (int times = 1; times <= most; ++times) {
      const VariantSet where = AtLeast(counts, times, context_);
      if (!shares.empty() && shares.back().where == where) {
        ++shares.back().times;
      } else {
        shares.push_back({1, "", where});
      }
    }
    return shares;
  }

  std::optional<Share> ByFlags(const Counts& counts, int most,
                               const VariantSet& some) {
    // Of choices of dtypes that have the term at all.
    VariantSet where;
    for (const VariantSpace::Choice& choice : space_.choices()) {
      if ((choice.variants & some).any()) where |= choice.variants & context_;
    }
    const auto literals = space_.LiteralsWithin(where);
    for (const Literal* a : literals) {
      for (const Literal* b : literals) {
        if (a >= b || a->answer.empty() || b->answer.empty() ||
            !IsWord(a->text) || !IsWord(b->text)) {
          continue;
        }
        bool fits = most % 2 == 0;
        for (size_t v = 0; fits && v < counts.size(); ++v) {
          const int held = (a->holds[v] ? 1 : 0) + (b->holds[v] ? 1 : 0);
          fits = !where[v] || counts[v] == most / 2 * held;
        }
        if (!fits) continue;
        return Share{most / 2, fmt::format("({} + {})", a->text, b->text),
                     where};
      }
    }
    return std::nullopt;
  }

  // Statements, and conditions a little.
  int CostOf(const Counts& counts) {
    int cost = 0;
    for (const Share& share : SharesOf(counts)) {
      cost += share.where == context_ ? 2 : 3;
    }
    return cost;
  }

  bool JoinPair(size_t i, size_t j) {
    const Term& a = terms_[i];
    const Term& b = terms_[j];
    if (a.shape != b.shape) return false;
    const Words words = WordsOf(a.text);
    const Words others = WordsOf(b.text);
    // Every choice of dtypes has the words of one of the two, which both occur.
    const size_t all = (size_t{1} << space_.choices().size()) - 1;
    const int apart = CostOf(a.counts) + CostOf(b.counts);
    for (size_t mask = 1; mask < all; ++mask) {
      Counts left[2] = {a.counts, b.counts};
      Counts joined = InCommon(left, mask);
      if (AtLeast(joined, 1, context_).none()) continue;
      const int saved =
          apart - CostOf(joined) - CostOf(left[0]) - CostOf(left[1]);
      if (saved <= 0) continue;
      std::optional<std::string> text = Joined(words, others, mask, saved);
      if (!text) continue;
      terms_[i].counts = left[0];
      terms_[j].counts = left[1];
      terms_.insert(terms_.begin() + static_cast<ptrdiff_t>(std::min(i, j)),
                    MakeTerm(*std::move(text), std::move(joined)));
      std::erase_if(terms_, [&](const Term& term) {
        return AtLeast(term.counts, 1, context_).none();
      });
      return true;
    }
    return false;
  }

  // What all choices of dtypes have where answers are the same; it is taken out
  // of `left`.
  Counts InCommon(Counts (&left)[2], size_t mask) const {
    constexpr int kAny = std::numeric_limits<int>::max();
    Counts least(space_.size(), kAny);  // of those with the answers of v
    for (size_t v = 0; v < space_.size(); ++v) {
      if (!context_[v]) continue;
      int& common = least[likes_[v]];
      common = std::min(common, left[SideOf(v, mask)][v]);
    }
    Counts common(space_.size());
    for (size_t v = 0; v < space_.size(); ++v) {
      if (!context_[v]) continue;
      common[v] = least[likes_[v]];
      left[SideOf(v, mask)][v] -= common[v];
    }
    return common;
  }

  size_t SideOf(size_t variant, size_t mask) const {
    return mask >> space_.ChoiceOf(variant) & 1;
  }

  // Numbers that differ do so by the size of a dtype; one of them may be chosen
  // where that is worth a condition.
  std::optional<std::string> Joined(const Words& a, const Words& b, size_t mask,
                                    int worth) {
    VariantSet first;
    for (size_t v = 0; v < space_.size(); ++v) {
      first[v] = context_[v] && SideOf(v, mask) == 0;
    }
    if (first.none() || first == context_) return std::nullopt;
    std::vector<std::optional<VariantSpace::SizeForm>> forms(a.size());
    for (size_t i = 0; i < a.size(); ++i) {
      if (a[i] == b[i]) continue;
      std::vector<std::pair<size_t, int64_t>> values;
      for (size_t v = 0; v < space_.size(); ++v) {
        const std::string own(first[v] ? a[i] : b[i]);
        if (context_[v]) values.emplace_back(v, std::stoll(own));
      }
      forms[i] = space_.FormOf(values);
      if (!forms[i] && --worth <= 0) return std::nullopt;
    }
    std::string text;
    for (size_t i = 0; i < a.size(); ++i) {
      std::string word(a[i]);
      if (a[i] != b[i]) {
        word = forms[i]
                   ? space_.SizeText(*forms[i])
                   : fmt::format("({} ? {} : {})",
                                 space_.Condition(first, context_), a[i], b[i]);
      }
      // An argument by itself needs no brackets.
      const bool alone = i > 0 && a[i - 1].ends_with(", ") &&
                         i + 1 < a.size() && a[i + 1].starts_with(')');
      if (alone && word.starts_with('(')) {
        word = word.substr(1, word.size() - 2);
      }
      text += word;
    }
    return text;
  }

  VariantSpace& space_;
  VariantSet context_;
  std::vector<size_t> likes_;  // by variant: the first with the same answers
  std::vector<Term> terms_;
};

}  // namespace

std::string AsFactor(const std::string& value) {
  int depth = 0;
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '(') ++depth;
    if (value[i] == ')') --depth;
    const std::string_view rest = std::string_view(value).substr(i);
    if (depth == 0 && (rest.starts_with(" + ") || rest.starts_with(" - ") ||
                       rest.starts_with(" ? "))) {
      return "(" + value + ")";
    }
  }
  return value;
}

void PrintSum(VariantSpace& space, const std::string& target,
              const std::vector<AddedTerm>& terms, const VariantSet& context,
              Text& text) {
  Sum sum(space, context);
  for (const AddedTerm& term : terms) sum.Add(term);
  sum.Join();
  sum.Print(target, text);
}

size_t MergedWriter::SumEnd(const Nodes& nodes, size_t begin) const {
  size_t end = begin;
  if (keyword_ != "if") return end;  // kernels have none
  for (; end < nodes.size(); ++end) {
    const Statement* statement = nodes[end].statement;
    if (statement == nullptr || statement->nested) break;
    const Tokens& head = statement->parts[0].head;
    if (head.size() < 4 || IsSlot(head[0]) ||
        vocabulary_.Text(WordOf(head[1])) != "+" ||
        vocabulary_.Text(WordOf(head[2])) != "=" ||
        WordOf(head[0]) != WordOf(nodes[begin].statement->parts[0].head[0])) {
      break;
    }
  }
  return end;
}

void MergedWriter::PrintSumOf(const Nodes& nodes, const VariantSet& context,
                              Text& text) {
  std::vector<AddedTerm> terms;
  for (const Node& node : nodes) {
    const Tokens& head = node.statement->parts[0].head;
    for (size_t v = 0; v < space_.size(); ++v) {
      if (!node.variants[v]) continue;
      VariantSet one;
      one.set(v);
      const Tokens term(head.begin() + 3, head.end() - 1);
      terms.push_back({v, TextOf(term, one).substr(1)});
    }
  }
  const Token target = nodes[0].statement->parts[0].head[0];
  PrintSum(space_, vocabulary_.Text(WordOf(target)), terms, context, text);
}

}  // namespace belay::crux::print
