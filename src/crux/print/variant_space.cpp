// SPDX-License-Identifier: Apache-2.0
#include "crux/print/variant_space.h"

#include <fmt/format.h>

#include <algorithm>

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

std::string VariantSpace::Shortest(const VariantSet& set,
                                   const VariantSet& within) {
  if (set == within) return "true";
  auto& known = conditions_[set];
  for (const auto& [where, text] : known) {
    if (where == within) return text;
  }
  std::string text = Search(set, within);
  conditions_[set].emplace_back(within, text);
  return text;
}

std::string VariantSpace::Search(const VariantSet& set,
                                 const VariantSet& within) {
  const std::vector<const Literal*> literals = LiteralsWithin(within);
  for (const Literal* literal : literals) {
    const VariantSet holds = literal->holds & within;
    if (holds == set) return literal->text;
    if ((within & ~holds) == set) return literal->negated;
  }
  const auto wrapped = [](const std::string& text, std::string_view by) {
    return text.find(by) == std::string::npos ? text : "(" + text + ")";
  };
  std::string best;
  for (const Literal* literal : literals) {
    const VariantSet holds = literal->holds & within;
    const VariantSet fails = within & ~holds;
    const VariantSet left = set & holds;
    const VariantSet right = set & fails;
    std::string text;
    if (right.none()) {
      text = wrapped(literal->text, " || ") + " && " +
             wrapped(Shortest(left, holds), " || ");
    } else if (left.none()) {
      text = wrapped(literal->negated, " || ") + " && " +
             wrapped(Shortest(right, fails), " || ");
    } else if (left == holds) {
      text = wrapped(literal->text, " && ") + " || " +
             wrapped(Shortest(right, fails), " && ");
    } else if (right == fails) {
      text = wrapped(literal->negated, " && ") + " || " +
             wrapped(Shortest(left, holds), " && ");
    } else {
      const std::string one = Shortest(left, holds);
      const std::string other = Shortest(right, fails);
      text = one == other ? one
                          : fmt::format("({} && {}) || ({} && {})",
                                        wrapped(literal->text, " || "),
                                        wrapped(one, " || "),
                                        wrapped(literal->negated, " || "),
                                        wrapped(other, " || "));
    }
    if (best.empty() || text.size() < best.size()) best = std::move(text);
  }
  if (best.empty()) {
    throw InternalError("[crux] nothing tells two variants apart");
  }
  return best;
}

std::string VariantSpace::Condition(const VariantSet& set,
                                    const VariantSet& within) {
  const std::string text = Shortest(set, within);
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
