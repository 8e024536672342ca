// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_VARIANT_SPACE_H_
#define BELAY_CRUX_PRINT_VARIANT_SPACE_H_

// What tells the variants that share a text from one another: dtypes and
// answers to host conditions, and how C++ says so.

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "crux/print/statement_tree.h"
#include "crux/typed.h"

namespace belay::crux::print {

struct VariantFacts {
  std::vector<DType> dtypes;  // in the order of typed::Kernel::dtypes
  // Conditions as the host spells them, in the order they are asked.
  std::vector<std::pair<std::string, bool>> answers;
};

// Whether no call can be for both.
bool AreExclusive(const VariantFacts& a, const VariantFacts& b);

// A condition that some variants meet.
struct Literal {
  VariantSet holds;
  VariantSet asked;  // variants that say whether it does
  std::string text;
  std::string negated;
  size_t dtype = 0;  // position of its variable, if `answer` is empty
  std::string answer;
};

// How conditions and sizes are spelt: by a class template or by the host.
class VariantWords {
 public:
  virtual ~VariantWords() = default;
  // "IsSameType<T, float>::value".
  virtual std::string IsDtype(size_t variable, DType dtype) const = 0;
  virtual std::string Answer(const std::string& condition) const = 0;
  // Whether an answer is "no" where a variant does not ask for it; else it may
  // be either.
  virtual bool IsNoUnasked() const = 0;
  // Bytes of an element, and elements of a 32-byte block.
  virtual std::string SizeOf(size_t variable) const = 0;
  virtual std::string BlockOf(size_t variable) const = 0;
  // An unsigned integer of as many bits.
  virtual std::string WordOf(size_t variable) const = 0;
};

class VariantSpace {
 public:
  VariantSpace(const typed::Kernel& kernel, const VariantWords& words)
      : kernel_(kernel), words_(words) {}

  // The variant's number.
  size_t Add(VariantFacts facts);
  size_t size() const { return facts_.size(); }
  const VariantFacts& facts(size_t variant) const { return facts_[variant]; }
  VariantSet all() const;

  // Conditions that hold for some of `within` and not for all.
  std::vector<const Literal*> LiteralsWithin(const VariantSet& within);
  // True for `set` of the variants of `within`.
  std::string Condition(const VariantSet& set, const VariantSet& within);

  // Variables that types may follow: of dtypes, then the word of each.
  size_t variables() const { return 2 * kernel_.dtypes.size(); }
  // The one whose types `words` are, by variant.
  std::optional<size_t> VariableOf(
      const std::vector<std::pair<size_t, std::string>>& words) const;
  // "half" of a variable in a variant; of bool nothing.
  const std::string& TypeOf(size_t variant, size_t variable) const {
    return types_[variant][variable];
  }
  // A choice of dtypes that variants have.
  struct Choice {
    std::vector<DType> dtypes;
    VariantSet variants;
    size_t first = 0;  // of them
  };
  const std::vector<Choice>& choices() const { return choices_; }
  size_t ChoiceOf(size_t variant) const { return choice_of_[variant]; }

  // Integers, by variant, that grow or shrink with the size of a dtype.
  struct SizeForm {
    size_t variable = 0;
    bool blocks = false;  // elements of a 32-byte block, not bytes of one
    int64_t times = 1;
  };
  std::optional<SizeForm> FormOf(
      const std::vector<std::pair<size_t, int64_t>>& values) const;
  std::string SizeText(const SizeForm& form);

  // What the texts above have used so far.
  const std::set<size_t>& used_variables() const { return used_variables_; }
  const std::set<size_t>& used_sizes() const { return used_sizes_; }
  const std::set<size_t>& used_blocks() const { return used_blocks_; }
  const std::set<std::string>& used_answers() const { return used_answers_; }
  // Conditions on dtypes, as they are spelt.
  const std::set<std::string>& used_dtypes() const { return used_dtypes_; }
  const std::set<size_t>& used_words() const { return used_words_; }
  void UseVariable(size_t variable);

  std::string VariableName(size_t variable) const;

 private:
  void FindLiterals();
  // The part of `within` that decides. What has nothing to do with `set`, a
  // dtype or an answer that goes with all of the others, stays at one value:
  // conditions on the part are those on all.
  VariantSet Deciding(const VariantSet& set, const VariantSet& within) const;
  // Whether it says which of the variants of `within` there is.
  bool Tells(const Literal& literal, const VariantSet& within) const {
    return words_.IsNoUnasked() || (within & ~literal.asked).none();
  }
  // The first literal, or its negation, that is true for `set`; null: none.
  const std::string* Single(const VariantSet& set,
                            const VariantSet& within) const;
  // Letters that are enough for a condition, and for one that begins with a
  // literal: of `one_side`, only where one answer to it settles the matter.
  // Nothing is said about what is in brackets within them.
  size_t Enough(const VariantSet& set, const VariantSet& within) const;
  std::optional<size_t> EnoughBy(const Literal& literal, const VariantSet& set,
                                 const VariantSet& within, bool one_side) const;
  // The shortest condition, if it is shorter than `limit`.
  std::optional<std::string> Shortest(const VariantSet& set,
                                      const VariantSet& within, size_t limit);
  std::optional<std::string> Search(const VariantSet& set,
                                    const VariantSet& within, size_t limit);

  // What was found before: nothing that is shorter than the limit, or the
  // shortest of all.
  struct Found {
    VariantSet within;
    size_t limit = 0;
    std::optional<std::string> text;
  };

  const typed::Kernel& kernel_;
  const VariantWords& words_;
  std::vector<VariantFacts> facts_;
  std::vector<std::vector<std::string>> types_;
  std::vector<std::vector<int64_t>> sizes_;  // of an element, in bytes
  std::vector<Choice> choices_;
  std::vector<size_t> choice_of_;
  std::vector<Literal> literals_;
  // Where each group of literals begins that are about one thing: those of a
  // dtype variable, or one answer. The last is how many literals there are.
  std::vector<size_t> groups_;
  std::vector<uint64_t> literals_of_;  // that hold, a bit each, by variant
  // The variant for which these hold. Fewer than variants where literals do not
  // tell all of them apart, or are too many.
  std::unordered_map<uint64_t, size_t> by_literals_;
  size_t literals_for_ = 0;   // how many variants they were found for
  size_t literal_least_ = 0;  // no text of a literal has fewer letters
  std::set<size_t> used_variables_;
  std::set<size_t> used_sizes_;
  std::set<size_t> used_blocks_;
  std::set<size_t> used_words_;  // by the dtype variable
  std::set<std::string> used_answers_;
  std::set<std::string> used_dtypes_;
  std::unordered_map<VariantSet, std::vector<Found>> conditions_;  // by set
};

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_VARIANT_SPACE_H_
