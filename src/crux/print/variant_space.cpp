// SPDX-License-Identifier: Apache-2.0
#include "crux/print/variant_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "crux/print/names.h"
#include "crux/print/scalar_text.h"

namespace belay::crux::print {
namespace {

constexpr int64_t kBlockBytes = 32;
constexpr size_t kMostBits = 64;  // of VariantSpace::literals_of_
constexpr size_t kSign = 4;       // letters of " && "
constexpr size_t kBrackets = 2;   // of "()"
constexpr size_t kChoice = 16;    // of "( && ) || ( && )"

std::string Negated(const std::string& text) {
  const size_t equals = text.find(" == ");
  if (equals != std::string::npos &&
      text.find(" == ", equals + 1) == std::string::npos &&
      text.find("&&") == std::string::npos &&
      text.find("||") == std::string::npos) {
    return std::string(text).replace(equals, 4, " != ");
  }
  const bool plain =
      text.find(' ') == std::string::npos || text.ends_with(">::value");
  return plain ? "!" + text : "!(" + text + ")";
}

// In brackets if it has the sign `by`.
std::string Wrapped(const std::string& text, std::string_view by) {
  return text.find(by) == std::string::npos ? text : "(" + text + ")";
}

}  // namespace

bool AreExclusive(const VariantFacts& a, const VariantFacts& b) {
  if (a.dtypes != b.dtypes) return true;
  for (const auto& [condition, holds] : a.answers) {
    const std::pair<std::string, bool> other(condition, !holds);
    if (std::find(b.answers.begin(), b.answers.end(), other) !=
        b.answers.end()) {
      return true;
    }
  }
  return false;
}

size_t VariantSpace::Add(VariantFacts facts) {
  std::vector<std::string>& types = types_.emplace_back();
  std::vector<int64_t>& sizes = sizes_.emplace_back();
  for (const DType dtype : facts.dtypes) {
    types.push_back(dtype == DType::kBool ? "" : TypeName(dtype));
    sizes.push_back(static_cast<int64_t>(belay::BytesOf(dtype)));
  }
  for (const DType dtype : facts.dtypes) {
    const size_t bytes = belay::BytesOf(dtype);
    types.push_back(bytes == 2 ? "uint16_t" : bytes == 4 ? "uint32_t" : "");
  }
  size_t choice = 0;
  while (choice < choices_.size() && choices_[choice].dtypes != facts.dtypes) {
    ++choice;
  }
  if (choice == choices_.size()) {
    choices_.push_back({facts.dtypes, {}, facts_.size()});
  }
  choices_[choice].variants.set(facts_.size());
  choice_of_.push_back(choice);
  facts_.push_back(std::move(facts));
  return facts_.size() - 1;
}

VariantSet VariantSpace::all() const {
  VariantSet set;
  for (size_t i = 0; i < facts_.size(); ++i) set.set(i);
  return set;
}

std::string VariantSpace::VariableName(size_t variable) const {
  const size_t dtypes = kernel_.dtypes.size();
  return variable < dtypes ? LegalName(kernel_.dtypes[variable]->name)
                           : words_.WordOf(variable - dtypes);
}

void VariantSpace::UseVariable(size_t variable) {
  const size_t dtypes = kernel_.dtypes.size();
  if (variable >= dtypes) used_words_.insert(variable - dtypes);
  used_variables_.insert(variable % dtypes);
}

void VariantSpace::FindLiterals() {
  if (literals_for_ == facts_.size()) return;
  literals_for_ = facts_.size();
  literals_.clear();
  groups_.clear();
  literal_least_ = std::numeric_limits<size_t>::max();
  conditions_.clear();
  const auto add = [&](Literal literal) {
    if (literal.holds.none() || literal.holds == all()) return;
    if (literals_.empty() || !literal.answer.empty() ||
        literals_.back().dtype != literal.dtype) {
      groups_.push_back(literals_.size());
    }
    literal_least_ =
        std::min({literal_least_, literal.text.size(), literal.negated.size()});
    literals_.push_back(std::move(literal));
  };
  // float first: what is computed in float needs no conversion there.
  for (size_t v = 0; v < kernel_.dtypes.size(); ++v) {
    std::vector<DType> allowed = {DType::kFloat};
    for (const DType dtype : kernel_.dtypes[v]->allowed) {
      if (dtype != DType::kFloat) allowed.push_back(dtype);
    }
    for (const DType dtype : allowed) {
      Literal literal;
      literal.dtype = v;
      literal.asked = all();
      for (size_t i = 0; i < facts_.size(); ++i) {
        literal.holds[i] = facts_[i].dtypes[v] == dtype;
      }
      if (literal.holds.none()) continue;
      literal.text = words_.IsDtype(v, dtype);
      literal.negated = Negated(literal.text);
      add(std::move(literal));
    }
  }
  std::vector<std::string> asked;
  for (const VariantFacts& facts : facts_) {
    for (const auto& [condition, holds] : facts.answers) {
      if (std::find(asked.begin(), asked.end(), condition) == asked.end()) {
        asked.push_back(condition);
      }
    }
  }
  for (const std::string& condition : asked) {
    Literal literal;
    literal.answer = condition;
    for (size_t i = 0; i < facts_.size(); ++i) {
      for (const auto& [name, holds] : facts_[i].answers) {
        if (name != condition) continue;
        literal.asked.set(i);
        literal.holds[i] = holds;
      }
    }
    literal.text = words_.Answer(condition);
    literal.negated = Negated(literal.text);
    add(std::move(literal));
  }
  groups_.push_back(literals_.size());
  literals_of_.assign(facts_.size(), 0);
  by_literals_.clear();
  if (literals_.size() > kMostBits) return;
  for (size_t v = 0; v < facts_.size(); ++v) {
    for (size_t i = 0; i < literals_.size(); ++i) {
      literals_of_[v] |= uint64_t{literals_[i].holds.test(v)} << i;
    }
    by_literals_[literals_of_[v]] = v;
  }
}

VariantSet VariantSpace::Deciding(const VariantSet& set,
                                  const VariantSet& within) const {
  VariantSet part = within;
  if (by_literals_.size() != facts_.size()) return part;
  for (size_t g = 0; g + 1 < groups_.size(); ++g) {
    // Those of the first one's kind, and how many kinds there are.
    VariantSet first;
    VariantSet rest = part;
    size_t kinds = 0;
    uint64_t literals = 0;
    uint64_t kind = 0;
    for (size_t i = groups_[g]; i < groups_[g + 1]; ++i) {
      literals |= uint64_t{1} << i;
      const VariantSet holds = literals_[i].holds & part;
      if (holds.none()) continue;
      if (kinds++ == 0) {
        first = holds;
        kind = uint64_t{1} << i;
      }
      rest &= ~holds;
    }
    if (rest.any() && kinds++ == 0) first = rest;
    if (kinds < 2 || part.count() != kinds * first.count() ||
        (part & set).count() != kinds * (first & set).count()) {
      continue;
    }
    const auto has_twin = [&](size_t v) {
      const auto twin = by_literals_.find((literals_of_[v] & ~literals) | kind);
      return twin != by_literals_.end() && first.test(twin->second) &&
             set.test(twin->second) == set.test(v);
    };
    bool all = true;
    for (size_t v = 0; all && v < facts_.size(); ++v) {
      all = !part.test(v) || has_twin(v);
    }
    if (all) part = first;
  }
  return part;
}

std::vector<const Literal*> VariantSpace::LiteralsWithin(
    const VariantSet& within) {
  FindLiterals();
  std::vector<const Literal*> result;
  for (const Literal& literal : literals_) {
    const VariantSet both = literal.holds & within;
    if (both.any() && both != within && Tells(literal, within)) {
      result.push_back(&literal);
    }
  }
  return result;
}

const std::string* VariantSpace::Single(const VariantSet& set,
                                        const VariantSet& within) const {
  if (set.none()) return nullptr;
  const VariantSet others = within & ~set;
  for (const Literal& literal : literals_) {
    if (!Tells(literal, within)) continue;
    const VariantSet holds = literal.holds & within;
    if (holds == set) return &literal.text;
    if (holds == others) return &literal.negated;
  }
  return nullptr;
}

std::optional<std::string> VariantSpace::Shortest(const VariantSet& set,
                                                  const VariantSet& within,
                                                  size_t limit) {
  const auto if_shorter =
      [&](const std::string& text) -> std::optional<std::string> {
    if (text.size() >= limit) return std::nullopt;
    return text;
  };
  if (set == within) return if_shorter("true");
  if (literal_least_ >= limit) return std::nullopt;
  const std::string* single = Single(set, within);
  if (single != nullptr) return if_shorter(*single);
  // What is left has two literals and a sign at least.
  if (limit <= kSign || (limit - kSign) / 2 < literal_least_) {
    return std::nullopt;
  }
  std::vector<Found>& found = conditions_[set];
  auto known = std::find_if(found.begin(), found.end(), [&](const Found& one) {
    return one.within == within;
  });
  if (known != found.end()) {
    if (known->text) return if_shorter(*known->text);
    if (known->limit >= limit) return std::nullopt;
  }
  // Many a set within others comes down to the same part.
  const VariantSet part = Deciding(set, within);
  std::optional<std::string> text = part == within
                                        ? Search(set, within, limit)
                                        : Shortest(set & part, part, limit);
  known = std::find_if(found.begin(), found.end(),
                       [&](const Found& one) { return one.within == within; });
  if (known == found.end()) {
    found.push_back({within, limit, text});
  } else {
    *known = {within, limit, text};
  }
  return text;
}

// Not "true", and no single literal.
std::optional<std::string> VariantSpace::Search(const VariantSet& set,
                                                const VariantSet& within,
                                                size_t limit) {
  const std::vector<const Literal*> literals = LiteralsWithin(within);
  std::optional<std::string> best;
  // Only what is shorter counts.
  size_t size = limit;
  for (const Literal* literal : literals) {
    const auto enough = EnoughBy(*literal, set, within, true);
    if (enough) size = std::min(size, *enough + 1);
  }
  if (size == limit) size = std::min(size, Enough(set, within) + 1);
  const auto offer = [&](std::string text) {
    if (text.size() >= size) return;
    size = text.size();
    best = std::move(text);
  };
  // "literal sign rest", where the rest can be short enough.
  const auto join = [&](const std::string& literal, std::string_view sign,
                        std::string_view looser, const VariantSet& rest,
                        const VariantSet& where) {
    const size_t before = literal.size() + sign.size();
    if (size <= before) return;
    const auto text = Shortest(rest, where, size - before);
    if (!text) return;
    offer(Wrapped(literal, looser) + std::string(sign) +
          Wrapped(*text, looser));
  };
  for (const Literal* literal : literals) {
    const VariantSet holds = literal->holds & within;
    const VariantSet fails = within & ~holds;
    const VariantSet left = set & holds;
    const VariantSet right = set & fails;
    if (right.none()) {
      join(literal->text, " && ", " || ", left, holds);
    } else if (left.none()) {
      join(literal->negated, " && ", " || ", right, fails);
    } else if (left == holds) {
      join(literal->text, " || ", " && ", right, fails);
    } else if (right == fails) {
      join(literal->negated, " || ", " && ", left, holds);
    } else {
      const auto one = Shortest(left, holds, size);
      if (!one) continue;
      // Both the same, or both in one text.
      const size_t around = literal->text.size() + literal->negated.size() +
                            kChoice + one->size();
      const auto other = Shortest(
          right, fails,
          std::max(one->size() + 1, size > around ? size - around : 0));
      if (!other) continue;
      if (*one == *other) {
        offer(*one);
      } else if (around + other->size() < size) {
        offer(fmt::format("({} && {}) || ({} && {})",
                          Wrapped(literal->text, " || "), Wrapped(*one, " || "),
                          Wrapped(literal->negated, " || "),
                          Wrapped(*other, " || ")));
      }
    }
  }
  return best;
}

size_t VariantSpace::Enough(const VariantSet& set,
                            const VariantSet& within) const {
  const std::string* single = Single(set, within);
  if (single != nullptr) return single->size();
  const Literal* any = nullptr;
  for (const Literal& literal : literals_) {
    const VariantSet holds = literal.holds & within;
    if (holds.none() || holds == within || !Tells(literal, within)) continue;
    if (const auto enough = EnoughBy(literal, set, within, true)) {
      return *enough;
    }
    any = &literal;
  }
  if (any == nullptr) return std::numeric_limits<size_t>::max() / 4;
  return *EnoughBy(*any, set, within, false);
}

std::optional<size_t> VariantSpace::EnoughBy(const Literal& literal,
                                             const VariantSet& set,
                                             const VariantSet& within,
                                             bool one_side) const {
  const VariantSet holds = literal.holds & within;
  const VariantSet fails = within & ~holds;
  const VariantSet left = set & holds;
  const VariantSet right = set & fails;
  const size_t before = std::max(literal.text.size(), literal.negated.size()) +
                        kBrackets + kSign + kBrackets;
  if (right.none() || right == fails) {
    return before + Enough(left, holds);
  }
  if (left.none() || left == holds) {
    return before + Enough(right, fails);
  }
  if (one_side) return std::nullopt;
  return literal.text.size() + literal.negated.size() + kChoice +
         4 * kBrackets + Enough(left, holds) + Enough(right, fails);
}

std::string VariantSpace::Condition(const VariantSet& set,
                                    const VariantSet& within) {
  FindLiterals();
  const auto found = Shortest(set, within, std::numeric_limits<size_t>::max());
  if (!found) throw InternalError("[crux] nothing tells two variants apart");
  const std::string& text = *found;
  for (const Literal& literal : literals_) {
    if (text.find(literal.text) == std::string::npos &&
        text.find(literal.negated) == std::string::npos) {
      continue;
    }
    if (literal.answer.empty()) {
      used_variables_.insert(literal.dtype);
      used_dtypes_.insert(literal.text);
    } else {
      used_answers_.insert(literal.answer);
    }
  }
  return text;
}

std::optional<size_t> VariantSpace::VariableOf(
    const std::vector<std::pair<size_t, std::string>>& words) const {
  for (size_t v = 0; v < variables(); ++v) {
    const bool fits = std::all_of(
        words.begin(), words.end(),
        [&](const auto& one) { return types_[one.first][v] == one.second; });
    if (fits) return v;
  }
  return std::nullopt;
}

std::optional<VariantSpace::SizeForm> VariantSpace::FormOf(
    const std::vector<std::pair<size_t, int64_t>>& values) const {
  for (size_t v = 0; v < kernel_.dtypes.size(); ++v) {
    const auto bytes = [&](size_t variant) { return sizes_[variant][v]; };
    const auto& [first, value] = values.front();
    const int64_t times = value / bytes(first);
    if (times > 0 &&
        std::all_of(values.begin(), values.end(), [&](const auto& one) {
          return one.second == times * bytes(one.first);
        })) {
      return SizeForm{v, false, times};
    }
    const int64_t blocks = value * bytes(first) / kBlockBytes;
    if (blocks > 0 &&
        std::all_of(values.begin(), values.end(), [&](const auto& one) {
          return one.second * bytes(one.first) == blocks * kBlockBytes;
        })) {
      return SizeForm{v, true, blocks};
    }
  }
  return std::nullopt;
}

std::string VariantSpace::SizeText(const SizeForm& form) {
  (form.blocks ? used_blocks_ : used_sizes_).insert(form.variable);
  used_variables_.insert(form.variable);
  const std::string word = form.blocks ? words_.BlockOf(form.variable)
                                       : words_.SizeOf(form.variable);
  return form.times == 1 ? word : fmt::format("({} * {})", word, form.times);
}

}  // namespace belay::crux::print
