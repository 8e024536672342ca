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

int64_t BytesOf(DType dtype) {
  return static_cast<int64_t>(belay::BytesOf(dtype));
}

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
  for (const DType dtype : facts.dtypes) {
    types.push_back(dtype == DType::kBool ? "" : TypeName(dtype));
  }
  facts_.push_back(std::move(facts));
  return facts_.size() - 1;
}

VariantSet VariantSpace::all() const {
  VariantSet set;
  for (size_t i = 0; i < facts_.size(); ++i) set.set(i);
  return set;
}

std::string VariantSpace::VariableName(size_t variable) const {
  return LegalName(kernel_.dtypes[variable]->name);
}

void VariantSpace::FindLiterals() {
  if (literals_for_ == facts_.size()) return;
  literals_for_ = facts_.size();
  literals_.clear();
  conditions_.clear();
  const auto add = [&](Literal literal) {
    if (literal.holds.none() || literal.holds == all()) return;
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
        if (name == condition && holds) literal.holds.set(i);
      }
    }
    literal.text = words_.Answer(condition);
    literal.negated = Negated(literal.text);
    add(std::move(literal));
  }
}

std::vector<const Literal*> VariantSpace::LiteralsWithin(
    const VariantSet& within) {
  FindLiterals();
  std::vector<const Literal*> result;
  for (const Literal& literal : literals_) {
    const VariantSet both = literal.holds & within;
    if (both.any() && both != within) result.push_back(&literal);
  }
  return result;
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
  for (const Found& known : conditions_[set]) {
    if (known.within != within) continue;
    if (known.text) return if_shorter(*known.text);
    if (known.limit >= limit) return std::nullopt;
  }
  std::optional<std::string> text = Search(set, within, limit);
  std::vector<Found>& found = conditions_[set];
  const auto known =
      std::find_if(found.begin(), found.end(),
                   [&](const Found& one) { return one.within == within; });
  if (known == found.end()) {
    found.push_back({within, limit, text});
  } else {
    *known = {within, limit, text};
  }
  return text;
}

std::optional<std::string> VariantSpace::Search(const VariantSet& set,
                                                const VariantSet& within,
                                                size_t limit) {
  const std::vector<const Literal*> literals = LiteralsWithin(within);
  std::optional<std::string> best;
  size_t size = limit;  // only what is shorter counts
  const auto offer = [&](std::string text) {
    if (text.size() >= size) return;
    size = text.size();
    best = std::move(text);
  };
  for (const Literal* literal : literals) {
    const VariantSet holds = literal->holds & within;
    const bool plain = holds == set;
    if (!plain && (within & ~holds) != set) continue;
    offer(plain ? literal->text : literal->negated);
    return best;
  }
  const auto wrapped = [](const std::string& text, std::string_view by) {
    return text.find(by) == std::string::npos ? text : "(" + text + ")";
  };
  // "literal sign rest", where the rest can be short enough.
  const auto join = [&](const std::string& literal, std::string_view sign,
                        std::string_view looser, const VariantSet& rest,
                        const VariantSet& where) {
    const size_t before = literal.size() + sign.size();
    if (size <= before) return;
    const auto text = Shortest(rest, where, size - before);
    if (!text) return;
    offer(wrapped(literal, looser) + std::string(sign) +
          wrapped(*text, looser));
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
      const auto other = Shortest(right, fails, size);
      if (!other) continue;
      offer(*one == *other ? *one
                           : fmt::format("({} && {}) || ({} && {})",
                                         wrapped(literal->text, " || "),
                                         wrapped(*one, " || "),
                                         wrapped(literal->negated, " || "),
                                         wrapped(*other, " || ")));
    }
  }
  return best;
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
  for (size_t v = 0; v < kernel_.dtypes.size(); ++v) {
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
    const auto bytes = [&](size_t variant) {
      return BytesOf(facts_[variant].dtypes[v]);
    };
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
